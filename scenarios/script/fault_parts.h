// Reads faults, and the places of requests that steps name, too.
//
//   YamlMap map(item, "a fault", &problems);
//   scenario.faults.push_back(ReadFault(map, &problems));
//   map.Finish();
//
// For scenario.cc and its parts only: it includes yaml-cpp. What cannot be read leaves its default,
// and a problem with its place.
#pragma once

#include "scenarios/script/fault_spec.h"
#include "scenarios/script/yaml_reader.h"

namespace relist {

FaultSpec ReadFault(YamlMap& map, YamlProblems* problems);
// `on_connection` is null where no connection can be meant; else "on: connection" sets it.
void ReadPlace(YamlMap& map, PlaceSpec* place, bool* on_connection);

}  // namespace relist
