#include "fakeapi/objects/stored_fields.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "fakeapi/api/resources.h"
#include "fakeapi/encoding/json_path.h"

namespace relist::fakeapi {
namespace {

using nlohmann::ordered_json;

// What the real server fills in before it stores an object, and what Go prints for an absent
// boolean.
constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kDefaults = {{
    {"spec.hostNetwork", "false"},
    {"spec.restartPolicy", "Always"},
    {"spec.schedulerName", "default-scheduler"},
    {"spec.serviceAccountName", "default"},
    {"spec.unschedulable", "false"},
    {"spec.type", "ClusterIP"},
}};

// As text whatever it is, a number or a boolean, too.
std::string ScalarAt(const ordered_json& value, std::string_view path) {
  const ordered_json& at = At(value, path);
  if (at.is_null() || at.is_structured()) return {};
  return at.is_string() ? at.get<std::string>() : at.dump();
}

std::string DefaultOf(const ResourceType& resource, std::string_view field) {
  const std::string& kind = resource.kind();
  if (field == "status.phase") return kind == "Pod" ? "Pending" : "Active";
  if (field == "type") return kind == "Secret" ? "Opaque" : "";
  for (const auto& [name, value] : kDefaults) {
    if (name == field) return std::string(value);
  }
  return {};
}

std::string FieldOf(const ResourceType& resource, const ordered_json& value,
                    const std::string& field) {
  // Two fields are not paths: who reported an Event (in the old form or in the new one), and the
  // old spelling of a namespace's name.
  if (resource.kind() == "Event" && (field == "source" || field == "reportingComponent")) {
    std::string old = ScalarAt(value, "source.component");
    return old.empty() ? ScalarAt(value, "reportingComponent") : old;
  }
  if (field == "name") return ScalarAt(value, "metadata.name");
  std::string text = ScalarAt(value, field);
  return text.empty() ? DefaultOf(resource, field) : text;
}

}  // namespace

std::map<std::string, std::string> LabelsOf(const nlohmann::ordered_json& value) {
  std::map<std::string, std::string> labels;
  const ordered_json& at = At(value, "metadata.labels");
  if (!at.is_object()) return labels;
  for (const auto& [key, label] : at.get_ref<const ordered_json::object_t&>()) {
    if (label.is_string()) labels.emplace(key, label.get_ref<const std::string&>());
  }
  return labels;
}

std::map<std::string, std::string> FieldsOf(const ResourceType& resource,
                                            const nlohmann::ordered_json& value) {
  std::map<std::string, std::string> fields;
  for (const std::string& field : resource.field_selectors) {
    if (field == "metadata.name" || field == "metadata.namespace") continue;
    fields.emplace(field, FieldOf(resource, value, field));
  }
  return fields;
}

}  // namespace relist::fakeapi
