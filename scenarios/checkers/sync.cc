// C11: "synced" means synced.
#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "scenarios/checkers/checkers.h"

namespace relist {
namespace {

Violation Early(const ClientView& client, const HistoryEntry* line, std::string sentence,
                const HistoryEntry* other) {
  return {Violation::Kind::kSafety,
          "C11",
          fmt::format("\"synced\" comes after the whole initial list, but {} {}", client.name,
                      sentence),
          {other, line},
          ""};
}

size_t IndexOf(const ClientView& client, const HistoryEntry* line) {
  return std::find(client.lines.begin(), client.lines.end(), line) - client.lines.begin();
}

// Of a log nobody knows which of the lists came before it said "synced": the object lacks in one.
bool MayHaveGone(const HistoryView& view, const ClientView& client, const TruthCommit& commit) {
  const uint64_t last = client.lists.back().reached;
  for (const auto& event : view.EventsOf(client)) {
    const bool gone = event.type == EventType::kDeleted && event.commit->key == commit.key;
    if (gone && event.commit->rv > commit.rv && event.commit->rv <= last) return true;
  }
  return false;
}

// A log says nothing of "synced", though the list was there and time has passed.
void CheckSaid(const HistoryView& view, const ClientView& client, Duration within,
               std::vector<Violation>* out) {
  if (!client.synced.empty() || client.lists.empty()) return;
  const HistoryEntry* list = client.lists.front().relist;
  for (auto line = client.lines.rbegin(); line != client.lines.rend(); ++line) {
    const std::string& what = (*line)->what();
    if (what != "callback" && what != "dump" && what != "error") continue;
    if ((*line)->when() - list->when() < view.InRealTime(within)) return;
    out->push_back({Violation::Kind::kLiveness,
                    "C11",
                    fmt::format("a client says that it has synced soon after its first list, an "
                                "empty one included, but {} never did",
                                client.name),
                    {list, *line},
                    ""});
    return;
  }
}

// Every object of the first list was shown to the handler, at that version or a later one.
void CheckShownBefore(const HistoryView& view, const ClientView& client, const HistoryEntry* line,
                      std::vector<Violation>* out) {
  const auto callbacks = client.callbacks.find(line->Get("handler"));
  const size_t at = IndexOf(client, line);
  std::set<std::string_view> shown;
  if (callbacks != client.callbacks.end()) {
    for (const ClientCallback& callback : callbacks->second) {
      if (callback.index < at) shown.insert(callback.key);
    }
  }
  const ClientList& first = client.lists.front();
  for (const auto& [key, commit] : view.StateAt(client, first.rv)) {
    if (shown.contains(key) || (client.joined && MayHaveGone(view, client, *commit))) continue;
    out->push_back(
        Early(client, line,
              fmt::format("said so to \"{}\" before it was shown {}", line->Get("handler"), key),
              commit->entry));
  }
}

}  // namespace

std::vector<Violation> CheckSync(const HistoryView& view, const CheckOptions& options) {
  std::vector<Violation> out;
  for (const ClientView& client : view.clients()) {
    if (client.requests.empty()) continue;
    if (client.joined) {
      CheckSaid(view, client, options.told_within, &out);
    } else if (client.synced.empty() && view.EndedWith(client)) {
      out.push_back(
          {Violation::Kind::kLiveness,
           "C11",
           fmt::format(
               "after the calm a client has synced, an empty list included, but {} never did",
               client.name),
           {client.requests.front().entry},
           ""});
    }
    // Without the reflector's lines (a foreign client) only the end can be judged.
    if (!client.joined &&
        std::none_of(client.lines.begin(), client.lines.end(),
                     [](const HistoryEntry* line) { return line->what() == "position"; })) {
      continue;
    }
    if (client.unlisted_start) continue;
    for (const HistoryEntry* line : client.synced) {
      const bool none = client.lists.empty();
      if (none || (!client.joined && client.lists.front().index > IndexOf(client, line))) {
        out.push_back(Early(client, line, "said so before any list was complete",
                            client.requests.front().entry));
      } else if (!line->Get("handler").empty() && view.has_server()) {
        CheckShownBefore(view, client, line, &out);
      }
    }
  }
  return out;
}

}  // namespace relist
