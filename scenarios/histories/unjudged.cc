#include "scenarios/histories/unjudged.h"

#include <fmt/core.h>

#include <algorithm>

#include "scenarios/checkers/recovery.h"

namespace relist {
namespace {

// Whether any line of a client is `what`, with the field, if one is named.
bool Tells(const HistoryView& view, std::string_view what, std::string_view field = "") {
  for (const ClientView& client : view.clients()) {
    for (const HistoryEntry* line : client.lines) {
      if (line->what() == what && (field.empty() || !line->Get(field).empty())) return true;
    }
  }
  return false;
}

bool AnyJoined(const HistoryView& view) {
  return std::any_of(view.clients().begin(), view.clients().end(),
                     [](const ClientView& client) { return client.joined; });
}

// A history that was cut at the end of a line looks whole; a log of the same run may know better.
void AddEnd(const HistoryView& view, std::vector<std::string>* lines) {
  uint64_t told = 0;
  for (const ClientView& client : view.clients()) {
    if (!client.joined) continue;
    for (const auto& [handler, callbacks] : client.callbacks) {
      for (const ClientCallback& callback : callbacks) told = std::max(told, callback.rv);
    }
  }
  const uint64_t last = view.commits().empty() ? 0 : view.commits().back().rv;
  if (last == 0 || told <= last) return;
  lines->push_back(
      fmt::format("what came after version {}: the server's history ends there, and a log tells of "
                  "version {}; was it cut off, or is it another server's?",
                  last, told));
}

// A store that is not asked for anything yet.
void AddStores(const HistoryView& view, const CheckOptions& options,
               std::vector<std::string>* lines) {
  for (const ClientView& client : view.clients()) {
    const HistoryEntry* store = client.joined ? LastStoreOf(client) : nullptr;
    const std::string why = store ? WhyNothingIsDue(view, *store, options) : "";
    if (!why.empty()) lines->push_back(fmt::format("C1 of {}'s store: {}", client.name, why));
  }
}

std::string Counted(size_t count, const std::string& noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace

std::vector<std::string> Unjudged(const HistoryView& view, bool compared,
                                  const CheckOptions& options) {
  std::vector<std::string> lines;
  if (!view.has_server()) {
    lines.emplace_back(
        "C1, C2, C4, C7, C8, C9, C11, C12, C15-C18, C20, W1-W20: there is no server's history");
  } else if (view.commits().empty()) {
    lines.emplace_back("C1, C2, C7: the server's history tells of no write");
  }
  if (view.clients().empty()) {
    lines.emplace_back("C1-C20: there is no client's log");
    return lines;
  }
  if (!Tells(view, "dump")) lines.emplace_back("C1 of stores: no log has a `store`");
  if (view.has_server()) {
    AddEnd(view, &lines);
    AddStores(view, options, &lines);
  }
  if (AnyJoined(view) && view.has_server() && !Tells(view, "callback", "sha256"))
    lines.emplace_back("C2 of bodies: no log has a `sha256`");
  if (!compared) lines.emplace_back("C13, C14: they compare two runs (--same-as)");
  if (!Tells(view, "stop") && !Tells(view, "stopped"))
    lines.emplace_back("C19: no log has a `stop` or a `stopped`");
  if (view.has_server() && !Tells(view, "waited")) lines.emplace_back("C20: no log has a `waited`");
  return lines;
}

std::string CountsOf(const HistoryView& view) {
  size_t callbacks = 0;
  for (const ClientView& client : view.clients()) {
    for (const auto& [handler, all] : client.callbacks) callbacks += all.size();
  }
  return fmt::format("{}, {}, {} of {}", Counted(view.commits().size(), "write"),
                     Counted(view.server_request_order().size(), "request"),
                     Counted(callbacks, "callback"), Counted(view.clients().size(), "client"));
}

bool WasCut(const History& server) {
  return std::any_of(server.entries().begin(), server.entries().end(),
                     [](const HistoryEntry& entry) {
                       return entry.what() == "fault" && entry.Get("verdict").starts_with("cut");
                     });
}

}  // namespace relist
