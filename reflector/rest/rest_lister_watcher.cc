#include "reflector/rest/rest_lister_watcher.h"

#include <fmt/core.h>

#include "reflector/decoding/list_decoder.h"
#include "reflector/parity_switch.h"

namespace relist {
namespace {

// Go's time.Duration of whole seconds, as text: "7m12s", "1h0m0s".
std::string GoDuration(int64_t seconds) {
  if (seconds < 60) return fmt::format("{}s", seconds);
  if (seconds < 3600) return fmt::format("{}m{}s", seconds / 60, seconds % 60);
  return fmt::format("{}h{}m{}s", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

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
  std::string query = options.ToQuery();
  // client-go: gentype copies it into Request.Timeout, which writes it again.
  if (HasTimeoutParameter(options)) {
    const size_t place = query.find("timeoutSeconds=");
    query.insert(place, "timeout=" + GoDuration(*options.timeout_seconds) + "&");
  }
  if (!query.empty()) target += "?" + query;
  return target;
}

bool RestListerWatcher::HasTimeoutParameter(const ListOptions& options) const {
  return rest_.options().timeout_parameter && options.timeout_seconds.value_or(0) > 0 &&
         Behaves("NET-01");
}

Task<Result<ListPage>> RestListerWatcher::List(ListOptions options, Signal& stop) {
  std::optional<Duration> bound;
  if (HasTimeoutParameter(options)) bound = Seconds(*options.timeout_seconds);
  Task<Result<HttpAnswer>> get = rest_.Get(Target(std::move(options)), "LIST", recorder_, stop,
                                           AcceptOf(selectors_, kAcceptMetadataList), bound);
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
  options.watch = true;  // as each client of client-go does, whoever asks
  std::optional<Duration> timeout;
  if (options.timeout_seconds) timeout = Seconds(*options.timeout_seconds);
  Task<Result<std::unique_ptr<WatchStream>>> open = rest_.Watch(
      Target(std::move(options)), timeout, recorder_, stop, AcceptOf(selectors_, kAcceptMetadata));
  co_return co_await open;
}

}  // namespace relist
