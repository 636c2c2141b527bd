// The script language, made of the readers that read it: what can be written where. For people
// (relist run --list-actions) and for editors (a JSON Schema, relist run --schema).
//
//   for (const LanguageMap& map : ScenarioLanguage().maps) ...
//   std::cout << LanguageText();
//   std::ofstream("relist.schema.json") << LanguageSchema();
//
// Both are the same in every run. What no single key can say (that a step has either `at` or
// `when`, what goes with what) the schema leaves to the reader, whose errors say more.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenarios/script/yaml_notes.h"

namespace relist {

// A map of the file: "server", "step: write", "fault: cut", "object: many".
struct LanguageMap {
  std::string name;
  std::string says;  // of steps and faults, what they do
  std::vector<YamlNotes::Key> keys;
};

struct Language {
  std::vector<LanguageMap> maps;
  const LanguageMap& Of(const std::string& name) const;  // one that is there
};

// What stands at a key, where that is another map, or a list of such.
struct LanguageLink {
  std::string name;
  bool is_list = false;
};
std::optional<LanguageLink> LinkAt(const std::string& map, const std::string& key);

Language ScenarioLanguage();
std::string LanguageText();
std::string LanguageSchema();  // draft-07, ends with a newline

}  // namespace relist
