// Reads a client of a scenario.
//
//   YamlMap map(item, "a client", &problems);
//   scenario.clients.push_back(ReadClient(map, &problems));
//   map.Finish();
//
// For scenario.cc only: it includes yaml-cpp. What cannot be read leaves its default, and a problem
// with its place.
#pragma once

#include <string>

#include "scenarios/script/client_spec.h"
#include "scenarios/script/yaml_reader.h"

namespace relist {

ClientSpec ReadClient(YamlMap& map, YamlProblems* problems);
// A problem, at `key`, where nobody can be called that.
void CheckClientName(YamlMap& map, const std::string& key, const std::string& name);

}  // namespace relist
