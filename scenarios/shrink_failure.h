// What a run broke, in words that other scripts' runs can be compared with: how a shrinker tells
// whether a smaller script fails as the first one did.
//
//   const Failure failure = FailureOf(scenario, RunScenario(scenario));
//   if (FailureOf(smaller, RunScenario(smaller)).Includes(failure)) ...
#pragma once

#include <string>
#include <vector>

#include "scenarios/runner.h"

namespace relist {

struct Failure {
  std::vector<std::string> properties;  // each once, as the report tells them: "C1", "C16"
  std::string mismatch;  // the first: "client's store: expected a, seen b"; "": all is as expected

  bool empty() const { return properties.empty() && mismatch.empty(); }
  // All of the other's properties are broken, and its expectation in its way. More may be: who
  // looks for one bug need not keep the others away.
  bool Includes(const Failure& other) const;
  std::string Text() const;  // "C1, C16 and C17"
};

// Neither what is excused nor the verdicts that the scenario expects. Empty: nothing is broken.
Failure FailureOf(const Scenario& scenario, const RunResult& run);

}  // namespace relist
