// Whole objects, as kubectl takes them, for a scenario's world: from a file beside it, or in it.
//
//   std::string why;
//   std::optional<ObjectSpec> object = ObjectOfManifest(json, &why);    // "kind "Widget" of v1
//   ..." ReadObjectFile("cases/pods.yaml", mark, &problems, &scenario.objects);
//
// A file holds YAML documents, JSON, a v1 List, or any *List. What is wrong in it is told with its
// own name and line. For scenarios' own sources: it includes yaml-cpp.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/script/step_spec.h"
#include "scenarios/script/yaml_reader.h"

namespace relist {

// Without a namespace it is in "default", as with kubectl. Nothing where it is none, and why.
std::optional<ObjectSpec> ObjectOfManifest(nlohmann::ordered_json value, std::string* why);

// Adds the objects of the file at `path`, in its order. `mark`: where the scenario names it.
void ReadObjectFile(const std::string& path, const YAML::Mark& mark, YamlProblems* problems,
                    std::vector<ObjectSpec>* into);

}  // namespace relist
