// The language as a JSON Schema.
#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "scenarios/script/language.h"

namespace relist {
namespace {

using Json = nlohmann::ordered_json;

// Where YAML has a number, or true, the reader takes it as the text that it is.
Json ScalarSchema() {
  return {{"type", {"string", "number", "boolean"}}};
}

Json ListOf(Json item) {
  return {{"type", "array"}, {"items", std::move(item)}};
}

Json Ref(const std::string& name) {
  return {{"$ref", "#/definitions/" + name}};
}

Json SchemaOf(const KeyShape& shape) {
  switch (shape.kind) {
    case KeyShape::Kind::kAny:
      break;
    case KeyShape::Kind::kText:
      return ScalarSchema();
    case KeyShape::Kind::kFlag:
      return {{"type", "boolean"}};
    case KeyShape::Kind::kWhole:
      return {{"type", "integer"},
              {"minimum", Json::parse(shape.least)},
              {"maximum", Json::parse(shape.most)}};
    case KeyShape::Kind::kTime:
      return {{"description", fmt::format("{} to {}", shape.least, shape.most)},
              {"anyOf",
               {{{"type", "string"}, {"pattern", R"(^(0|(\d+(\.\d+)?(ms|s|m|h))+)$)"}},
                {{"const", 0}}}}};
    case KeyShape::Kind::kChance:
      return {{"type", "number"}, {"exclusiveMinimum", 0}, {"maximum", 1}};
    case KeyShape::Kind::kWord:
      return {{"enum", shape.words}};
    case KeyShape::Kind::kRange:
      return {{"anyOf",
               {{{"type", "integer"}, {"minimum", 1}},
                {{"type", "string"}, {"pattern", R"(^(every|\d+(-\d+)?)$)"}}}}};
    case KeyShape::Kind::kTexts:
      return ListOf(ScalarSchema());
    case KeyShape::Kind::kPairs:
      return {{"type", "object"}, {"additionalProperties", ScalarSchema()}};
  }
  return Json::object();
}

// Of a map's key that is another map, a list of such, or both of them in turn.
std::optional<Json> LinkedSchema(const std::string& map, const std::string& key) {
  if (const std::optional<LanguageLink> link = LinkAt(map, key))
    return link->is_list ? ListOf(Ref(link->name)) : Ref(link->name);
  if (key == "manifest") return Json{{"type", "object"}};
  if (key != "callbacks") return std::nullopt;
  return Json{{"anyOf",
               {ListOf(ScalarSchema()),
                {{"type", "object"}, {"additionalProperties", ListOf(ScalarSchema())}}}}};
}

Json SchemaOf(const LanguageMap& map, const YamlNotes::Key& key) {
  Json any = Json::array();
  for (const KeyShape& shape : key.shapes) any.push_back(SchemaOf(shape));
  if (std::optional<Json> linked = LinkedSchema(map.name, key.name))
    any.push_back(std::move(*linked));
  if (any.empty()) return Json::object();
  return any.size() == 1 ? any[0] : Json{{"anyOf", std::move(any)}};
}

Json SchemaOf(const LanguageMap& map) {
  Json properties = Json::object();
  for (const YamlNotes::Key& key : map.keys) properties[key.name] = SchemaOf(map, key);
  Json schema = {
      {"type", "object"}, {"additionalProperties", false}, {"properties", std::move(properties)}};
  if (!map.says.empty()) schema["description"] = map.says;
  return schema;
}

// "step: write" is one of the steps, and says so at `do`.
Json OneOf(const Language& language, const std::string& name, const std::string& word_key) {
  Json one_of = Json::array();
  for (const LanguageMap& map : language.maps) {
    if (!map.name.starts_with(name + ": ")) continue;
    Json schema = SchemaOf(map);
    schema["properties"][word_key] = {{"const", map.name.substr(name.size() + 2)}};
    schema["required"] = {word_key};
    one_of.push_back(std::move(schema));
  }
  return {{"type", "object"}, {"required", {word_key}}, {"oneOf", std::move(one_of)}};
}

Json Required(Json schema, const std::vector<std::string>& keys) {
  schema["required"] = keys;
  return schema;
}

Json ObjectSchema(const Language& language) {
  const Json manifest = {
      {"type", "object"},
      {"description", "a whole manifest, as kubectl takes it"},
      {"properties", {{"apiVersion", ScalarSchema()}, {"kind", ScalarSchema()}}}};
  Json short_form = Required(SchemaOf(language.Of("object")), {"object"});
  return {
      {"oneOf",
       {std::move(short_form), Required(SchemaOf(language.Of("object: many")), {"many", "object"}),
        Required(SchemaOf(language.Of("object: file")), {"file"}),
        Required(manifest, {"apiVersion", "kind"})}}};
}

Json WhenSchema(const Language& language) {
  return {{"oneOf",
           {Required(SchemaOf(language.Of("when")), {"on"}),
            Required(SchemaOf(language.Of("when: synced")), {"synced"}),
            Required(SchemaOf(language.Of("when: seen")), {"seen"})}}};
}

// Each client has its name for a key.
Json ExpectSchema(const Language& language) {
  Json schema = SchemaOf(language.Of("expect"));
  schema["additionalProperties"] = {
      {"anyOf", {SchemaOf(language.Of("expect: client")), SchemaOf(language.Of("expect: ask"))}}};
  return schema;
}

}  // namespace

std::string LanguageSchema() {
  const Language language = ScenarioLanguage();
  Json definitions = Json::object();
  for (const char* name : {"server", "within", "client", "handler", "backoff"})
    definitions[name] = SchemaOf(language.Of(name));
  definitions["object"] = ObjectSchema(language);
  definitions["when"] = WhenSchema(language);
  definitions["step"] = OneOf(language, "step", "do");
  definitions["fault"] = OneOf(language, "fault", "fault");
  definitions["expect"] = ExpectSchema(language);
  Json schema = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                 {"title", "A scenario of Relist"}};
  schema.update(Required(SchemaOf(language.Of("scenario")), {"name"}));
  schema["definitions"] = std::move(definitions);
  return schema.dump(1) + "\n";
}

}  // namespace relist
