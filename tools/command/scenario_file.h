// A scenario out of a file that a person named, who may have named another kind of file.
//
//   const Result<Scenario> scenario = ReadScenarioFile(path);
//
// The Error has a line for each mistake, with its place in the file.
#pragma once

#include <string>

#include "core/result.h"
#include "scenarios/scenario.h"

namespace relist::command {

Result<Scenario> ReadScenarioFile(const std::string& path);
// `text` was read from `path`.
Result<Scenario> ParseScenarioFile(const std::string& text, const std::string& path);

}  // namespace relist::command
