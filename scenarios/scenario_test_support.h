// What tests ask of a scenario's text.
//
//   EXPECT_THAT(MistakesIn("name: x\nstepz: []\n"), HasSubstr("s.yaml:2:1: unknown key"));
#pragma once

#include <string>

#include "scenarios/scenario.h"

namespace relist {

// What is wrong with it; "" if nothing is. The file is called s.yaml.
inline std::string MistakesIn(const std::string& text) {
  const Result<Scenario> scenario = ParseScenario(text, "s.yaml");
  return scenario.ok() ? "" : scenario.error().message();
}

}  // namespace relist
