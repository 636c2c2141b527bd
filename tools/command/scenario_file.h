// A scenario out of a file that a person named, who may have named another kind of file.
//
//   const Result<Scenario> scenario = ReadScenarioFile(path);
//
// The Error has a line for each mistake, with its place in the file.
#pragma once

#include <string>
#include <vector>

#include "core/result.h"
#include "scenarios/script/scenario.h"

namespace relist::command {

// `client_options`: what each of its clients is like instead (scenarios/script/client_options.h).
Result<Scenario> ReadScenarioFile(const std::string& path,
                                  const std::vector<std::string>& client_options = {});
// `text` was read from `path`.
Result<Scenario> ParseScenarioFile(const std::string& text, const std::string& path,
                                   const std::vector<std::string>& client_options = {});

}  // namespace relist::command
