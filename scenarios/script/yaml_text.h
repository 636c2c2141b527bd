// A file's text as one YAML document, or why it is none: what yaml-cpp would take without a word,
// or tell badly, is found here first.
//
//   Result<YAML::Node> root = ReadYamlText(text, "file.yaml");
//   if (!root.ok()) Print(root.error().message());   // "file.yaml:3:1: a second document ..."
//
// Refused are: text that is not UTF-8, control characters, tabs that indent, a second document, an
// empty file, and what is too large (kYamlBytesMax, kYamlNodesMax) or nests too deeply
// (kYamlDepthMax; yaml-cpp's nodes are read by functions that recurse). This header is for
// scenarios' own sources: it includes yaml-cpp.
#pragma once

#include <yaml-cpp/yaml.h>

#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"

namespace relist {

inline constexpr size_t kYamlBytesMax = 1 << 20;
inline constexpr int kYamlNodesMax = 100000;
inline constexpr size_t kYamlDepthMax = 64;

Result<YAML::Node> ReadYamlText(const std::string& text, const std::string& file);

// "U+0007", for the first character that XML 1.0, and so a report, cannot hold, or that is no
// character at all; nothing if there is none. Tabs and line ends are fine.
std::optional<std::string> UnprintableIn(std::string_view text);

}  // namespace relist
