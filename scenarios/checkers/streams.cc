// C7: between two lists, callbacks are the events.
#include <fmt/core.h>

#include <algorithm>
#include <unordered_map>

#include "scenarios/checkers/checkers.h"

namespace relist {
namespace {

using Type = ClientCallback::Type;

// Callbacks of events carry a version that no other callback of the handler has: relists repeat
// versions (told apart by an unchanged version) and tombstones carry old ones.
using ByVersion = std::unordered_map<uint64_t, const ClientCallback*>;

bool FromEvent(const ClientCallback& callback) {
  return !callback.same_version && !callback.tombstone;
}

// `up_to`: what comes later was dropped when the client was stopped.
void CheckOneStream(const ClientList& list, const std::vector<HistoryView::ScopedEvent>& events,
                    const std::string& handler, const ByVersion& shown, uint64_t up_to,
                    std::vector<Violation>* out) {
  const ClientCallback* before = nullptr;
  for (const HistoryView::ScopedEvent& event : events) {
    const TruthCommit& commit = *event.commit;
    if (commit.rv <= list.rv || commit.rv > std::min(list.reached, up_to)) continue;
    const auto found = shown.find(commit.rv);
    const bool is_delete = event.type == EventType::kDeleted;
    if (found == shown.end() || found->second->key != commit.key ||
        (found->second->type == Type::kDeleted) != is_delete) {
      out->push_back({Violation::Kind::kSafety,
                      "C7",
                      fmt::format("between two lists every event is told, but the position went to "
                                  "{} and \"{}\" was never "
                                  "told of {} {} at {}",
                                  list.reached, handler, Name(event.type), commit.key, commit.rv),
                      {commit.entry, list.relist},
                      ""});
      continue;
    }
    if (before && before->index > found->second->index) {
      out->push_back({Violation::Kind::kSafety,
                      "C7",
                      fmt::format("between two lists events are told in their order, but \"{}\" "
                                  "was told of {} before {}",
                                  handler, found->second->rv, before->rv),
                      {found->second->entry, before->entry},
                      ""});
    }
    before = found->second;
  }
}

}  // namespace

std::vector<Violation> CheckStreams(const HistoryView& view, const CheckOptions&) {
  std::vector<Violation> out;
  for (const ClientView& client : view.clients()) {
    if (client.lists.empty() || view.commits().empty()) continue;
    const auto& events = view.EventsOf(client);
    for (const auto& [handler, callbacks] : client.callbacks) {
      ByVersion shown;
      uint64_t last = 0;
      for (const ClientCallback& callback : callbacks) {
        if (!FromEvent(callback)) continue;
        last = std::max(last, callback.rv);
        const auto [earlier, fresh] = shown.emplace(callback.rv, &callback);
        if (fresh) continue;
        out.push_back({Violation::Kind::kSafety,
                       "C7",
                       fmt::format("an event is told once, but \"{}\" was told of version {} twice",
                                   handler, callback.rv),
                       {earlier->second->entry, callback.entry},
                       ""});
      }
      for (const ClientList& list : client.lists) {
        if (list.rv > 0)
          CheckOneStream(list, events, handler, shown, client.stopped ? last : UINT64_MAX, &out);
      }
    }
  }
  return out;
}

}  // namespace relist
