#include "scenarios/script/manifests.h"

#include <fmt/core.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>

#include "fakeapi/api/resources.h"
#include "fakeapi/encoding/yaml_codec.h"
#include "scenarios/script/scenario_limits.h"
#include "scenarios/script/yaml_text.h"

namespace relist {
namespace {

using nlohmann::ordered_json;

std::string TextIn(const ordered_json& value, const char* key) {
  const auto found = value.is_object() ? value.find(key) : value.end();
  return found != value.end() && found->is_string() ? found->get<std::string>() : "";
}

bool IsListOfObjects(const ordered_json& value) {
  return TextIn(value, "kind").ends_with("List") && value.contains("items");
}

// Each YAML document that holds more than comments, with as many lines before it as in its file;
// ends where `read` says false.
void ForEachDocument(const std::string& text, const std::function<bool(const std::string&)>& read) {
  size_t line_number = 0, begin = 0;  // of the lines so far, and before the document
  std::string document;
  bool blank = true;
  const auto end = [&] {
    const bool more = blank || read(std::string(begin, '\n') + document);
    begin = line_number;
    document.clear();
    blank = true;
    return more;
  };
  std::istringstream in(text);
  for (std::string line; std::getline(in, line); ++line_number) {
    const bool marker = line.starts_with("---") &&
                        (line.size() == 3 || line[3] == ' ' || line[3] == '\r' || line[3] == '\t');
    if (marker) {
      if (!end()) return;
      line.replace(0, 3, "   ");
    }
    const size_t first = line.find_first_not_of(" \t\r");
    if (first != std::string::npos && line[first] != '#') blank = false;
    document += line + "\n";
  }
  end();
}

class ObjectFile {
 public:
  ObjectFile(const std::string& path, const YAML::Mark& mark, YamlProblems* problems,
             std::vector<ObjectSpec>* into)
      : path_(path), mark_(mark), problems_(*problems), into_(*into) {}

  void Read(const std::string& text) {
    size_t documents = 0;
    ForEachDocument(text, [&](const std::string& document) {
      ReadDocument(document);
      return ++documents <= kObjectsMax;  // with one more than that, it has been told
    });
    if (documents == 0) problems_.AddIn(path_, 1, 1, "this file holds no objects");
  }

 private:
  // The places come from one reader, the values from the other, which reads as kubectl does.
  void ReadDocument(const std::string& text) {
    const Result<YAML::Node> node = ReadYamlText(text, path_);
    if (!node.ok()) return problems_.AddTold(mark_, node.error().message());
    Result<ordered_json> value = fakeapi::ReadYaml(text);
    if (!value.ok()) {
      const YAML::Mark place = node->Mark();
      return problems_.AddIn(path_, place.line + 1, place.column + 1, value.error().message());
    }
    Add(std::move(*value), *node);
  }

  void Add(ordered_json value, const YAML::Node& node) {
    const int line = node.Mark().line + 1, column = node.Mark().column + 1;
    if (IsListOfObjects(value)) return AddItems(value, node);
    if (into_.size() >= kObjectsMax) {
      if (!std::exchange(told_, true)) {
        problems_.AddIn(path_, line, column,
                        fmt::format("with this one there are more than {} objects", kObjectsMax));
      }
      return;
    }
    std::string why;
    std::optional<ObjectSpec> object = ObjectOfManifest(std::move(value), &why);
    if (!object) return problems_.AddIn(path_, line, column, why);
    object->file = path_;
    object->line = line;
    object->column = column;
    into_.push_back(std::move(*object));
  }

  // The items of typed lists carry neither kind nor apiVersion.
  void AddItems(ordered_json& list, const YAML::Node& node) {
    ordered_json& items = list["items"];
    const YAML::Node places = node["items"];
    if (!items.is_array() || !places.IsSequence() || places.size() != items.size()) {
      return problems_.AddIn(path_, node.Mark().line + 1, node.Mark().column + 1,
                             "the \"items\" of a List are a list");
    }
    const std::string kind = TextIn(list, "kind");
    for (size_t i = 0; i < items.size(); ++i) {
      if (items[i].is_object() && kind != "List") {
        if (!items[i].contains("kind")) items[i]["kind"] = kind.substr(0, kind.size() - 4);
        if (!items[i].contains("apiVersion")) items[i]["apiVersion"] = TextIn(list, "apiVersion");
      }
      Add(std::move(items[i]), places[i]);
    }
  }

  const std::string path_;
  const YAML::Mark mark_;
  YamlProblems& problems_;
  std::vector<ObjectSpec>& into_;
  bool told_ = false;
};

}  // namespace

std::optional<ObjectSpec> ObjectOfManifest(ordered_json value, std::string* why) {
  const std::string kind = TextIn(value, "kind"), version = TextIn(value, "apiVersion");
  if (kind.empty() || version.empty()) {
    *why = "an object has \"apiVersion\" and \"kind\", such as v1 and Pod";
    return std::nullopt;
  }
  const fakeapi::ResourceType* type = fakeapi::FindKind(version, kind);
  if (!type) {
    *why = fmt::format("kind \"{}\" of {} is not served", kind, version);
    return std::nullopt;
  }
  const auto metadata = value.find("metadata");
  const bool named = metadata != value.end() && metadata->is_object();
  ObjectSpec object;
  object.resource = type->resource.GroupResource();
  object.name = named ? TextIn(*metadata, "name") : "";
  if (object.name.empty()) {
    *why = fmt::format("this {} has no \"metadata: {{name: ...}}\"", kind);
    return std::nullopt;
  }
  if (type->namespaced()) object.ns = TextIn(*metadata, "namespace");
  if (type->namespaced() && object.ns.empty()) object.ns = "default";
  for (const char* filled_in : {"name", "namespace", "resourceVersion", "uid"})
    metadata->erase(filled_in);
  for (const char* filled_in : {"apiVersion", "kind"}) value.erase(filled_in);
  object.body_json = value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  return object;
}

void ReadObjectFile(const std::string& path, const YAML::Mark& mark, YamlProblems* problems,
                    std::vector<ObjectSpec>* into) {
  std::error_code error;
  std::ifstream in;
  if (std::filesystem::is_regular_file(path, error)) in.open(path, std::ios::binary);
  if (!in.is_open()) return problems->Add(mark, fmt::format("{}: cannot be read", path));
  std::string text(kYamlBytesMax + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<size_t>(in.gcount()));
  if (text.size() > kYamlBytesMax) {
    return problems->AddIn(path, 1, 1,
                           fmt::format("this file has more than {} bytes", kYamlBytesMax));
  }
  ObjectFile(path, mark, problems, into).Read(text);
}

}  // namespace relist
