#include "scenarios/checkers/scope.h"

#include <nlohmann/json.hpp>

#include "fakeapi/api/resources.h"
#include "fakeapi/store/selectors.h"

namespace relist {

struct Scope::Selectors {
  fakeapi::LabelSelector labels;
  std::string fields_text;
  fakeapi::FieldSelector fields;
  bool broken = false;
};

namespace {

// "spec.nodeName" of an object, as text; "" where it has none.
std::string FieldAt(const nlohmann::json& object, const std::string& path) {
  const nlohmann::json* at = &object;
  for (size_t begin = 0; begin <= path.size();) {
    const size_t end = std::min(path.find('.', begin), path.size());
    const auto found = at->is_object() ? at->find(path.substr(begin, end - begin)) : at->end();
    if (!at->is_object() || found == at->end()) return "";
    at = &*found;
    begin = end + 1;
  }
  return at->is_string() ? at->get<std::string>() : at->is_primitive() ? at->dump() : "";
}

// The names of the fields that a selector looks at.
fakeapi::StringMap FieldsOf(const nlohmann::json& object, const std::string& selector) {
  fakeapi::StringMap fields;
  for (size_t begin = 0; begin < selector.size();) {
    const size_t end = std::min(selector.find(',', begin), selector.size());
    const std::string term = selector.substr(begin, end - begin);
    const std::string name = term.substr(0, term.find_first_of("!="));
    fields[name] = FieldAt(object, name);
    begin = end + 1;
  }
  return fields;
}

}  // namespace

Scope::Scope(const ScopeSpec& spec)
    : resource_(spec.resource), ns_prefix_(spec.ns.empty() ? "" : spec.ns + "/"), name_(spec.name) {
  if (spec.labels.empty() && spec.fields.empty()) return;
  selectors_ = std::make_unique<Selectors>();
  const fakeapi::ResourceType* type = fakeapi::FindByName(spec.resource);
  auto parsed_labels = fakeapi::LabelSelector::Parse(spec.labels);
  if (!type || !parsed_labels.ok()) {
    selectors_->broken = true;
    return;
  }
  selectors_->labels = std::move(*parsed_labels);
  auto parsed_fields = fakeapi::FieldSelector::Parse(*type, spec.fields);
  selectors_->broken = !parsed_fields.ok();
  if (parsed_fields.ok()) selectors_->fields = std::move(*parsed_fields);
  selectors_->fields_text = spec.fields;
}

Scope::~Scope() = default;

bool Scope::MayMatch(std::string_view resource, std::string_view key) const {
  if (resource != resource_ || !key.starts_with(ns_prefix_)) return false;
  return name_.empty() || key.substr(key.find('/') + 1) == name_;  // without a slash: all of it
}

bool Scope::Matches(const Object* shown) const {
  if (!selectors_) return true;
  if (selectors_->broken || !shown) return false;
  const nlohmann::json& object = shown->json();
  if (!selectors_->labels.everything()) {
    fakeapi::StringMap labels;
    const auto metadata = object.find("metadata");
    if (metadata != object.end() && metadata->contains("labels")) {
      for (const auto& [key, value] : (*metadata)["labels"].items()) {
        if (value.is_string()) labels[key] = value.get<std::string>();
      }
    }
    if (!selectors_->labels.Matches(labels)) return false;
  }
  return selectors_->fields.everything() ||
         selectors_->fields.Matches(FieldsOf(object, selectors_->fields_text));
}

}  // namespace relist
