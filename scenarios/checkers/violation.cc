#include "scenarios/checkers/violation.h"

#include <fmt/core.h>

namespace relist {
namespace {

constexpr size_t kLineMax = 400;  // of a history line that carries a whole object

}  // namespace

std::string Describe(const History& history, const Violation& violation, const std::string& again) {
  std::string text = fmt::format("{}: {}{}\n", violation.property, violation.sentence,
                                 violation.excuse.empty() ? "" : " (" + violation.excuse + ")");
  for (const HistoryEntry* line : violation.lines) {
    if (!line) continue;
    std::string shown = history.LineOf(*line);
    if (shown.size() > kLineMax) shown = shown.substr(0, kLineMax) + " ...";
    text += "  " + shown + "\n";
  }
  if (!again.empty()) text += "  again: " + again + "\n";
  return text;
}

std::string InWords(const std::vector<std::string>& names) {
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

}  // namespace relist
