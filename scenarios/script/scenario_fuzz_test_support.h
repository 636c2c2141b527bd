// What must hold of any bytes that are read as a scenario: for the fuzzer and for its corpus.
//
//   TryScenario(bytes);   // a failed CHECK where it does not
//
// It includes yaml-cpp.
#pragma once

#include <sstream>
#include <string>

#include "core/check.h"
#include "scenarios/script/scenario.h"
#include "scenarios/script/yaml_text.h"
#include "scenarios/script/yaml_tree.h"

namespace relist {

inline constexpr char kInputFile[] = "/nowhere/s.yaml";  // no file lies beside it

inline void CheckIsTold(const Error& error) {
  CHECK(!error.message().empty(), "a scenario was refused without a word");
  std::istringstream lines(error.message());
  for (std::string line; std::getline(lines, line);) {
    const bool has_place = line.starts_with("/nowhere/");
    CHECK(has_place, "a mistake without its place: {}", line);
  }
}

// Each mistake is told with its place. What can be read can be written, and read again as the same.
inline void TryScenario(const std::string& bytes) {
  const Result<Scenario> scenario = ParseScenario(bytes, kInputFile);
  if (!scenario.ok()) return CheckIsTold(scenario.error());
  const Result<YAML::Node> root = ReadYamlText(bytes, kInputFile);
  CHECK(root.ok(), "a scenario that is no YAML");
  const std::string text = YamlTree::Of(*root).Write();
  const Result<Scenario> again = ParseScenario(text, kInputFile);
  CHECK(again.ok(), "what was read cannot be read again: {}\n{}", again.error().message(), text);
  CHECK(again->name == scenario->name && again->clients.size() == scenario->clients.size() &&
            again->steps.size() == scenario->steps.size() &&
            again->faults.size() == scenario->faults.size() &&
            again->objects.size() == scenario->objects.size() && again->length == scenario->length,
        "what was read again is another scenario:\n{}", text);
  for (size_t i = 0; i < again->objects.size(); ++i) {
    const std::string& body = again->objects[i].body_json;
    CHECK(body == scenario->objects[i].body_json, "another body: {}", body);
  }
}

}  // namespace relist
