// YAML bodies and files into JSON values, and JSON values out as YAML, as sigs.k8s.io/yaml does.
//
//   Result<nlohmann::ordered_json> value = ReadYaml("a: \"true\"\nb: true\n");   //
//   {"a":"true","b":true} WriteYaml(*value);   // keys sorted; strings that would read as another
//   type are quoted
//
// YAML 1.1 scalars ("yes" is true, 010 is 8), keys among them; merge keys are merged. Refused:
// anchors that multiply a document, and more than 500 levels, which go-yaml takes.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace relist::fakeapi {

// The first document; null where there is none. The Error's message starts, as go-yaml's, with
// "yaml: " (sigs.k8s.io/yaml's own do not). Of a repeated key the last counts, and `repeated` gets
// a line for it, `line 4: key "a" already set in map`; without `repeated` it is an error.
Result<nlohmann::ordered_json> ReadYaml(const std::string& text,
                                        std::vector<std::string>* repeated = nullptr);
// All documents of a stream, empty ones left out.
Result<std::vector<nlohmann::ordered_json>> ReadYamlStream(const std::string& text);

// Ends in a newline. Recurses: see deep_stack.h.
std::string WriteYaml(const nlohmann::ordered_json& value);

}  // namespace relist::fakeapi
