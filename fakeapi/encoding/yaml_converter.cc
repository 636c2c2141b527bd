#include "fakeapi/encoding/yaml_converter.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/wire/base64.h"
#include "core/wire/quote.h"
#include "fakeapi/encoding/yaml_scalar.h"

namespace relist::fakeapi {
namespace {

using nlohmann::ordered_json;

// yaml-cpp's own limit is 500; anchors can nest what was read into each other.
constexpr int kDepthMax = 1000;

constexpr std::string_view kYamlTag = "tag:yaml.org,2002:";

int LineOf(const YAML::Node& node) {
  return node.Mark().line + 1;
}

// yaml-cpp keeps quoting in the tag alone: "?" is plain, "!" quoted.
bool IsPlain(const YAML::Node& node) {
  return node.Tag().empty() || node.Tag() == "?";
}

// go-yaml reads these as numbers, which JSON has none of. Null where `text` is another.
const char* NoJsonNumber(const std::string& text) {
  static const std::map<std::string, const char*, std::less<>> kAll = {
      {".nan", "NaN"},   {".NaN", "NaN"},   {".NAN", "NaN"},   {".inf", "+Inf"},
      {".Inf", "+Inf"},  {".INF", "+Inf"},  {"+.inf", "+Inf"}, {"+.Inf", "+Inf"},
      {"+.INF", "+Inf"}, {"-.inf", "-Inf"}, {"-.Inf", "-Inf"}, {"-.INF", "-Inf"}};
  const auto found = kAll.find(text);
  return found == kAll.end() ? nullptr : found->second;
}

bool IsOfKind(const ordered_json& value, std::string_view kind) {
  if (kind == "int") return value.is_number_integer();
  if (kind == "float") return value.is_number();
  if (kind == "bool") return value.is_boolean();
  return value.is_null();
}

ordered_json ScalarOf(const YAML::Node& node) {
  const std::string& text = node.Scalar();
  if (IsPlain(node)) return ResolvePlainScalar(text);
  if (node.Tag().starts_with('!') && node.Tag().find('!', 1) != std::string::npos) {
    throw YamlTrouble(fmt::format("yaml: line {}: found undefined tag handle", LineOf(node) - 1));
  }
  if (!node.Tag().starts_with(kYamlTag)) return text;
  const std::string kind = node.Tag().substr(kYamlTag.size());
  if (kind == "binary") {
    Result<std::string> bytes = DecodeBase64(text);
    if (!bytes.ok()) throw YamlTrouble("yaml: !!binary value contains invalid base64 data");
    return std::move(*bytes);
  }
  if (kind != "int" && kind != "float" && kind != "bool" && kind != "null") return text;
  ordered_json value = ResolvePlainScalar(text);
  if (!IsOfKind(value, kind)) {
    throw YamlTrouble(fmt::format("yaml: cannot decode !!str `{}` as a !!{}", text, kind));
  }
  return value;
}

// A key as JSON has it, and as an error shows it.
struct YamlKey {
  std::string name, shown;
};

YamlKey KeyOf(const YAML::Node& node) {
  if (!node.IsScalar()) {
    throw YamlTrouble(fmt::format("yaml: line {}: a key that is no scalar", LineOf(node)));
  }
  const ordered_json value = ScalarOf(node);
  if (value.is_string()) {
    const std::string& text = value.get_ref<const std::string&>();
    return {text, QuoteText(text, HexCase::kLower)};
  }
  if (value.is_null()) {
    throw YamlTrouble(
        fmt::format("unsupported map key of type: %!s(<nil>), key: <nil>, line {}", LineOf(node)));
  }
  const std::string name =
      value.is_number_float() ? fmt::format("{}", value.get<double>()) : value.dump();
  return {name, name};
}

bool IsMerge(const YAML::Node& key) {
  return key.IsScalar() && key.Scalar() == "<<" && IsPlain(key);
}

}  // namespace

// The last value of a name stays. As Go's maps, they come out sorted.
class YamlConverter::Fields {
 public:
  // False where a key was there that errors show so.
  bool Set(const YamlKey& key, ordered_json value) {
    values_[key.name] = std::move(value);
    return seen_.insert(key.shown).second;
  }
  ordered_json Take() {
    ordered_json object = ordered_json::object();
    auto& fields = object.get_ref<ordered_json::object_t&>();
    for (auto& [name, value] : values_) fields.emplace_back(name, std::move(value));
    return object;
  }

 private:
  std::map<std::string, ordered_json> values_;
  std::set<std::string> seen_;
};

YamlConverter::Level::Level(YamlConverter* converter) : converter_(converter) {
  if (converter->budget_-- == 0) {
    throw YamlTrouble("yaml: document contains excessive aliasing");
  }
  if (converter->depth_ == kDepthMax) {
    throw YamlTrouble("yaml: anchors nest too deeply, or contain themselves");
  }
  ++converter->depth_;
}

ordered_json YamlConverter::Convert(const YAML::Node& node) {
  const Level level(this);
  return Value(node);
}

ordered_json YamlConverter::Value(const YAML::Node& node) {
  switch (node.Type()) {
    case YAML::NodeType::Undefined:
    case YAML::NodeType::Null:
      return nullptr;
    case YAML::NodeType::Scalar:
      if (const char* number = NoJsonNumber(node.Scalar()); number != nullptr && IsPlain(node)) {
        throw YamlTrouble(fmt::format("json: unsupported value: {}", number));
      }
      return ScalarOf(node);
    case YAML::NodeType::Sequence: {
      ordered_json array = ordered_json::array();
      for (const YAML::Node& element : node) array.push_back(Convert(element));
      return array;
    }
    case YAML::NodeType::Map: {
      Fields fields;
      Fill(node, &fields);
      return fields.Take();
    }
  }
  return nullptr;
}

void YamlConverter::Fill(const YAML::Node& map, Fields* fields) {
  for (const auto& entry : map) {
    if (IsMerge(entry.first)) {
      Merge(entry.second, fields);
      continue;
    }
    const YamlKey key = KeyOf(entry.first);
    if (!fields->Set(key, Convert(entry.second))) NoteRepeated(entry.first, key.shown);
  }
}

// Of several maps the first counts, so it comes last.
void YamlConverter::Merge(const YAML::Node& from, Fields* fields) {
  const Level level(this);
  if (from.IsMap()) return Fill(from, fields);
  bool good = from.IsSequence();
  for (size_t i = good ? from.size() : 0; good && i-- > 0;) {
    good = from[i].IsMap();
    if (good) Merge(from[i], fields);
  }
  if (!good) {
    throw YamlTrouble("yaml: map merge requires map or sequence of maps as the value");
  }
}

void YamlConverter::NoteRepeated(const YAML::Node& key, const std::string& shown) {
  std::string line = fmt::format("line {}: key {} already set in map", LineOf(key), shown);
  if (repeated_ == nullptr) throw YamlTrouble("yaml: unmarshal errors:\n  " + line);
  repeated_->push_back(std::move(line));
}

}  // namespace relist::fakeapi
