// Reads the steps of a scenario: when, and what.
//
//   YamlMap map(item, "a step", &problems);
//   scenario.steps.push_back(ReadStep(map, &problems));
//   map.Finish();
//
// For scenario.cc only: it includes yaml-cpp. What cannot be read leaves its default, and a problem
// with its place.
#pragma once

#include "scenarios/script/scenario.h"
#include "scenarios/script/yaml_reader.h"

namespace relist {

StepSpec ReadStep(YamlMap& map, YamlProblems* problems);

}  // namespace relist
