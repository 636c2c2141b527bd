// metav1.ObjectMeta: what every object has, but for managedFields, which stay in the raw object.
//
//   if (pod->metadata.deletion_timestamp.empty()) ...       // not being deleted
//   if (const OwnerReference* owner = ControllerOf(pod->metadata)) Enqueue(owner->uid);
//
// Texts that are empty, and numbers that are 0, are absent fields. Times are texts as the server
// writes them ("2026-01-01T00:00:00Z"; they sort as times do); empty: not set.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/wire/label_selector.h"

namespace relist::objects {

struct OwnerReference {
  std::string api_version, kind, name, uid;
  std::optional<bool> controller, block_owner_deletion;
  bool operator==(const OwnerReference&) const = default;
};

struct ObjectMeta {
  std::string name, generate_name, ns, uid, resource_version;
  int64_t generation = 0;
  std::string creation_timestamp, deletion_timestamp;
  std::optional<int64_t> deletion_grace_period_seconds;
  StringMap labels, annotations;
  std::vector<OwnerReference> owner_references;
  std::vector<std::string> finalizers;
  bool operator==(const ObjectMeta&) const = default;
};

// The owner that manages the object; null if it has none (client-go: GetControllerOf).
const OwnerReference* ControllerOf(const ObjectMeta& metadata);
bool HasFinalizer(const ObjectMeta& metadata, std::string_view finalizer);

void from_json(const nlohmann::json& from, OwnerReference& into);
void to_json(nlohmann::json& into, const OwnerReference& from);
void from_json(const nlohmann::json& from, ObjectMeta& into);
void to_json(nlohmann::json& into, const ObjectMeta& from);

}  // namespace relist::objects
