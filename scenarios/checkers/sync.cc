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
  for (const auto& [key, commit] : HistoryView::StateAt(view.EventsOf(client), first.rv)) {
    if (shown.contains(key)) continue;
    out->push_back(
        Early(client, line,
              fmt::format("said so to \"{}\" before it was shown {}", line->Get("handler"), key),
              commit->entry));
  }
}

}  // namespace

std::vector<Violation> CheckSync(const HistoryView& view, const CheckOptions&) {
  std::vector<Violation> out;
  for (const ClientView& client : view.clients()) {
    if (client.requests.empty()) continue;
    if (client.synced.empty() && view.EndedWith(client)) {
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
    if (std::none_of(client.lines.begin(), client.lines.end(),
                     [](const HistoryEntry* line) { return line->what() == "position"; })) {
      continue;
    }
    for (const HistoryEntry* line : client.synced) {
      if (client.lists.empty() || client.lists.front().index > IndexOf(client, line)) {
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
