// C16: a watch over which nothing comes is given up.
#include <fmt/core.h>

#include "scenarios/checkers/expiry_loop.h"
#include "scenarios/checkers/patience.h"

namespace relist {

std::vector<Violation> CheckStalls(const HistoryView& view, const CheckOptions& options) {
  std::vector<Violation> out;
  for (const ClientView& client : view.clients()) {
    for (size_t i = 0; i < client.requests.size(); ++i) {
      const ClientRequest& request = client.requests[i];
      // A streaming list that has not come to its end is C12's.
      if (!request.watch || (request.streaming_list && !IsGoodList(request))) continue;
      const TimePoint limit = GivenUpAtTheLatest(view, client, request, options);
      if (GivenUp(view, client, i) <= limit) continue;
      const HistoryEntry* since = request.server ? request.server->slow_since : nullptr;
      out.push_back(
          {Violation::Kind::kLiveness,
           "C16",
           fmt::format("a watch over which nothing comes is given up when its time is over, but {} "
                       "still waited for its request {} at {}",
                       client.name, request.entry->Get("n"), FormatSeconds(limit - view.start())),
           {request.entry, since},
           ""});
    }
  }
  return out;
}

}  // namespace relist
