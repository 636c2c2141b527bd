#include "scenarios/script/language.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/check.h"
#include "scenarios/script/action_words.h"
#include "scenarios/script/scenario_notes.h"

namespace relist {
namespace {

using Keys = std::vector<YamlNotes::Key>;

// What the readers asked for in a scenario of this text.
Keys KeysOf(const std::string& map, const std::string& text) {
  YamlNotes notes;
  NoteScenario("name: n\n" + text, &notes);
  return notes.Of(map);
}

Keys Without(Keys keys, const std::vector<std::string>& names) {
  std::erase_if(keys, [&](const YamlNotes::Key& key) {
    return std::find(names.begin(), names.end(), key.name) != names.end();
  });
  return keys;
}

std::vector<std::string> WordsAt(const Keys& keys, const std::string& name) {
  for (const YamlNotes::Key& key : keys) {
    if (key.name == name) return key.shapes.at(0).words;
  }
  return {};
}

void AddClients(std::vector<LanguageMap>* maps) {
  const std::string client = "clients: [{handlers: [{}], backoff: {}}]";
  maps->push_back({"client", "", KeysOf("a client", client)});
  maps->push_back({"handler", "", KeysOf("a handler", client)});
  maps->push_back({"backoff", "", KeysOf("\"backoff\"", client)});
}

void AddObjects(std::vector<LanguageMap>* maps) {
  maps->push_back({"object", "written in short",
                   Without(KeysOf("an object", "objects: [{object: default/a}]"),
                           {"file", "many", "apiVersion", "kind"})});
  maps->push_back({"object: many", "so many, each with its number",
                   KeysOf("an object", "objects: [{many: 1, object: \"default/a-{n}\"}]")});
  maps->push_back({"object: file", "all that a file beside the scenario holds",
                   KeysOf("an object", "objects: [{file: /dev/null/none}]")});
}

void AddSteps(std::vector<LanguageMap>* maps) {
  const auto when = [&](const std::string& name, const std::string& says, const std::string& text) {
    maps->push_back({name, says, KeysOf("\"when\"", "steps: [{when: {" + text + "}, do: evict}]")});
  };
  when("when", "a request comes to a point", "on: any");
  maps->back().keys = Without(maps->back().keys, {"synced", "seen"});
  when("when: synced", "a client tells that it has synced", "synced: client");
  when("when: seen", "a handler is told of an object", "seen: default/a");
  const auto step = [](const std::string& word) {
    return KeysOf("a step", "steps: [{at: 1s, do: " + word + "}]");
  };
  size_t kind = 0;
  for (const std::string& word : WordsAt(step("evict"), "do")) {
    const auto says = WhatItDoes(static_cast<StepSpec::Kind>(kind++));
    maps->push_back({"step: " + word, std::string(says), step(word)});
  }
}

void AddFaults(std::vector<LanguageMap>* maps) {
  const auto fault = [](const std::string& word) {
    return KeysOf("a fault", "faults: [{on: any, fault: " + word + "}]");
  };
  size_t kind = 0;
  for (const std::string& word : WordsAt(fault("cut"), "fault")) {
    const auto says = WhatItDoes(static_cast<FaultSpec::Kind>(kind++));
    maps->push_back({"fault: " + word, std::string(says), fault(word)});
  }
}

void AddExpect(std::vector<LanguageMap>* maps) {
  const std::string ask = "steps: [{at: 1s, do: ask, as: probe, target: /a}]\n";
  const std::string expect = ask + "expect: {client: {}, probe: {}}";
  maps->push_back({"expect", "verdicts, and each client by its name",
                   Without(KeysOf("\"expect\"", expect), {"client", "probe"})});
  maps->push_back({"expect: client", "what a client must be seen to do",
                   KeysOf("what \"client\" must do", expect)});
  maps->push_back(
      {"expect: ask", "what who asks must be answered", KeysOf("what \"probe\" must do", expect)});
}

std::string TextOf(const KeyShape& shape) {
  switch (shape.kind) {
    case KeyShape::Kind::kAny:
      return "anything";
    case KeyShape::Kind::kText:
      return "text";
    case KeyShape::Kind::kFlag:
      return "true, false";
    case KeyShape::Kind::kWhole:
      return fmt::format("{} to {}", shape.least, shape.most);
    case KeyShape::Kind::kTime:
      return fmt::format("a time, {} to {}", shape.least, shape.most);
    case KeyShape::Kind::kChance:
      return "above 0, at most 1";
    case KeyShape::Kind::kWord:
      return fmt::format("{}", fmt::join(shape.words, ", "));
    case KeyShape::Kind::kRange:
      return "2, 2-4, every";
    case KeyShape::Kind::kTexts:
      return "a list of texts";
    case KeyShape::Kind::kPairs:
      return "a map of texts";
  }
  return "";
}

std::string TextOf(const LanguageMap& map, const YamlNotes::Key& key) {
  std::vector<std::string> shapes;
  for (const KeyShape& shape : key.shapes) shapes.push_back(TextOf(shape));
  if (const std::optional<LanguageLink> link = LinkAt(map.name, key.name))
    shapes.push_back(fmt::format("{}: {}", link->is_list ? "a list" : "a map", link->name));
  if (shapes.empty()) return "as README.md says";
  return fmt::format("{}", fmt::join(shapes, "; or "));
}

// What all of "step: write", "step: patch" ... have.
Keys CommonKeys(const std::vector<LanguageMap>& maps, const std::string& name) {
  std::optional<Keys> common;
  for (const LanguageMap& map : maps) {
    if (!map.name.starts_with(name + ": ")) continue;
    if (!common) common = map.keys;
    std::erase_if(*common, [&map](const YamlNotes::Key& key) {
      return std::none_of(map.keys.begin(), map.keys.end(),
                          [&key](const YamlNotes::Key& one) { return one.name == key.name; });
    });
  }
  return common.value_or(Keys());
}

void AppendMap(const LanguageMap& map, std::string* out) {
  *out += out->empty() ? "" : "\n";
  *out += map.says.empty() ? map.name + "\n" : fmt::format("{} ({})\n", map.name, map.says);
  for (const YamlNotes::Key& key : map.keys)
    *out += fmt::format("  {:<32} {}\n", key.name, TextOf(map, key));
}

}  // namespace

const LanguageMap& Language::Of(const std::string& name) const {
  const auto found = std::find_if(maps.begin(), maps.end(),
                                  [&](const LanguageMap& map) { return map.name == name; });
  CHECK(found != maps.end(), "the language has no \"{}\"", name);
  return *found;
}

Language ScenarioLanguage() {
  Language language;
  std::vector<LanguageMap>& maps = language.maps;
  maps.push_back({"scenario", "the file", KeysOf("the scenario", "")});
  maps.push_back({"server", "", KeysOf("\"server\"", "server: {}")});
  maps.push_back({"within", "", KeysOf("\"within\"", "within: {}")});
  AddClients(&maps);
  AddObjects(&maps);
  AddSteps(&maps);
  AddFaults(&maps);
  AddExpect(&maps);
  return language;
}

std::optional<LanguageLink> LinkAt(const std::string& map, const std::string& key) {
  static const std::vector<std::pair<std::string, LanguageLink>> kLinks = {
      {"scenario/server", {"server"}},        {"scenario/within", {"within"}},
      {"scenario/clients", {"client", true}}, {"scenario/objects", {"object", true}},
      {"scenario/steps", {"step", true}},     {"scenario/faults", {"fault", true}},
      {"scenario/expect", {"expect"}},        {"client/handlers", {"handler", true}},
      {"client/backoff", {"backoff"}},        {"step/when", {"when"}}};
  const std::string place = map.substr(0, map.find(':')) + "/" + key;
  for (const auto& [where, link] : kLinks) {
    if (where == place) return link;
  }
  return std::nullopt;
}

// What all steps have is told once; all faults likewise.
std::string LanguageText() {
  std::string out;
  std::string group;
  Keys common;
  const Language language = ScenarioLanguage();
  for (LanguageMap map : language.maps) {
    const std::string of = map.name.substr(0, map.name.find(": "));
    const bool is_action = of != map.name && (of == "step" || of == "fault");
    if (is_action && of != group) {
      group = of;
      common = CommonKeys(language.maps, of);
      AppendMap({of, "every one has", common}, &out);
    }
    if (is_action) {
      std::vector<std::string> names;
      for (const YamlNotes::Key& key : common) names.push_back(key.name);
      map.keys = Without(map.keys, names);
    }
    AppendMap(map, &out);
  }
  return out;
}

}  // namespace relist
