#include "reflector/pager.h"

#include <iterator>

namespace relist {
namespace {

// The pager looks at the reason only (PGR-03), unlike the reflector (RFL-12).
bool IsExpiredPage(const Error& error) {
  return error.status.reason == "Expired";
}

}  // namespace

Task<Result<PagedList>> Pager::List(ListOptions options, Signal& stop) {
  if (options.limit == 0) options.limit = page_size_;
  const std::string first_version = options.resource_version;
  const std::string first_match = options.resource_version_match;
  PagedList all;
  for (bool first = true;; first = false) {
    Task<Result<ListPage>> request = lister_.List(options, stop);
    Result<ListPage> page = co_await request;
    if (!page.ok()) {
      if (first || !IsExpiredPage(page.error())) co_return page.error();
      options.limit = 0;
      options.continue_token.clear();
      options.resource_version = first_version;
      options.resource_version_match = first_match;
      Task<Result<ListPage>> whole_request = lister_.List(options, stop);
      Result<ListPage> whole = co_await whole_request;
      if (!whole.ok()) co_return whole.error();
      co_return PagedList{std::move(*whole), /*paginated=*/true};
    }
    options.continue_token = page->continue_token;
    if (first) {
      all.list = std::move(*page);
    } else {
      all.list.null_items += page->null_items;
      all.list.items.insert(all.list.items.end(), std::make_move_iterator(page->items.begin()),
                            std::make_move_iterator(page->items.end()));
    }
    if (options.continue_token.empty()) break;
    // The token carries the version; the server refuses both (PGR-02).
    options.resource_version.clear();
    options.resource_version_match.clear();
    all.paginated = true;
  }
  all.list.continue_token.clear();
  all.list.remaining_item_count.reset();
  co_return all;
}

}  // namespace relist
