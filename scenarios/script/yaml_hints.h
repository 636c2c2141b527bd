// What is still open where a text stops being YAML: a bracket or a quote, which often stands many
// lines before the place where the parser gives up.
//
//   HintAt(text, {.flow = mark_of_the_bracket}, e.mark);
//   // "the \"[\" in line 2, column 9 is never closed"
//
// For yaml_text.cc only: it includes yaml-cpp.
#pragma once

#include <yaml-cpp/yaml.h>

#include <optional>
#include <string>

namespace relist {

// What the parser had begun: its innermost list or map in brackets that has no end so far, and its
// last text in quotes.
struct YamlBegun {
  std::optional<YAML::Mark> flow, quoted;
};

// At the end of a file yaml-cpp names the last line's beginning, before the bracket that is open.
bool IsAtEnd(const YamlBegun& begun, const YAML::Mark& error);
// "" if nothing is open that explains it.
std::string HintAt(const std::string& text, const YamlBegun& begun, const YAML::Mark& error);

}  // namespace relist
