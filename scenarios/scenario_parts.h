// The parts of a scenario that are lists of small maps: objects and steps.
//
//   YamlMap map(item, "a step", &problems);
//   scenario.steps.push_back(ReadStep(map, &problems));
//   map.Finish();
//
// For scenario.cc only: it includes yaml-cpp. What cannot be read leaves its default, and a problem
// with its place.
#pragma once

#include "scenarios/scenario.h"
#include "scenarios/yaml_reader.h"

namespace relist {

ObjectSpec ReadObject(YamlMap& map, YamlProblems* problems);
StepSpec ReadStep(YamlMap& map, YamlProblems* problems);

}  // namespace relist
