#include "scenarios/script/object_parts.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/wire/object_key.h"
#include "scenarios/script/manifests.h"
#include "scenarios/script/object_bodies.h"
#include "scenarios/script/scenario_limits.h"

namespace relist {
namespace {

constexpr char kNumber[] = "{n}";

class ObjectReader {
 public:
  explicit ObjectReader(YamlProblems* problems) : problems_(problems) {}

  ObjectSpec ReadShort(YamlMap& map) {
    ObjectSpec object = ReadKey(map);
    ReadBody(map, &object);
    return object;
  }

  static ObjectSpec ReadKey(YamlMap& map) {
    ObjectSpec object;
    object.line = map.line();
    object.column = map.column();
    map.Read("resource", &object.resource);
    std::string key;
    map.Read("object", &key);
    const ObjectKey parsed = ObjectKey::Parse(key);
    object.ns = parsed.ns;
    object.name = parsed.name;
    if (key.empty()) {
      map.Problem("object", "\"object\" is missing: namespace/name, such as default/a");
    } else if (parsed.name.empty() || parsed.name.find('/') != std::string::npos) {
      map.Problem("object",
                  fmt::format("\"{}\" is no object; write namespace/name, such as default/a", key));
    }
    return object;
  }

  // A map that is the whole object.
  std::optional<ObjectSpec> ReadManifest(YamlMap& manifest) {
    auto value = nlohmann::ordered_json::object();
    for (const auto& [key, node] : manifest.TakeAll())
      value[key] = nlohmann::ordered_json::parse(YamlToJson(node, problems_));
    std::string why;
    std::optional<ObjectSpec> object = ObjectOfManifest(std::move(value), &why);
    if (!object) {
      problems_->Add(manifest.line(), manifest.column(), why);
      return std::nullopt;
    }
    object->line = manifest.line();
    object->column = manifest.column();
    return object;
  }

  // "{many: 500, resource: pods, object: "default/p-{n}", bytes: 1024}".
  void ReadMany(YamlMap& map, std::vector<ObjectSpec>* into) {
    int many = 0, bytes = 0;
    map.Read("many", &many, 1, static_cast<int>(kObjectsMax));
    map.Read("bytes", &bytes, 1, kObjectBytesMax);
    const bool has_body = map.Has("body");
    const ObjectSpec pattern = ReadShort(map);
    const size_t at = pattern.name.find(kNumber);
    if (at == std::string::npos) {
      return map.Problem("object",
                         "of \"many\" objects each has its number in its name: write "
                         "default/p-{n} (in quotes within braces)");
    }
    if (into->size() + static_cast<size_t>(many) > kObjectsMax) {
      return map.Problem("many",
                         fmt::format("with these there are more than {} objects", kObjectsMax));
    }
    const fakeapi::ResourceType* type = fakeapi::FindByName(pattern.resource);
    // Told before they are made: a line could ask for 200 MB.
    const size_t each = std::max(static_cast<size_t>(bytes), pattern.body_json.size());
    const size_t together = each * static_cast<size_t>(many) + BytesOf(*into);
    if (together > kManyBytesMax) {
      return map.Problem("many", fmt::format("with these the objects have {} bytes together: "
                                             "at most {}",
                                             together, kManyBytesMax));
    }
    for (int i = 1; i <= many; ++i) {
      ObjectSpec object = pattern;
      object.name.replace(at, sizeof kNumber - 1, std::to_string(i));
      if (type && !has_body) Complete(*type, &object);
      const size_t least = type && bytes > 0 ? GrowTo(&object, static_cast<size_t>(bytes)) : 0;
      if (least > static_cast<size_t>(bytes)) {
        return map.Problem("bytes", fmt::format("such an object has at least {} bytes", least));
      }
      into->push_back(std::move(object));
    }
  }

  // What its kind cannot do without.
  static void Complete(const fakeapi::ResourceType& type, ObjectSpec* object) {
    auto body = nlohmann::ordered_json::parse(SmallestBody(type));
    body.merge_patch(nlohmann::ordered_json::parse(object->body_json));
    object->body_json = body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }

