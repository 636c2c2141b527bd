#include "scenarios/checkers/same_callbacks.h"

#include <fmt/core.h>

#include <algorithm>

namespace relist {
namespace {

std::string TextOf(const HistoryEntry& callback) {
  std::string text =
      fmt::format("{} {} at {}", callback.Get("type"), callback.Get("key"), callback.Get("rv"));
  if (!callback.Get("old_rv").empty()) text += fmt::format(" (was {})", callback.Get("old_rv"));
  if (callback.Get("tombstone") == "true") text += " (tombstone)";
  return text;
}

// Updates that change no version say only that there was a list.
std::vector<const HistoryEntry*> ChangesIn(const std::vector<ClientCallback>& callbacks) {
  std::vector<const HistoryEntry*> changes;
  for (const ClientCallback& callback : callbacks) {
    if (!callback.same_version) changes.push_back(callback.entry);
  }
  return changes;
}

std::vector<const HistoryEntry*> ChangesToldTo(const HistoryView& view, const std::string& client,
                                               const std::string& handler) {
  for (const ClientView& one : view.clients()) {
    if (one.name != client) continue;
    const auto found = one.callbacks.find(handler);
    if (found != one.callbacks.end()) return ChangesIn(found->second);
  }
  return {};
}

std::string Promise(const std::string& property) {
  return property == "C13" ? "the same bytes in other pieces are told as the same callbacks"
                           : "a stream that is cut and resumed is told as one that is not";
}

}  // namespace

std::vector<Violation> CheckSameCallbacks(const HistoryView& whole, const HistoryView& broken,
                                          const char* property) {
  std::vector<Violation> out;
  for (const ClientView& client : whole.clients()) {
    for (const auto& [handler, callbacks] : client.callbacks) {
      const std::vector<const HistoryEntry*> expected = ChangesIn(callbacks);
      const std::vector<const HistoryEntry*> told = ChangesToldTo(broken, client.name, handler);
      for (size_t i = 0; i < std::max(expected.size(), told.size()); ++i) {
        const HistoryEntry* wanted = i < expected.size() ? expected[i] : nullptr;
        const HistoryEntry* got = i < told.size() ? told[i] : nullptr;
        const std::string should = wanted ? TextOf(*wanted) : "nothing more";
        const std::string does = got ? TextOf(*got) : "nothing more";
        if (should == does) continue;
        out.push_back({Violation::Kind::kSafety,
                       property,
                       fmt::format("{}, but as number {} {}'s \"{}\" was told of {}, and not of {}",
                                   Promise(property), i + 1, client.name, handler, does, should),
                       {wanted, got},
                       ""});
        break;
      }
    }
  }
  return out;
}

}  // namespace relist
