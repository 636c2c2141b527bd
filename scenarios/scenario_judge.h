// What a scenario says that can never come true: found before it runs, told with the line where it
// stands.
#pragma once

#include "scenarios/scenario.h"

namespace relist {

class YamlProblems;

// Adds a problem for each step, fault and expectation that cannot happen, and fills in `length`
// where it was left out.
void JudgeScenario(Scenario* scenario, YamlProblems* problems);

}  // namespace relist
