#include "scenarios/checkers/patience.h"

#include <algorithm>

#include "core/wire/resource_version.h"

namespace relist {
namespace {

// An apiserver's own watches without timeoutSeconds last from half an hour to one.
constexpr Duration kLongestUnasked = Seconds(3600);

Duration TimeoutOf(const ClientRequest& request, const CheckOptions& options) {
  constexpr uint64_t kSecondsMax = 1u << 30;
  const auto asked = ParseResourceVersion(QueryValue(request.target, "timeoutSeconds"));
  if (asked && *asked > 0) return Seconds(static_cast<int64_t>(std::min(*asked, kSecondsMax)));
  return std::max(kLongestUnasked, 2 * options.wire.timeout_min);
}

}  // namespace

TimePoint StoppedAt(const ClientView& client) {
  return client.first_stop ? client.first_stop->when() : kNever;
}

TimePoint GivenUp(const HistoryView& view, const ClientView& client, size_t index) {
  const ClientRequest& request = client.requests[index];
  TimePoint first = std::min(view.end(), StoppedAt(client));
  if (index + 1 < client.requests.size())
    first = std::min(first, client.requests[index + 1].entry->when());
  if (request.answer && !request.answer->Get("error").empty())
    first = std::min(first, request.answer->when());
  const ServerRequest* server = request.server;
  if (!server || !server->end) return first;
  const bool by_client = server->end->Get("how") == "client";
  return by_client || !server->faults.slow ? std::min(first, server->end->when()) : first;
}

TimePoint GivenUpAtTheLatest(const HistoryView& view, const ClientView& client,
                             const ClientRequest& request, const CheckOptions& options) {
  TimePoint last = request.entry->when();
  if (const ServerRequest* server = request.server) {
    if (server->open) last = std::max(last, server->open->when());
    if (server->slow_since) last = std::max(last, server->slow_since->when());
    if (!server->faults.slow && !server->events.empty())
      last = std::max(last, server->events.back()->when());
  }
  const Duration patience = TimeoutOf(request, options) + options.stall_margin;
  return last + (client.joined ? view.InRealTime(patience) : patience);
}

}  // namespace relist
