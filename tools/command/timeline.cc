#include "tools/command/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace relist::command {
namespace {

// Fields whose meaning a reader knows without their name, in the order in which they are read.
constexpr std::array<std::string_view, 9> kPlain = {"name",   "action", "handler", "method", "verb",
                                                    "target", "point",  "type",    "status"};
constexpr std::array<std::string_view, 3> kUnread = {"id", "conn", "uid"};

bool Holds(const auto& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::string TimelineLine(const History& history, const HistoryEntry& entry) {
  std::string plain, named;
  for (const auto& [key, value] : entry.fields()) {
    if (value.empty() || Holds(kUnread, key)) continue;
    if (Holds(kPlain, key)) {
      plain += value + " ";
    } else {
      named += fmt::format("{}={} ", key, value);
    }
  }
  std::string line =
      fmt::format("{:>10}  {:<9} {:<9} {}{}", FormatSeconds(entry.when() - history.start()),
                  entry.actor(), entry.what(), plain, named);
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

std::string Timeline(const History& history) {
  std::string text;
  for (const HistoryEntry& entry : history.entries()) text += TimelineLine(history, entry) + "\n";
  return text;
}

}  // namespace relist::command
