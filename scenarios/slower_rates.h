// A run over HTTP whose clock was too fast for the machine: what was due at a time came so late
// that another thing had happened before it. Such a run is neither good nor bad; it is done again,
// slower.
//
//   RunResult result = RunAtSlowerRates(scenario, kLateMax, run);   // at 60, then at 15
//   result.report;   // "the machine was too busy for a clock 60 times as fast ...", then the
//   last's
#pragma once

#include <functional>

#include "scenarios/runner.h"

namespace relist {

// The first result that is good, or was late by `late_max` at the most, or else that of the slower
// rate: a fourth of the scenario's, never below 1.
RunResult RunAtSlowerRates(const Scenario& scenario, Duration late_max,
                           const std::function<RunResult(const Scenario&)>& run);

}  // namespace relist
