#include "scenarios/checkers/scope.h"

#include <nlohmann/json.hpp>

#include "fakeapi/api/resources.h"
#include "fakeapi/objects/stored_fields.h"
#include "fakeapi/store/selectors.h"

namespace relist {

struct Scope::Selectors {
  LabelSelector labels;
  fakeapi::FieldSelector fields;
  const fakeapi::ResourceType* type = nullptr;
  bool broken = false;
};

Scope::Scope(const ScopeSpec& spec)
    : resource_(spec.resource), ns_prefix_(spec.ns.empty() ? "" : spec.ns + "/"), name_(spec.name) {
  if (spec.labels.empty() && spec.fields.empty()) return;
  selectors_ = std::make_unique<Selectors>();
  const fakeapi::ResourceType* type = fakeapi::FindByName(spec.resource);
  auto parsed_labels = LabelSelector::Parse(spec.labels);
  if (!type || !parsed_labels.ok()) {
    selectors_->broken = true;
    return;
  }
  selectors_->type = type;
  selectors_->labels = std::move(*parsed_labels);
  auto parsed_fields = fakeapi::FieldSelector::Parse(*type, spec.fields);
  selectors_->broken = !parsed_fields.ok();
  if (parsed_fields.ok()) selectors_->fields = std::move(*parsed_fields);
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
    StringMap labels;
    const auto metadata = object.find("metadata");
    if (metadata != object.end() && metadata->contains("labels")) {
      for (const auto& [key, value] : (*metadata)["labels"].items()) {
        if (value.is_string()) labels[key] = value.get<std::string>();
      }
    }
    if (!selectors_->labels.Matches(labels)) return false;
  }
  if (selectors_->fields.everything()) return true;
  // What the server looks at: some fields have defaults, and some are no paths.
  const auto value = nlohmann::ordered_json::parse(shown->bytes(), nullptr, false);
  return selectors_->fields.Matches(shown->key(), fakeapi::FieldsOf(*selectors_->type, value));
}

}  // namespace relist
