// What a plain YAML 1.1 scalar stands for, as sigs.k8s.io/yaml resolves it, and how a string is
// written.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

namespace relist::fakeapi {

// `text` unquoted: "yes" is true, "0x10" is 16, "1e3" is 1000.0, "~" is null, "abc" is itself.
nlohmann::ordered_json ResolvePlainScalar(const std::string& text);

// `text` as a scalar on one line: plain where that reads back as the same string, else quoted.
std::string YamlString(std::string_view text);

// Whether `text` can be a literal block ("|"): several lines, and nothing in it that a block would
// lose.
bool FitsLiteralBlock(std::string_view text);

}  // namespace relist::fakeapi
