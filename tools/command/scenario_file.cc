#include "tools/command/scenario_file.h"

#include <fmt/format.h>

#include "scenarios/tape.h"
#include "tools/command/text_file.h"

namespace relist::command {
namespace {

// As History::ToText begins: a saved history, or the golden trace of a scenario.
bool LooksLikeHistory(const std::string& text) {
  return text.starts_with("{\"t\":\"");
}

Error OtherFile(const std::string& path, const std::string& what) {
  return Error::Net(Transport::kOther, fmt::format("{}: {}", path, what));
}

}  // namespace

Result<Scenario> ReadScenarioFile(const std::string& path) {
  const Result<std::string> text = ReadTextFile(path);
  if (!text.ok()) return text.error();
  return ParseScenarioFile(*text, path);
}

Result<Scenario> ParseScenarioFile(const std::string& text, const std::string& path) {
  if (LooksLikeHistory(text)) {
    return OtherFile(path, "this is a history, what came of a run, not a scenario or a tape");
  }
  if (Tape::LooksLikeOne(text)) {
    return OtherFile(path, "this is a tape, not a scenario: `relist replay` runs it");
  }
  return ParseScenario(text, path);
}

}  // namespace relist::command
