#include "scenarios/checkers/dumped_store.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>

#include "core/wire/resource_version.h"

namespace relist {
namespace {

using EventsOfKey = std::vector<const ScopedEvent*>;

// What is wrong with an item; nothing if it is as new as it had to be.
std::optional<StaleItem> StaleItemOf(const HistoryEntry& line, const EventsOfKey& events,
                                     uint64_t due) {
  const std::optional<uint64_t> rv = ParseResourceVersion(line.Get("rv"));
  const ScopedEvent *held = nullptr, *next = nullptr;
  for (const ScopedEvent* event : events) {
    if (event->commit->rv == rv && event->type != EventType::kDeleted) {
      held = event;
    } else if (held && !next) {
      next = event;
    }
  }
  const std::string item = fmt::format("holds {} at {}", line.Get("key"), line.Get("rv"));
  if (!held) return StaleItem{item + ", which never was", {&line}, true};
  if (!next || next->commit->rv > due) return std::nullopt;
  return StaleItem{
      fmt::format("{}, after which came {} at {}", item, Name(next->type), next->commit->rv),
      {next->commit->entry, &line},
      false};
}

}  // namespace

std::vector<StaleItem> StaleItemsOf(const HistoryView& view, const ClientView& client,
                                    const HistoryEntry* dump, uint64_t due) {
  std::map<std::string_view, EventsOfKey> by_key;
  for (const ScopedEvent& event : view.EventsOf(client))
    by_key[event.commit->key].push_back(&event);
  HistoryView::State lacking = view.StateAt(client, due);
  const std::vector<uint64_t>& resets = view.truth().resets();
  std::vector<StaleItem> all;
  auto line = std::find(client.lines.begin(), client.lines.end(), dump);
  for (; line != client.lines.end(); ++line) {
    if (*line != dump && (*line)->what() == "dump") break;
    if ((*line)->what() != "store") continue;
    lacking.erase((*line)->Get("key"));
    std::optional<StaleItem> stale = StaleItemOf(**line, by_key[(*line)->Get("key")], due);
    if (stale) all.push_back(std::move(*stale));
  }
  for (const auto& [key, commit] : lacking) {
    if (!resets.empty() && resets.back() > commit->rv) continue;  // it went with all others
    const EventsOfKey& its = by_key[key];
    const bool may_have_gone =
        std::any_of(its.begin(), its.end(), [&missed = commit](const ScopedEvent* event) {
          return event->type == EventType::kDeleted && event->commit->rv > missed->rv;
        });
    if (!may_have_gone) all.push_back({fmt::format("lacks {}", key), {commit->entry, dump}, false});
  }
  return all;
}

}  // namespace relist
