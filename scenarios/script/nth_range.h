// Which of several that are alike: "nth: 2", "nth: 2-4", "nth: every".
//
//   ReadNth(map, "nth", &place.first, &place.last);
//
// For what reads scenarios only: it includes yaml-cpp.
#pragma once

#include <string>

#include "scenarios/script/yaml_reader.h"

namespace relist {

// Leaves both as they are where the key is absent; "every" is from 1 to kEvery. A problem where it
// is none of these.
void ReadNth(YamlMap& map, const std::string& key, int* first, int* last);

}  // namespace relist
