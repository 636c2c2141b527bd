// C4: per client, the versions in watch requests never go back, except after a list.
#include <fmt/core.h>

#include "core/wire/resource_version.h"
#include "scenarios/checkers/checkers.h"

namespace relist {

std::vector<Violation> CheckPositionOrder(const HistoryView& view, const CheckOptions&) {
  std::vector<Violation> out;
  for (const ClientView& client : view.clients()) {
    const ClientRequest* before = nullptr;
    for (const ClientRequest& request : client.requests) {
      if (!request.watch || request.streaming_list) {
        before = nullptr;  // a list's version becomes the position, whatever it is
        continue;
      }
      const std::optional<int> order =
          before ? CompareResourceVersions(before->rv, request.rv) : std::nullopt;
      if (order && *order > 0) {
        out.push_back(
            {Violation::Kind::kSafety,
             "C4",
             fmt::format(
                 "a watch never starts before the one that it follows, but {} went from {} to {}",
                 client.name, before->rv, request.rv),
             {before->entry, request.entry},
             ""});
      }
      before = &request;
    }
  }
  return out;
}

}  // namespace relist
