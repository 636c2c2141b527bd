#include "fakeapi/objects/metadata_rules.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/wire/names.h"
#include "fakeapi/encoding/json_path.h"

namespace relist::fakeapi {
namespace {

using nlohmann::ordered_json;

constexpr size_t kAnnotationsMax = 256 * 1024;

void CheckName(const ResourceType& resource, const ordered_json& metadata,
               std::vector<FieldError>* errors) {
  if (std::string prefix = TextAt(metadata, "generateName"); !prefix.empty()) {
    // A prefix may end in a dash: what is generated goes on behind it.
    std::string masked = prefix;
    if (masked.size() > 1 && masked.ends_with('-')) masked.back() = 'a';
    for (const std::string& why : NameErrorsOf(resource, masked)) {
      errors->push_back(FieldError::InvalidValue("metadata.generateName", prefix, why));
    }
  }
  const std::string name = TextAt(metadata, "name");
  if (name.empty()) {
    errors->push_back(FieldError::Required("metadata.name", "name or generateName is required"));
    return;
  }
  for (const std::string& why : NameErrorsOf(resource, name)) {
    errors->push_back(FieldError::InvalidValue("metadata.name", name, why));
  }
}

void CheckLabels(const ordered_json& labels, std::vector<FieldError>* errors) {
  if (!labels.is_object()) return;
  for (const auto& [key, value] : labels.items()) {
    for (const std::string& why : QualifiedNameErrors(key)) {
      errors->push_back(FieldError::InvalidValue("metadata.labels", key, why));
    }
    const std::string& text = value.get_ref<const std::string&>();
    for (const std::string& why : LabelValueErrors(text)) {
      errors->push_back(FieldError::InvalidValue("metadata.labels", text, why));
    }
  }
}

void CheckAnnotations(const ordered_json& annotations, std::vector<FieldError>* errors) {
  if (!annotations.is_object()) return;
  size_t size = 0;
  for (const auto& [key, value] : annotations.items()) {
    size += key.size() + value.get_ref<const std::string&>().size();
    std::string lower = key;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
    for (const std::string& why : QualifiedNameErrors(lower)) {
      errors->push_back(FieldError::InvalidValue("metadata.annotations", key, why));
    }
  }
  if (size > kAnnotationsMax) {
    errors->push_back(FieldError::TooLong("metadata.annotations", kAnnotationsMax));
  }
}

void CheckOwners(const ordered_json& metadata, std::vector<FieldError>* errors) {
  const std::vector<ordered_json>& owners = ItemsAt(metadata, "ownerReferences");
  std::string controller;
  for (size_t i = 0; i < owners.size(); ++i) {
    const std::string path = fmt::format("metadata.ownerReferences[{}]", i);
    if (TextAt(owners[i], "apiVersion").empty()) {
      errors->push_back(
          FieldError::InvalidValue(path + ".apiVersion", "", "version must not be empty"));
    }
    for (const char* field : {"kind", "name"}) {
      if (!TextAt(owners[i], field).empty()) continue;
      errors->push_back(
          FieldError::InvalidValue(fmt::format("{}.{}", path, field), "", "must not be empty"));
    }
    if (TextAt(owners[i], "uid").empty()) {
      errors->push_back(FieldError::Required(path + ".uid", "must not be empty"));
    }
    if (!FlagAt(owners[i], "controller")) continue;
    const std::string name = TextAt(owners[i], "name");
    if (!controller.empty()) {
      errors->push_back(
          {"FieldValueInvalid", "metadata.ownerReferences",
           fmt::format("Invalid value: {}: Only one reference can have Controller set to true. "
                       "Found \"true\" in references for {} and {}",
                       At(metadata, "ownerReferences").dump(), controller, name)});
    }
    controller = name;
  }
}

bool IsStandardFinalizer(const std::string& name) {
  return name == "kubernetes" || name == "orphan" || name == "foregroundDeletion";
}

void CheckFinalizers(const ordered_json& metadata, std::vector<FieldError>* errors) {
  const std::vector<ordered_json>& finalizers = ItemsAt(metadata, "finalizers");
  for (const ordered_json& finalizer : finalizers) {
    const std::string& name = finalizer.get_ref<const std::string&>();
    for (const std::string& why : QualifiedNameErrors(name)) {
      errors->push_back(FieldError::InvalidValue("metadata.finalizers", name, why));
    }
  }
  for (size_t i = 0; i < finalizers.size(); ++i) {
    const std::string& name = finalizers[i].get_ref<const std::string&>();
    if (name.find('/') != std::string::npos || IsStandardFinalizer(name)) continue;
    errors->push_back(FieldError::InvalidValue(
        fmt::format("metadata.finalizers[{}]", i), name,
        "name is neither a standard finalizer name nor is it fully qualified"));
  }
}

}  // namespace

NameErrors NameErrorsOf(const ResourceType& resource, std::string_view name) {
  if (resource.kind() == "Namespace") return Dns1123LabelErrors(name);
  if (resource.kind() == "Service") return Dns1035LabelErrors(name);
  return Dns1123SubdomainErrors(name);
}

std::vector<FieldError> ValidateMetadata(const ResourceType& resource,
                                         const ordered_json& metadata) {
  std::vector<FieldError> errors;
  CheckName(resource, metadata, &errors);
  if (NumberAt(metadata, "generation") < 0) {
    errors.push_back({"FieldValueInvalid", "metadata.generation",
                      fmt::format("Invalid value: {}: must be greater than or equal to 0",
                                  NumberAt(metadata, "generation"))});
  }
  CheckLabels(At(metadata, "labels"), &errors);
  CheckAnnotations(At(metadata, "annotations"), &errors);
  CheckOwners(metadata, &errors);
  CheckFinalizers(metadata, &errors);
  return errors;
}

std::vector<FieldError> ValidateMetadataUpdate(const ordered_json& old,
                                               const ordered_json& metadata) {
  std::vector<FieldError> errors;
  for (const char* field : {"uid", "creationTimestamp", "deletionTimestamp"}) {
    const std::string was = TextAt(old, field), is = TextAt(metadata, field);
    // Left out is left as it is; of an object on its way out, the time can't be changed by anybody.
    if (is.empty() || is == was ||
        (field == std::string_view("deletionTimestamp") && !was.empty())) {
      continue;
    }
    errors.push_back(
        FieldError::InvalidValue(fmt::format("metadata.{}", field), is, "field is immutable"));
  }
  // A finalizer may go, but none may be added once the object is on its way out.
  if (At(old, "deletionTimestamp").is_string()) {
    const std::vector<ordered_json>& before = ItemsAt(old, "finalizers");
    std::string added;
    for (const ordered_json& finalizer : ItemsAt(metadata, "finalizers")) {
      if (std::find(before.begin(), before.end(), finalizer) != before.end()) continue;
      added += (added.empty() ? "" : ", ") + finalizer.dump();
    }
    if (!added.empty()) {
      errors.push_back(FieldError::Forbidden(
          "metadata.finalizers",
          fmt::format("no new finalizers can be added if the object is being deleted, found new "
                      "finalizers []string{{{}}}",
                      added)));
    }
  }
  return errors;
}

}  // namespace relist::fakeapi
