// What tests ask of a scenario's text.
//
//   EXPECT_THAT(MistakesIn("name: x\nstepz: []\n"), HasSubstr("s.yaml:2:1: unknown key"));
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "scenarios/runner.h"
#include "scenarios/script/scenario.h"

namespace relist {

// What is wrong with it; "" if nothing is. The file is called s.yaml.
inline std::string MistakesIn(const std::string& text) {
  const Result<Scenario> scenario = ParseScenario(text, "s.yaml");
  return scenario.ok() ? "" : scenario.error().message();
}

// A run of it in the simulation; a text that is no scenario is a failure of the test.
inline RunResult RunText(const std::string& text) {
  const Result<Scenario> scenario = ParseScenario(text, "s.yaml");
  if (scenario.ok()) return RunScenario(*scenario);
  ADD_FAILURE() << scenario.error().message();
  return {};
}

}  // namespace relist
