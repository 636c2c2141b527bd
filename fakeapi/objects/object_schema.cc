#include "fakeapi/objects/object_schema.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/wire/rfc3339.h"

namespace relist::fakeapi {
namespace {

using nlohmann::ordered_json;
using Fields = ordered_json::object_t;
using Schema = std::vector<FieldSchema>;

constexpr FieldSchema kMetaField{"metadata", FieldType::kMeta, "v1.ObjectMeta", "{}"};

constexpr std::string_view kNodeStatus =
    R"({"daemonEndpoints":{"kubeletEndpoint":{"Port":0}},"nodeInfo":{"machineID":"","systemUUID":"","bootID":"",)"
    R"("kernelVersion":"","osImage":"","containerRuntimeVersion":"","kubeletVersion":"","kubeProxyVersion":"",)"
    R"("operatingSystem":"","architecture":""}})";
constexpr std::string_view kDeploymentSpec =
    R"({"replicas":0,"selector":null,"template":{"metadata":{},"spec":{"containers":null}},"strategy":{}})";

std::map<std::string, Schema> AllSchemas() {
  using enum FieldType;
  return {
      {"ConfigMap",
       {kMetaField,
        {"immutable", kBool, "bool"},
        {"data", kStringMap, "map[string]string"},
        {"binaryData", kBytesMap, "map[string][]uint8"}}},
      {"Secret",
       {kMetaField,
        {"immutable", kBool, "bool"},
        {"data", kBytesMap, "map[string][]uint8"},
        {"stringData", kStringMap, "map[string]string"},
        {"type", kString, "v1.SecretType"}}},
      {"Namespace",
       {kMetaField,
        {"spec", kStruct, "v1.NamespaceSpec", "{}"},
        {"status", kStruct, "v1.NamespaceStatus", "{}"}}},
      {"Node",
       {kMetaField,
        {"spec", kStruct, "v1.NodeSpec", "{}"},
        {"status", kStruct, "v1.NodeStatus", kNodeStatus}}},
      {"Pod",
       {kMetaField,
        {"spec", kStruct, "v1.PodSpec", R"({"containers":null})"},
        {"status", kStruct, "v1.PodStatus", "{}"}}},
      {"Service",
       {kMetaField,
        {"spec", kStruct, "v1.ServiceSpec", "{}"},
        {"status", kStruct, "v1.ServiceStatus", R"({"loadBalancer":{}})"}}},
      {"Deployment",
       {kMetaField,
        {"spec", kStruct, "v1.DeploymentSpec", kDeploymentSpec},
        {"status", kStruct, "v1.DeploymentStatus", "{}"}}},
      {"Lease", {kMetaField, {"spec", kStruct, "v1.LeaseSpec", "{}"}}},
      {"Event",
       {kMetaField,
        {"involvedObject", kStruct, "v1.ObjectReference", "{}"},
        {"reason", kString, "string"},
        {"message", kString, "string"},
        {"source", kStruct, "v1.EventSource", "{}"},
        {"firstTimestamp", kTime, "v1.Time", "null"},
        {"lastTimestamp", kTime, "v1.Time", "null"},
        {"count", kInteger, "int32"},
        {"type", kString, "string"},
        {"eventTime", kTime, "v1.MicroTime", "null"},
        {"series", kStruct, "v1.EventSeries"},
        {"action", kString, "string"},
        {"related", kStruct, "v1.ObjectReference"},
        {"reportingComponent", kString, "string", "\"\""},
        {"reportingInstance", kString, "string", "\"\""}}},
  };
}

std::string_view JsonTypeName(const ordered_json& value) {
  if (value.is_object()) return "object";
  if (value.is_array()) return "array";
  if (value.is_string()) return "string";
  if (value.is_boolean()) return "bool";
  if (value.is_number()) return "number";
  return "null";
}

// "ConfigMap.data", "ObjectMeta.metadata.name": how Go names the place.
struct Place {
  std::string_view go_struct;
  std::string path;  // "", "metadata."
};

Error WrongType(const ordered_json& value, const Place& place, std::string_view field,
                std::string_view go_type) {
  return Error::Net(Transport::kProtocol,
                    fmt::format("json: cannot unmarshal {} into Go struct field {}.{}{} of type {}",
                                JsonTypeName(value), place.go_struct, place.path, field, go_type));
}

bool HasType(const ordered_json& value, FieldType type) {
  switch (type) {
    case FieldType::kString:
    case FieldType::kTime:
      return value.is_string();
    case FieldType::kBool:
      return value.is_boolean();
    case FieldType::kInteger:
      return value.is_number_integer();
    case FieldType::kStringList:
    case FieldType::kStructList:
      return value.is_array();
    default:
      return value.is_object();
  }
}

// Of a map or list whose elements are all of one type; null elements are Go's zero value.
Result<void> CheckElements(const FieldSchema& field, const Place& place, ordered_json* value) {
  const bool text = field.type == FieldType::kStringMap || field.type == FieldType::kBytesMap ||
                    field.type == FieldType::kStringList;
  for (ordered_json& element : *value) {
    if (text && element.is_null()) element = "";
    if (text ? element.is_string() : element.is_object()) continue;
    const std::string_view go_type = field.type == FieldType::kBytesMap ? "[]uint8"
                                     : text                             ? "string"
                                                                        : field.go_type;
    return WrongType(element, place, field.name, go_type);
  }
  return {};
}

void SortByKey(ordered_json* map) {
  Fields& fields = map->get_ref<Fields&>();
  const auto by_key = [](const auto& a, const auto& b) { return a.first < b.first; };
  if (std::is_sorted(fields.begin(), fields.end(), by_key)) return;
  // Keys are const in place: sort by moving into a map.
  std::map<std::string, ordered_json> sorted;
  for (auto& [key, value] : fields) sorted.emplace(key, std::move(value));
  Fields rebuilt;
  rebuilt.reserve(sorted.size());
  for (auto& [key, value] : sorted) rebuilt.emplace_back(key, std::move(value));
  fields = std::move(rebuilt);
}

// Whether Go's omitempty leaves it out.
bool IsOmitted(const FieldSchema& field, const ordered_json& value) {
  if (!field.zero.empty()) return false;
  switch (field.type) {
    case FieldType::kString:
    case FieldType::kTime:
      return value.get_ref<const std::string&>().empty();
    case FieldType::kInteger:
      return value == 0 && field.name != "deletionGracePeriodSeconds";
    case FieldType::kStringMap:
    case FieldType::kBytesMap:
    case FieldType::kStringList:
    case FieldType::kStructList:
      return value.empty();
    default:
      return false;
  }
}

Result<void> CheckField(const FieldSchema& field, const Place& place, ordered_json* value) {
  if (!HasType(*value, field.type)) return WrongType(*value, place, field.name, field.go_type);
  switch (field.type) {
    case FieldType::kStringMap:
    case FieldType::kBytesMap:
      SortByKey(value);
      [[fallthrough]];
    case FieldType::kStringList:
    case FieldType::kStructList:
      return CheckElements(field, place, value);
    case FieldType::kTime:
      if (*value != "" && !ParseRfc3339(value->get_ref<const std::string&>())) {
        return Error::Net(Transport::kProtocol,
                          fmt::format("parsing time {} as \"2006-01-02T15:04:05Z07:00\": cannot "
                                      "parse it",
                                      value->dump()));
      }
      return {};
    default:
      return {};
  }
}

// Rebuilds `value` in the schema's order; what is left over is unknown.
Result<void> Fit(const Schema& schema, const Place& place, ordered_json* value,
                 std::vector<std::string>* unknown) {
  Fields& fields = value->get_ref<Fields&>();
  Fields fitted;
  fitted.reserve(fields.size());
  std::vector<char> used(fields.size(), 0);
  for (const FieldSchema& field : schema) {
    size_t at = 0;
    while (at < fields.size() && fields.begin()[at].first != field.name) ++at;
    if (at == fields.size()) continue;
    used[at] = 1;
    ordered_json& found = fields.begin()[at].second;
    if (found.is_null()) continue;
    if (Result<void> good = CheckField(field, place, &found); !good.ok()) return good.error();
    if (!IsOmitted(field, found)) fitted.emplace_back(fields.begin()[at].first, std::move(found));
  }
  for (size_t i = 0; i < used.size(); ++i) {
    if (!used[i]) unknown->push_back(place.path + fields.begin()[i].first);
  }
  fields = std::move(fitted);
  return {};
}

void FillFrom(const ordered_json& zero, ordered_json* value) {
  if (!zero.is_object() || !value->is_object()) return;
  for (const auto& [key, filler] : zero.items()) {
    if (const auto found = value->find(key); found != value->end()) {
      FillFrom(filler, &*found);
    } else {
      (*value)[key] = filler;
    }
  }
}

}  // namespace

const std::vector<FieldSchema>& TopLevelFields(const ResourceType& resource) {
  static const auto* const kSchemas = new std::map<std::string, Schema>(AllSchemas());
  return kSchemas->at(resource.kind());
}

const std::vector<FieldSchema>& MetadataFields() {
  using enum FieldType;
  static const auto* const kSchema =
      new Schema{{"name", kString, "string"},
                 {"generateName", kString, "string"},
                 {"namespace", kString, "string"},
                 {"selfLink", kString, "string"},
                 {"uid", kString, "types.UID"},
                 {"resourceVersion", kString, "string"},
                 {"generation", kInteger, "int64"},
                 {"creationTimestamp", kTime, "v1.Time"},
                 {"deletionTimestamp", kTime, "v1.Time"},
                 {"deletionGracePeriodSeconds", kInteger, "int64"},
                 {"labels", kStringMap, "map[string]string"},
                 {"annotations", kStringMap, "map[string]string"},
                 {"ownerReferences", kStructList, "v1.OwnerReference"},
                 {"finalizers", kStringList, "string"},
                 {"managedFields", kStructList, "v1.ManagedFieldsEntry"}};
  return *kSchema;
}

Result<std::vector<std::string>> FitToSchema(const ResourceType& resource, ordered_json* value) {
  value->erase("kind");
  value->erase("apiVersion");
  // Null, as Go decodes it, is as if it were not there.
  if (ordered_json& metadata = (*value)["metadata"]; metadata.is_null()) {
    metadata = ordered_json::object();
  }
  std::vector<std::string> unknown;
  Place top{resource.kind(), ""};
  // metadata first, so that its unknown fields come first, as Go meets them in most documents.
  if (const auto metadata = value->find("metadata");
      metadata != value->end() && metadata->is_object()) {
    const Place place{"ObjectMeta", "metadata."};
    if (Result<void> good = Fit(MetadataFields(), place, &*metadata, &unknown); !good.ok()) {
      return good.error();
    }
    metadata->erase("managedFields");
  }
  if (Result<void> good = Fit(TopLevelFields(resource), top, value, &unknown); !good.ok()) {
    return good.error();
  }
  return unknown;
}

void OrderMetadata(ordered_json* metadata) {
  Fields& fields = metadata->get_ref<Fields&>();
  Fields ordered;
  ordered.reserve(fields.size());
  for (const FieldSchema& field : MetadataFields()) {
    const auto found = std::find_if(fields.begin(), fields.end(),
                                    [&](const auto& one) { return one.first == field.name; });
    if (found != fields.end()) ordered.emplace_back(found->first, std::move(found->second));
  }
  fields = std::move(ordered);
}

void FillZeroValues(const ResourceType& resource, ordered_json* value) {
  const Schema& schema = TopLevelFields(resource);
  bool missing = false;
  for (const FieldSchema& field : schema) {
    if (field.zero.empty() || field.type == FieldType::kMeta) continue;
    const auto found = value->find(std::string(field.name));
    missing |= found == value->end();
    const ordered_json zero = ordered_json::parse(field.zero);
    if (found == value->end()) {
      (*value)[std::string(field.name)] = zero;
    } else {
      FillFrom(zero, &*found);
    }
  }
  if (!missing) return;
  Fields& fields = value->get_ref<Fields&>();
  Fields ordered;
  ordered.reserve(fields.size());
  for (const FieldSchema& field : schema) {
    for (auto& [key, part] : fields) {
      if (key == field.name) ordered.emplace_back(key, std::move(part));
    }
  }
  fields = std::move(ordered);
}

std::string ZeroValueTail(const ResourceType& resource) {
  std::string tail;
  for (const FieldSchema& field : TopLevelFields(resource)) {
    if (field.name == "metadata" || field.zero.empty()) continue;
    tail += fmt::format(",\"{}\":{}", field.name, field.zero);
  }
  return tail;
}

}  // namespace relist::fakeapi
