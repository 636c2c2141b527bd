// C3: per key and handler, versions never go back.
#include <fmt/core.h>

#include <unordered_map>

#include "core/wire/resource_version.h"
#include "scenarios/checkers/checkers.h"

namespace relist {
namespace {

// A list that asked for "any version" and was given one older than `shown` is the server's right
// (W15), where replicas lag. True if the client made one between the two callbacks, or at any time
// where nobody knows when.
bool WasServedOldData(const ClientView& client, const ClientCallback& before,
                      const ClientCallback& after) {
  for (const ClientRequest& request : client.requests) {
    const bool between = request.index >= before.index && request.index <= after.index;
    if (!between && !client.joined) continue;
    if (request.rv != "0" || !request.answer) continue;
    const std::optional<uint64_t> rv = ParseResourceVersion(request.answer->Get("rv"));
    if (rv && *rv < before.rv) return true;
  }
  return false;
}

}  // namespace

std::vector<Violation> CheckKeyOrder(const HistoryView& view, const CheckOptions&) {
  std::vector<Violation> out;
  for (const ClientView& client : view.clients()) {
    for (const auto& [handler, callbacks] : client.callbacks) {
      std::unordered_map<std::string_view, const ClientCallback*> last;
      for (const ClientCallback& callback : callbacks) {
        const ClientCallback*& before = last[callback.key];
        if (before && callback.rv < before->rv) {
          out.push_back(
              {Violation::Kind::kSafety,
               "C3",
               fmt::format(
                   "the versions of a key never go back, but \"{}\" was shown {} at {} after {}",
                   handler, callback.key, callback.rv, before->rv),
               {before->entry, callback.entry},
               WasServedOldData(client, *before, callback) ? "stale-served" : ""});
        }
        if (!before || callback.rv >= before->rv) before = &callback;
      }
    }
  }
  return out;
}

}  // namespace relist
