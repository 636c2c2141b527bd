#include "fakeapi/objects/kind_rules.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "core/wire/base64.h"
#include "fakeapi/api/names.h"
#include "fakeapi/encoding/json_path.h"
#include "fakeapi/objects/kind_defaults.h"
#include "fakeapi/objects/object_schema.h"

namespace relist::fakeapi {
namespace {

using nlohmann::ordered_json;

constexpr size_t kDataMax = 1024 * 1024;

std::map<std::string, KindRules> AllRules() {
  std::map<std::string, KindRules> all;
  all["Namespace"].has_status = true;
  all["Node"].has_status = true;
  all["Pod"] = {.has_status = true, .has_generation = true, .returns_deleted = true};
  all["Service"] = {.has_status = true, .returns_deleted = true};
  all["Deployment"] = {.has_status = true, .has_generation = true};
  all["Lease"] = {.unconditional_update = false, .create_on_update = true};
  all["Event"] = {.create_on_update = true, .collects_garbage = false};
  return all;
}

bool SameAt(const ordered_json& a, const ordered_json& b, std::string_view path) {
  return SameJson(At(a, path), At(b, path));
}

// Decoded and encoded again, so that one value has one form.
Result<void> CanonicalBase64(ordered_json* value, const char* field) {
  const auto map = value->find(field);
  if (map == value->end()) return {};
  for (ordered_json& text : *map) {
    Result<std::string> bytes = DecodeBase64(text.get_ref<const std::string&>());
    if (!bytes.ok()) return bytes.error();
    text = EncodeBase64(*bytes);
  }
  return {};
}

// stringData is for writing only: it wins over data, and is never read back.
void FoldStringData(ordered_json* secret) {
  const auto extra = secret->find("stringData");
  if (extra == secret->end()) return;
  std::map<std::string, ordered_json> folded;
  if (const auto data = secret->find("data"); data != secret->end()) {
    for (auto& [key, text] : data->items()) folded[key] = std::move(text);
  }
  for (auto& [key, text] : extra->items()) {
    folded[key] = EncodeBase64(text.get_ref<const std::string&>());
  }
  ordered_json data = ordered_json::object();
  auto& fields = data.get_ref<ordered_json::object_t&>();
  for (auto& [key, text] : folded) fields.emplace_back(key, std::move(text));
  secret->erase("stringData");
  (*secret)["data"] = std::move(data);
}

void CheckDataKeys(const ordered_json& value, const std::string& field,
                   std::vector<FieldError>* errors) {
  const ordered_json& map = At(value, field);
  if (!map.is_object()) return;
  for (const auto& [key, text] : map.get_ref<const ordered_json::object_t&>()) {
    for (const std::string& why : ConfigKeyErrors(key)) {
      errors->push_back(FieldError::InvalidValue(fmt::format("{}[{}]", field, key), key, why));
    }
  }
}

size_t DataSize(const ordered_json& value, const char* field, bool base64) {
  size_t size = 0;
  const ordered_json& map = At(value, field);
  if (!map.is_object()) return 0;
  for (const ordered_json& text : map) {
    const size_t length = text.get_ref<const std::string&>().size();
    size += base64 ? length / 4 * 3 : length;
  }
  return size;
}

void CheckConfigMap(const ordered_json& value, std::vector<FieldError>* errors) {
  CheckDataKeys(value, "data", errors);
  CheckDataKeys(value, "binaryData", errors);
  const ordered_json& data = At(value, "data");
  const ordered_json& binary = At(value, "binaryData");
  if (data.is_object() && binary.is_object()) {
    std::set<std::string_view> keys;
    for (const auto& [key, text] : data.get_ref<const ordered_json::object_t&>()) keys.insert(key);
    for (const auto& [key, text] : binary.items()) {
      if (!keys.contains(key)) continue;
      errors->push_back(FieldError::InvalidValue(fmt::format("binaryData[{}]", key), key,
                                                 "duplicate of key present in data"));
    }
  }
  if (DataSize(value, "data", false) + DataSize(value, "binaryData", true) > kDataMax) {
    errors->push_back(FieldError::TooLong("[]", kDataMax));
  }
}

void CheckSecret(const ordered_json& value, std::vector<FieldError>* errors) {
  CheckDataKeys(value, "data", errors);
  if (DataSize(value, "data", true) > kDataMax) {
    errors->push_back(FieldError::TooLong("data", kDataMax));
  }
}

void CheckImmutable(const ordered_json& old, const ordered_json& value,
                    std::initializer_list<const char*> fields, std::vector<FieldError>* errors) {
  if (!FlagAt(old, "immutable")) return;
  constexpr std::string_view kWhy = "field is immutable when `immutable` is set";
  if (!FlagAt(value, "immutable")) errors->push_back(FieldError::Forbidden("immutable", kWhy));
  for (const char* field : fields) {
    if (!SameAt(old, value, field)) errors->push_back(FieldError::Forbidden(field, kWhy));
  }
}

void SetOrErase(ordered_json* value, const char* key, const ordered_json& from) {
  if (from.is_null()) {
    value->erase(key);
  } else {
    (*value)[key] = from;
  }
}

// The label by which selectors find a namespace by its name; nobody can take it off.
void LabelNamespace(ordered_json* value) {
  ordered_json& metadata = (*value)["metadata"];
  const std::string name = TextAt(metadata, "name");
  if (name.empty()) return;
  std::map<std::string, ordered_json> labels;
  if (At(metadata, "labels").is_object()) {
    for (auto& [key, text] : metadata["labels"].items()) labels[key] = text;
  }
  labels["kubernetes.io/metadata.name"] = name;
  ordered_json sorted = ordered_json::object();
  auto& fields = sorted.get_ref<ordered_json::object_t&>();
  for (auto& [key, text] : labels) fields.emplace_back(key, std::move(text));
  metadata["labels"] = std::move(sorted);
}

void PrepareNamespace(ordered_json* value) {
  ordered_json& spec = (*value)["spec"];
  bool held = false;
  for (const ordered_json& finalizer : ItemsAt(spec, "finalizers"))
    held |= finalizer == "kubernetes";
  if (!held) {
    if (!At(spec, "finalizers").is_array()) spec["finalizers"] = ordered_json::array();
    spec["finalizers"].push_back("kubernetes");
  }
  (*value)["status"] = {{"phase", "Active"}};
}

}  // namespace

const KindRules& RulesOf(const ResourceType& resource) {
  static const auto* const kRules = new std::map<std::string, KindRules>(AllRules());
  static const KindRules kPlain;
  const auto found = kRules->find(resource.kind());
  return found == kRules->end() ? kPlain : found->second;
}

Result<void> DecodeRules(const ResourceType& resource, ordered_json* value) {
  const std::string& kind = resource.kind();
  if (kind == "Secret" || kind == "ConfigMap") {
    const char* bytes_field = kind == "Secret" ? "data" : "binaryData";
    if (Result<void> good = CanonicalBase64(value, bytes_field); !good.ok()) return good.error();
  }
  if (kind == "Secret") FoldStringData(value);
  if (kind == "Namespace") LabelNamespace(value);
  ApplyDefaults(resource, value);
  FillZeroValues(resource, value);
  return {};
}

void PrepareForCreate(const ResourceType& resource, ordered_json* value) {
  const std::string& kind = resource.kind();
  if (RulesOf(resource).has_generation) (*value)["metadata"]["generation"] = 1;
  if (kind == "Pod") {
    (*value)["status"] = {{"phase", "Pending"}, {"qosClass", QosClassOf(*value)}};
  } else if (kind == "Namespace") {
    PrepareNamespace(value);
  } else if (kind == "Deployment") {
    (*value)["status"] = ordered_json::object();
  } else if (kind == "Service") {
    (*value)["status"] = {{"loadBalancer", ordered_json::object()}};
  }
}

void PrepareForUpdate(const ResourceType& resource, const ordered_json& old, ordered_json* value) {
  const std::string& kind = resource.kind();
  if (RulesOf(resource).has_status) SetOrErase(value, "status", At(old, "status"));
  if (kind == "Namespace") SetOrErase(value, "spec", At(old, "spec"));
  if (!RulesOf(resource).has_generation) return;
  const bool annotated = kind == "Deployment" && !SameAt(old, *value, "metadata.annotations");
  if (annotated || !SameAt(old, *value, "spec")) {
    (*value)["metadata"]["generation"] = NumberAt(old, "metadata.generation") + 1;
  }
}

void PrepareForStatusUpdate(const ResourceType& resource, const ordered_json& old,
                            ordered_json* value) {
  ordered_json status = At(*value, "status");
  ordered_json metadata = (*value)["metadata"];
  if (resource.kind() == "Pod") SetOrErase(&status, "qosClass", At(old, "status.qosClass"));
  *value = old;
  if (resource.kind() != "Deployment") {
    SetOrErase(&(*value)["metadata"], "labels", At(metadata, "labels"));
  }
  SetOrErase(&(*value)["metadata"], "annotations", At(metadata, "annotations"));
  SetOrErase(&(*value)["metadata"], "resourceVersion", At(metadata, "resourceVersion"));
  SetOrErase(value, "status", status);
}

std::vector<FieldError> ValidateKind(const ResourceType& resource, const ordered_json& value) {
  std::vector<FieldError> errors;
  if (resource.kind() == "ConfigMap") CheckConfigMap(value, &errors);
  if (resource.kind() == "Secret") CheckSecret(value, &errors);
  return errors;
}

std::vector<FieldError> ValidateKindUpdate(const ResourceType& resource, const ordered_json& old,
                                           const ordered_json& value) {
  std::vector<FieldError> errors;
  if (resource.kind() == "ConfigMap") {
    CheckImmutable(old, value, {"data", "binaryData"}, &errors);
  } else if (resource.kind() == "Secret") {
    if (const std::string type = TextAt(value, "type"); type != TextAt(old, "type")) {
      errors.push_back(FieldError::InvalidValue("type", type, "field is immutable"));
    }
    CheckImmutable(old, value, {"data"}, &errors);
  }
  return errors;
}

}  // namespace relist::fakeapi
