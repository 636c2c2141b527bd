// C18: what a client does not know costs it nothing else.
#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "core/wire/resource_version.h"
#include "core/wire/watch_event.h"
#include "scenarios/checkers/checkers.h"

namespace relist {
namespace {

bool IsUnknown(const HistoryEntry& event) {
  return !ParseEventType(event.Get("type"));
}

bool IsChange(const HistoryEntry& event) {
  const std::string& type = event.Get("type");
  return type == "ADDED" || type == "MODIFIED" || type == "DELETED";
}

// What a handler was shown of each key: the newest version, and whether it was told to be gone.
class ShownKeys {
 public:
  explicit ShownKeys(const std::vector<ClientCallback>& callbacks) {
    for (const ClientCallback& callback : callbacks) {
      Shown& shown = keys_[callback.key];
      shown.newest = std::max(shown.newest, callback.rv);
      shown.gone = callback.type == ClientCallback::Type::kDeleted;
    }
  }
  // The event, or what came after it.
  bool Has(const HistoryEntry& event) const {
    const auto found = keys_.find(event.Get("key"));
    if (found == keys_.end()) return event.Get("type") == "DELETED";
    const uint64_t rv = ParseResourceVersion(event.Get("rv")).value_or(0);
    return found->second.newest >= rv || found->second.gone;
  }

 private:
  struct Shown {
    uint64_t newest = 0;
    bool gone = false;
  };
  std::unordered_map<std::string_view, Shown> keys_;
};

void CheckNeighbours(const HistoryView& view, const ClientView& client, const ServerRequest& stream,
                     size_t unknown, std::vector<Violation>* out) {
  std::vector<const HistoryEntry*> neighbours;
  for (size_t i = unknown; i-- > 0 && neighbours.empty();) {
    if (IsChange(*stream.events[i])) neighbours.push_back(stream.events[i]);
  }
  for (size_t i = unknown + 1; i < stream.events.size(); ++i) {
    if (!IsChange(*stream.events[i])) continue;
    neighbours.push_back(stream.events[i]);
    break;
  }
  const HistoryEntry* line = stream.events[unknown];
  for (const auto& [handler, callbacks] : client.callbacks) {
    const ShownKeys shown(callbacks);
    for (const HistoryEntry* event : neighbours) {
      const uint64_t rv = ParseResourceVersion(event->Get("rv")).value_or(0);
      if (rv > view.HeardUpTo(client) || shown.Has(*event)) continue;
      out->push_back(
          {Violation::Kind::kSafety,
           "C18",
           fmt::format("a line of an unknown type is left out or an error, and what is "
                       "beside it is told, but \"{}\" was never told of {} {} at {} beside "
                       "a line of type {}",
                       handler, event->Get("type"), event->Get("key"), event->Get("rv"),
                       line->Get("type")),
           {line, event},
           ""});
    }
    for (const ClientCallback& callback : callbacks) {
      const bool its = !line->Get("rv").empty() && line->Get("key") == callback.key &&
                       line->Get("rv") == callback.entry->Get("rv");
      if (!its || view.CommitAt(callback.rv)) continue;
      out->push_back(
          {Violation::Kind::kSafety,
           "C18",
           fmt::format("a line of an unknown type is no object, but \"{}\" was shown {} at "
                       "{} out of one of type {}",
                       handler, callback.key, callback.rv, line->Get("type")),
           {line, callback.entry},
           ""});
    }
  }
}

}  // namespace

std::vector<Violation> CheckUnknowns(const HistoryView& view, const CheckOptions&) {
  std::vector<Violation> out;
  for (const ClientView& client : view.clients()) {
    for (const ClientRequest& request : client.requests) {
      if (!request.watch || !request.server) continue;
      const std::vector<const HistoryEntry*>& events = request.server->events;
      for (size_t i = 0; i < events.size(); ++i) {
        if (IsUnknown(*events[i])) CheckNeighbours(view, client, *request.server, i, &out);
      }
    }
  }
  return out;
}

}  // namespace relist
