#include "reflector/pager.h"

#include <fmt/core.h>

#include <deque>
#include <iterator>

#include "core/runtime/loop.h"
#include "reflector/parity_switch.h"

namespace relist {
namespace {

// The pager looks at the reason only (PGR-03), unlike the reflector (RFL-12).
bool IsExpiredPage(const Error& error) {
  return error.status.reason == "Expired";
}

Error PagerStopped() {
  return Error::Net(Transport::kStopped, "stopped");
}

Task<Result<void>> CallEach(Pager::EachItem each, ObjectRef object) {
  co_return each(object);
}

}  // namespace

Task<Result<PagedList>> Pager::List(ListOptions options, Signal& stop) {
  if (options.limit == 0 && Behaves("PGR-01")) options.limit = options_.page_size;
  const std::string first_version = options.resource_version;
  const std::string first_match = options.resource_version_match;
  PagedList all;
  for (bool first = true;; first = false) {
    if (stop.Ready()) co_return PagerStopped();
    Task<Result<ListPage>> request = lister_.List(options, stop);
    Result<ListPage> page = co_await request;
    if (!page.ok()) {
      const bool later = !options.continue_token.empty();
      const bool again = later && options_.full_list_if_expired && IsExpiredPage(page.error()) &&
                         Behaves("PGR-03");
      if (!again) co_return page.error();
      options.limit = 0;
      options.continue_token.clear();
      options.resource_version = first_version;
      options.resource_version_match = first_match;
      Task<Result<ListPage>> whole_request = lister_.List(options, stop);
      Result<ListPage> whole = co_await whole_request;
      if (!whole.ok()) co_return whole.error();
      co_return PagedList{std::move(*whole), all.paginated};
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
    if (Behaves("PGR-02")) options.resource_version.clear();
    options.resource_version_match.clear();
    all.paginated = Behaves("PGR-04");
  }
  all.list.continue_token.clear();
  all.list.remaining_item_count.reset();
  co_return all;
}

// What was fetched and not yet looked at.
struct Pager::Pages {
  std::deque<ListPage> waiting;
  bool over = false;
  Result<void> outcome;
  Event came, taken;
};

// Runs ahead of the callback, by as many pages as may wait and the one in hand (PGR-05).
Task<void> Pager::FetchPages(ListOptions options, Pages& pages, Signal& stop) {
  if (options.limit == 0) options.limit = options_.page_size;
  for (;;) {
    if (stop.Ready()) {
      pages.outcome = PagerStopped();
      break;
    }
    Task<Result<ListPage>> request = lister_.List(options, stop);
    Result<ListPage> page = co_await request;
    if (!page.ok()) {
      pages.outcome = page.error();
      break;
    }
    options.continue_token = page->continue_token;
    if (options_.each_clears_version) {
      options.resource_version.clear();
      options.resource_version_match.clear();
    }
    pages.waiting.push_back(std::move(*page));
    if (options.continue_token.empty()) break;
    pages.came.Raise();
    while (static_cast<int64_t>(pages.waiting.size()) > options_.page_buffer && Behaves("PGR-05")) {
      Select which(*Loop::Current(), pages.taken, stop);
      co_await which;
      pages.taken.Take();
      if (stop.Ready()) break;
    }
  }
  pages.over = true;
  pages.came.Raise();
}

Task<Result<void>> Pager::EachListItem(ListOptions options, EachItem each, Signal& stop) {
  EachItemTask task = [each = std::move(each)](ObjectRef object) {
    return CallEach(each, std::move(object));
  };
  Task<Result<void>> all = EachListItem(std::move(options), std::move(task), stop);
  co_return co_await all;
}

Task<Result<void>> Pager::EachListItem(ListOptions options, EachItemTask each, Signal& stop) {
  if (options_.page_buffer < 0) {
    co_return Error::Net(
        Transport::kOther,
        fmt::format("ListPager.PageBufferSize must be >= 0, got {}", options_.page_buffer));
  }
  Pages pages;
  TaskScope fetching(*Loop::Current());
  fetching.Spawn(FetchPages(std::move(options), pages, stop));
  for (;;) {
    while (pages.waiting.empty() && !pages.over) {
      Select which(*Loop::Current(), pages.came);
      co_await which;
      pages.came.Take();
    }
    if (pages.waiting.empty()) co_return pages.outcome;
    if (stop.Ready() && Behaves("PGR-05b")) co_return PagerStopped();
    const ListPage page = std::move(pages.waiting.front());
    pages.waiting.pop_front();
    pages.taken.Raise();
    for (size_t i = 0; i < page.items.size(); ++i) {
      Task<Result<void>> one = each(page.items[i]);
      const Result<void> done = co_await one;
      if (!done.ok()) co_return done.error();
    }
  }
}

}  // namespace relist
