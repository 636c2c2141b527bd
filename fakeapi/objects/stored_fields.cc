#include "fakeapi/objects/stored_fields.h"

#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "fakeapi/api/resources.h"

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

// "spec.nodeName" of a value; null where a step is missing.
const ordered_json* Below(const ordered_json& value, std::string_view path) {
  const ordered_json* here = &value;
  while (true) {
    if (!here->is_object()) return nullptr;
    const size_t dot = path.find('.');
    const auto next = here->find(std::string(path.substr(0, dot)));
    if (next == here->end()) return nullptr;
    here = &*next;
    if (dot == std::string_view::npos) return here;
    path.remove_prefix(dot + 1);
  }
}

std::string TextAt(const ordered_json& value, std::string_view path) {
  const ordered_json* at = Below(value, path);
  if (at == nullptr || at->is_null() || at->is_structured()) return {};
  return at->is_string() ? at->get<std::string>() : at->dump();
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
    std::string old = TextAt(value, "source.component");
    return old.empty() ? TextAt(value, "reportingComponent") : old;
  }
  if (field == "name") return TextAt(value, "metadata.name");
  std::string text = TextAt(value, field);
  return text.empty() ? DefaultOf(resource, field) : text;
}

}  // namespace

std::map<std::string, std::string> LabelsOf(const nlohmann::ordered_json& value) {
  std::map<std::string, std::string> labels;
  const ordered_json* at = Below(value, "metadata.labels");
  if (at == nullptr || !at->is_object()) return labels;
  for (const auto& [key, label] : at->get_ref<const ordered_json::object_t&>()) {
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
