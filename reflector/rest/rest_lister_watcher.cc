#include "reflector/rest/rest_lister_watcher.h"

#include "reflector/decoding/list_decoder.h"

namespace relist {
namespace {

// A server that does not know it sends whole objects.
std::string AcceptOf(const RestListerWatcher::Selectors& selectors, std::string_view metadata) {
  return selectors.metadata_only ? std::string(metadata) + ",application/json" : "";
}

}  // namespace

RestListerWatcher::RestListerWatcher(RestClient& rest, Resource resource, std::string ns,
                                     Selectors selectors, std::shared_ptr<Recorder> recorder)
    : rest_(rest),
      resource_(std::move(resource)),
      ns_(std::move(ns)),
      selectors_(std::move(selectors)),
      recorder_(std::move(recorder)) {}

std::string RestListerWatcher::Target(ListOptions options) const {
  if (options.label_selector.empty()) options.label_selector = selectors_.label;
  if (options.field_selector.empty()) options.field_selector = selectors_.field;
  std::string target = resource_.Path(ns_);
  const std::string query = options.ToQuery();
  if (!query.empty()) target += "?" + query;
  return target;
}

Task<Result<ListPage>> RestListerWatcher::List(ListOptions options, Signal& stop) {
  Task<Result<HttpAnswer>> get = rest_.Get(Target(std::move(options)), "LIST", recorder_, stop,
                                           AcceptOf(selectors_, kAcceptMetadataList));
  Result<HttpAnswer> answer = co_await get;
  if (!answer.ok()) co_return answer.error();
  Result<ListPage> page = DecodeList(std::move(answer->body));
  if (recorder_) {
    if (page.ok()) {
      recorder_->ListAnswer(answer->request, answer->status, page->resource_version,
                            page->items.size());
    } else {
      recorder_->AnswerError(answer->request, page.error());
    }
  }
  co_return page;
}

Task<Result<std::unique_ptr<WatchStream>>> RestListerWatcher::Watch(ListOptions options,
                                                                    Signal& stop) {
  std::optional<Duration> timeout;
  if (options.timeout_seconds) timeout = Seconds(*options.timeout_seconds);
  Task<Result<std::unique_ptr<WatchStream>>> open = rest_.Watch(
      Target(std::move(options)), timeout, recorder_, stop, AcceptOf(selectors_, kAcceptMetadata));
  co_return co_await open;
}

}  // namespace relist
