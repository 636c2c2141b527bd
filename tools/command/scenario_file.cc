#include "tools/command/scenario_file.h"

#include <fmt/format.h>

#include "scenarios/lives/tape.h"
#include "scenarios/script/client_options.h"
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

Result<Scenario> ReadScenarioFile(const std::string& path,
                                  const std::vector<std::string>& client_options) {
  const Result<std::string> text = ReadTextFile(path);
  if (!text.ok()) return text.error();
  return ParseScenarioFile(*text, path, client_options);
}

Result<Scenario> ParseScenarioFile(const std::string& text, const std::string& path,
                                   const std::vector<std::string>& client_options) {
  if (LooksLikeHistory(text)) {
    return OtherFile(path, "this is a history, what came of a run, not a scenario or a tape");
  }
  if (Tape::LooksLikeOne(text)) {
    return OtherFile(path, "this is a tape, not a scenario: `relist replay` runs it");
  }
  if (client_options.empty()) return ParseScenario(text, path);
  const Result<std::string> changed = WithClientOptions(text, path, client_options);
  if (!changed.ok()) return changed.error();
  return ParseScenario(*changed, path);
}

}  // namespace relist::command
