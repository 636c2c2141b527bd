#include "fakeapi/object_loader.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "core/wire/base64.h"
#include "core/wire/object.h"
#include "fakeapi/encoding/deep_stack.h"
#include "fakeapi/encoding/json_path.h"
#include "fakeapi/encoding/json_reader.h"
#include "fakeapi/encoding/yaml_codec.h"
#include "fakeapi/objects/identity.h"
#include "fakeapi/objects/kind_rules.h"
#include "fakeapi/objects/metadata_rules.h"
#include "fakeapi/objects/object_schema.h"
#include "fakeapi/write/writes.h"

namespace relist::fakeapi {
namespace {

using nlohmann::ordered_json;

Error LoadError(const std::string& what) {
  return Error::Net(Transport::kOther, what);
}

struct LoadedObject {
  const ResourceType* resource;
  ObjectKey key;
  ordered_json value;
  std::vector<std::string> unknown;  // fields that were dropped
};

// Items one after another, each with its name for errors: "items[3]", "document 2", "document 2:
// items[0]".
struct Item {
  std::string where;
  ordered_json value;
};

bool IsList(const ordered_json& value) {
  return TextAt(value, "kind").ends_with("List") && At(value, "items").is_array();
}

// The items of typed lists carry neither kind nor apiVersion.
void AppendItems(const std::string& where, ordered_json value, std::vector<Item>* items) {
  if (!IsList(value)) {
    items->push_back({where.empty() ? "object" : where, std::move(value)});
    return;
  }
  const std::string list_kind = TextAt(value, "kind");
  const std::string kind = list_kind.substr(0, list_kind.size() - 4);
  const std::string version = TextAt(value, "apiVersion");
  size_t index = 0;
  for (ordered_json& item : value["items"]) {
    const std::string name =
        fmt::format("{}{}items[{}]", where, where.empty() ? "" : ": ", index++);
    if (item.is_object() && !kind.empty() && !item.contains("kind")) item["kind"] = kind;
    if (item.is_object() && !kind.empty() && !item.contains("apiVersion")) {
      item["apiVersion"] = version;
    }
    AppendItems(name, std::move(item), items);
  }
}

Result<std::vector<Item>> ReadItems(const std::string& text) {
  std::vector<Item> items;
  const size_t start = text.find_first_not_of(" \t\r\n");
  if (start != std::string::npos && text[start] == '{') {
    if (JsonDepth(text) > kJsonDepthMax) return LoadError("the file nests too deeply");
    Result<JsonDocument> document = ReadJson(text);
    // YAML's flow style starts with a brace, too.
    if (document.ok()) {
      if (!document->duplicates.empty()) {
        return LoadError(fmt::format("duplicate field \"{}\"", document->duplicates.front()));
      }
      AppendItems("", std::move(*document->value), &items);
      return items;
    }
  }
  Result<std::vector<ordered_json>> documents = ReadYamlStream(text);
  if (!documents.ok()) return documents.error();
  if (documents->empty()) return LoadError("holds no objects; an empty List would be fine");
  size_t number = 0;
  for (ordered_json& document : *documents) {
    ++number;
    AppendItems(documents->size() == 1 ? "" : fmt::format("document {}", number),
                std::move(document), &items);
  }
  return items;
}

std::string Joined(const std::vector<FieldError>& errors) {
  std::string text;
  for (const FieldError& error : errors) {
    text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", error.field, error.text);
  }
  return text;
}

// What was dumped is kept; what an object can't be without is made.
void CompleteMetadata(const Store& store, TimePoint now, Choices& choices, size_t nth,
                      ordered_json* metadata) {
  for (const char* field : {"selfLink", "resourceVersion", "managedFields"}) metadata->erase(field);
  if (TextAt(*metadata, "uid").empty()) {
    // No later create may mix the same number.
    (*metadata)["uid"] = MakeUid((store.revision() + nth) | uint64_t{1} << 62, choices);
  }
  if (TextAt(*metadata, "creationTimestamp").empty()) {
    (*metadata)["creationTimestamp"] = FormatRfc3339(now);
  }
}

// Status is loaded as it is; where there is none it is that of a new object.
void CompleteStatus(const ResourceType& resource, ordered_json* value) {
  const ordered_json status = At(*value, "status");
  const ordered_json generation = At(*value, "metadata.generation");
  if (status.is_object() && !status.empty()) return;
  PrepareForCreate(resource, value);
  if (!generation.is_null()) (*value)["metadata"]["generation"] = generation;
}

Error NotServed(const std::string& kind, const std::string& version) {
  std::string served;
  for (const ResourceType* type : AllResources()) {
    served += fmt::format("{}{} ({})", served.empty() ? "" : ", ", type->kind(),
                          type->resource.GroupVersion());
  }
  return LoadError(
      fmt::format("kind \"{}\" of {} is not served; there are {}", kind, version, served));
}

// Which value it was that is no base64: Go's message, which clients are told, has no name in it.
std::string BadBase64In(const ordered_json& value, const std::string& kind) {
  const std::string field = kind == "Secret" ? "data" : "binaryData";
  std::string where = fmt::format("{} \"{}\"", kind, TextAt(value, "metadata.name"));
  for (const auto& [key, text] : At(value, field).items()) {
    if (text.is_string() && !DecodeBase64(text.get_ref<const std::string&>()).ok())
      return fmt::format("{}: {}[\"{}\"]", where, field, key);
  }
  return where;
}

Result<LoadedObject> LoadOne(const Store& store, ordered_json value, TimePoint now,
                             Choices& choices, size_t nth) {
  if (!value.is_object()) return LoadError("not an object");
  const std::string kind = TextAt(value, "kind"), version = TextAt(value, "apiVersion");
  if (kind.empty() || version.empty()) return LoadError("kind or apiVersion is missing");
  const ResourceType* resource = FindKind(version, kind);
  if (resource == nullptr && kind.ends_with("List")) {
    return LoadError(fmt::format("a {} has its objects under `items`, as a list", kind));
  }
  if (resource == nullptr) return NotServed(kind, version);
  Result<std::vector<std::string>> unknown = FitToSchema(*resource, &value);
  if (!unknown.ok()) return LoadError(unknown.error().message());
  Result<void> decoded = DecodeRules(*resource, &value);
  if (!decoded.ok()) return LoadError(BadBase64In(value, kind) + ": " + decoded.error().message());
  ordered_json* metadata = &value["metadata"];
  if (resource->namespaced() && TextAt(*metadata, "namespace").empty()) {
    (*metadata)["namespace"] = "default";
  }
  if (!resource->namespaced()) metadata->erase("namespace");
  CompleteMetadata(store, now, choices, nth, metadata);
  CompleteStatus(*resource, &value);
  std::vector<FieldError> errors = ValidateMetadata(*resource, value["metadata"]);
  for (FieldError& error : ValidateKind(*resource, value)) errors.push_back(std::move(error));
  if (!errors.empty()) {
    return LoadError(fmt::format("{} \"{}\" is invalid: {}", kind, TextAt(value, "metadata.name"),
                                 Joined(errors)));
  }
  OrderMetadata(&value["metadata"]);
  const ObjectKey key{TextAt(value, "metadata.namespace"), TextAt(value, "metadata.name")};
  return LoadedObject{resource, key, std::move(value), std::move(*unknown)};
}

// All objects, checked against each other and against what is there.
Result<std::vector<LoadedObject>> Check(const Store& store, std::vector<Item> items, TimePoint now,
                                        Choices& choices) {
  std::vector<LoadedObject> objects;
  std::set<std::string> keys, uids;
  for (Item& item : items) {
    Result<LoadedObject> object =
        LoadOne(store, std::move(item.value), now, choices, objects.size());
    if (!object.ok()) return LoadError(item.where + ": " + object.error().message());
    const std::string name =
        fmt::format("{} {}", object->resource->resource.GroupResource(), object->key.ToString());
    // The system's namespaces are there from the start; a dump's take their place.
    const bool is_namespace = object->resource->kind() == "Namespace";
    if (!keys.insert(name).second ||
        (!is_namespace && store.Find(*object->resource, object->key) != nullptr)) {
      return LoadError(fmt::format("{}: {} is there already", item.where, name));
    }
    if (!uids.insert(TextAt(object->value, "metadata.uid")).second) {
      return LoadError(fmt::format("{}: uid {} is another object's, too", item.where,
                                   TextAt(object->value, "metadata.uid")));
    }
    objects.push_back(std::move(*object));
  }
  return objects;
}

void MakeNamespace(Store& store, const std::string& name, TimePoint now, Choices& choices) {
  if (name.empty() || store.Find(*FindKind("v1", "Namespace"), {"", name}) != nullptr) return;
  CreateNamespace(store, name, now, choices);
}

void Put(Store& store, LoadedObject object) {
  if (store.Find(*object.resource, object.key) != nullptr) {
    store.Replace(*object.resource, object.key, std::move(object.value));
  } else {
    store.Create(*object.resource, object.key, std::move(object.value));
  }
}

Result<Loaded> Load(Store& store, const std::string& text, TimePoint now, Choices& choices) {
  Result<std::vector<Item>> items = ReadItems(text);
  if (!items.ok()) return items.error();
  Result<std::vector<LoadedObject>> objects = Check(store, std::move(*items), now, choices);
  if (!objects.ok()) return objects.error();
  Loaded loaded{.objects = static_cast<int>(objects->size()), .dropped = {}};
  for (const LoadedObject& object : *objects) {
    for (const std::string& path : object.unknown) {
      ++loaded.dropped[{object.resource->resource.GroupResource(), path}];
    }
  }
  // Namespaces first, so that none is made that comes later in the file.
  for (LoadedObject& object : *objects) {
    if (object.resource->kind() == "Namespace") Put(store, std::move(object));
  }
  for (LoadedObject& object : *objects) {
    if (object.resource->kind() == "Namespace") continue;
    MakeNamespace(store, object.key.ns, now, choices);
    Put(store, std::move(object));
  }
  return loaded;
}

}  // namespace

Result<Loaded> LoadObjects(Store& store, const std::string& text, TimePoint now, Choices& choices) {
  Result<Loaded> loaded = LoadError("nothing was read");
  WithStackFor(text, [&] { loaded = Load(store, text, now, choices); });
  return loaded;
}

}  // namespace relist::fakeapi