  // labels, annotations and data are text; body is whatever the kind wants.
  void ReadBody(YamlMap& map, ObjectSpec* object) {
    std::string parts;
    const auto add = [&parts](const std::string& key, const std::string& json) {
      parts += fmt::format("{}\"{}\":{}", parts.empty() ? "" : ",", key, json);
    };
    std::string metadata;
    for (const char* key : {"labels", "annotations"}) {
      const std::optional<std::string> json = ReadTextMap(map, key);
      if (json) metadata += fmt::format("{}\"{}\":{}", metadata.empty() ? "" : ",", key, *json);
    }
    if (!metadata.empty()) add("metadata", "{" + metadata + "}");
    if (const std::optional<std::string> data = ReadTextMap(map, "data")) add("data", *data);
    const YAML::Node body = map.Take("body");
    if (body.IsDefined()) {
      YamlMap fields(body, "\"body\"", problems_);
      for (const auto& [key, value] : fields.TakeAll()) {
        if (key == "metadata" || key == "data" || key == "apiVersion" || key == "kind") {
          fields.Problem(
              key, fmt::format(
                       "\"{}\" does not go into a body: labels, annotations and data have keys of "
                       "their own, the rest is filled in",
                       key));
        }
        add(key, YamlToJson(value, problems_));
      }
    }
    object->body_json = "{" + parts + "}";
  }

  std::optional<std::string> ReadTextMap(YamlMap& map, const std::string& key) {
    const YAML::Node node = map.Take(key);
    map.Note(key, {.kind = KeyShape::Kind::kPairs});
    if (!node.IsDefined()) return std::nullopt;
    YamlMap texts(node, "\"" + key + "\"", problems_);
    std::string json;
    for (const auto& [name, value] : texts.TakeAll()) {
      if (!value.IsScalar()) texts.Problem(name, fmt::format("\"{}\" is text", name));
      YAML::Node text(value.IsScalar() ? value.Scalar() : "");
      text.SetTag("!");  // text, whatever it looks like
      YAML::Node quoted_name(name);
      quoted_name.SetTag("!");
      json += fmt::format("{}{}:{}", json.empty() ? "" : ",", YamlToJson(quoted_name, problems_),
                          YamlToJson(text, problems_));
    }
    return "{" + json + "}";
  }

 private:
  YamlProblems* problems_;
};

}  // namespace

size_t BytesOf(const std::vector<ObjectSpec>& objects) {
  size_t bytes = 0;
  for (const ObjectSpec& object : objects) bytes += object.body_json.size();
  return bytes;
}

ObjectSpec ReadObject(YamlMap& map, YamlProblems* problems) {
  ObjectReader reader(problems);
  const YAML::Node manifest = map.Take("manifest");
  if (!manifest.IsDefined()) return reader.ReadShort(map);
  YamlMap fields(manifest, "\"manifest\"", problems);
  return manifest.IsMap() ? reader.ReadManifest(fields).value_or(ObjectSpec{}) : ObjectSpec{};
}

ObjectSpec ReadObjectKey(YamlMap& map) {
  return ObjectReader::ReadKey(map);
}

std::string ReadStatus(YamlMap& map, YamlProblems* problems) {
  const YAML::Node status = map.Take("status");
  if (!status.IsMap()) {
    map.Problem("status", "\"status\" is what the object's status is to be: {phase: Running}");
    return "{}";
  }
  return "{\"status\":" + YamlToJson(status, problems) + "}";
}

void ReadObjects(YamlMap& map, const std::string& scenario_file, YamlProblems* problems,
                 std::vector<ObjectSpec>* into) {
  ObjectReader reader(problems);
  if (map.Has("kind") || map.Has("apiVersion")) {
    std::optional<ObjectSpec> object = reader.ReadManifest(map);
    if (object) into->push_back(std::move(*object));
  } else if (map.Has("file")) {
    std::string file;
    map.Read("file", &file);
    const std::filesystem::path beside = std::filesystem::path(scenario_file).parent_path();
    ReadObjectFile((beside / file).string(), map.Take("file").Mark(), problems, into);
  } else if (map.Has("many")) {
    reader.ReadMany(map, into);
  } else {
    for (const char* other : {"file", "many", "apiVersion", "kind"}) map.Take(other);
    into->push_back(reader.ReadShort(map));
  }
}

}  // namespace relist
