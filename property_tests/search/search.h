// A sequence of commands, done to the server and to the model: what differs is a finding.
//
//   const Outcome outcome = RunCommands(commands);
//   if (!outcome.difference.empty()) fmt::print("{}\n", outcome.difference);
//
// What the model does not know (bodies, bookmarks, forms) is judged by W1 to W20, on the history of
// the same run. Pure function.
#pragma once

#include <string>
#include <vector>

#include "fakeapi/store/server_bug.h"
#include "property_tests/search/commands.h"
#include "property_tests/search/plain_model.h"

namespace relist::search {

struct Outcome {
  // "" where there is none; else which command, what was expected, what was seen.
  std::string difference;
  Counts counts;
};

Outcome RunCommands(const std::vector<Command>& commands,
                    fakeapi::ServerBug bug = fakeapi::ServerBug::kNone);

}  // namespace relist::search
