// What a scenario says that can never come true: found before it runs, told with the line where it
// stands.
#pragma once

#include "scenarios/script/scenario.h"

namespace relist {

class YamlProblems;

// Adds a problem for each step, fault and expectation that cannot happen, and fills in `length`
// where it was left out.
void JudgeScenario(Scenario* scenario, YamlProblems* problems);

// Whether a server can do it all for whoever comes. The Error has a line for each step that needs a
// client of ours: others tell a server nothing, and obey nobody.
Result<void> CanBeServed(const Scenario& scenario);

}  // namespace relist
