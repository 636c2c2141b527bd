// C5: what is gone was told to be gone.
#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "scenarios/checkers/checkers.h"
#include "scenarios/checkers/expiry_loop.h"

namespace relist {
namespace {

using Type = ClientCallback::Type;

bool RelistBetween(const ClientView& client, size_t before, size_t after) {
  // A relist is written down when it is queued, which may be a little before the callbacks of
  // earlier events: one that stands anywhere before the later callback may be the cause.
  return std::any_of(client.lists.begin(), client.lists.end(), [&](const ClientList& list) {
    return list.index < after && (list.index > before || &list != &client.lists.front());
  });
}

// A client that never came out of an expiry loop cannot know of a deletion.
std::string ExcuseOf(const ClientView& client) {
  const std::optional<ExpiryLoop> loop = FindExpiryLoop(client);
  return loop && loop->ongoing ? kFaithfulExpiryLoop : "";
}

}  // namespace

std::vector<Violation> CheckDeletes(const HistoryView& view, const CheckOptions&) {
  std::vector<Violation> out;
  for (const ClientView& client : view.clients()) {
    if (client.requests.empty()) continue;
    const auto& events = view.EventsOf(client);
    const HistoryView::State state = HistoryView::StateAt(events, UINT64_MAX);
    for (const auto& [handler, callbacks] : client.callbacks) {
      std::map<std::string_view, const ClientCallback*> live;
      for (const ClientCallback& callback : callbacks) {
        const auto found = live.find(callback.key);
        if (found != live.end() && callback.type == Type::kModified &&
            callback.uid != found->second->uid &&
            !RelistBetween(client, found->second->index, callback.index)) {
          out.push_back({Violation::Kind::kSafety,
                         "C5",
                         fmt::format("an object that went is told to be gone before the next of "
                                     "its name, but \"{}\" was "
                                     "shown {} with another uid as an update, without a relist",
                                     handler, callback.key),
                         {found->second->entry, callback.entry},
                         ""});
        }
        if (callback.type == Type::kDeleted)
          live.erase(callback.key);
        else
          live[callback.key] = &callback;
      }
      if (!view.EndedWith(client) || !view.has_server()) continue;
      for (const auto& [key, callback] : live) {
        if (state.contains(key)) continue;
        const auto gone =
            std::find_if(events.rbegin(), events.rend(),
                         [&key = key](const auto& event) { return event.commit->key == key; });
        out.push_back(
            {Violation::Kind::kSafety,
             "C5",
             fmt::format("whatever goes is told to be gone, but \"{}\" was never told that {} went",
                         handler, key),
             {callback->entry, gone == events.rend() ? nullptr : gone->commit->entry},
             ExcuseOf(client)});
      }
    }
  }
  return out;
}

}  // namespace relist
