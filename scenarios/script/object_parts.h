// Reads the objects of a scenario, and what its steps write.
//
//   YamlMap map(item, "an object", &problems);
//   ReadObjects(map, scenario.file, &problems, &scenario.objects);
//   map.Finish();
//
// For scenario.cc and its parts only: it includes yaml-cpp. What cannot be read leaves its default,
// and a problem with its place.
#pragma once

#include <string>
#include <vector>

#include "scenarios/script/step_spec.h"
#include "scenarios/script/yaml_reader.h"

namespace relist {

// One item of "objects", which may stand for many: in short, a manifest, "file", or "many".
// `scenario_file` is what files are beside.
void ReadObjects(YamlMap& map, const std::string& scenario_file, YamlProblems* problems,
                 std::vector<ObjectSpec>* into);
// What a step writes: in short, or a manifest under "manifest".
ObjectSpec ReadObject(YamlMap& map, YamlProblems* problems);
// Only which object: "resource" and "object".
ObjectSpec ReadObjectKey(YamlMap& map);
// Of all their bodies together; kManyBytesMax bounds it.
size_t BytesOf(const std::vector<ObjectSpec>& objects);
// A "status" as a body: {"status": ...}.
std::string ReadStatus(YamlMap& map, YamlProblems* problems);

}  // namespace relist
