#include "reflector/objects/object_meta.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reflector/objects/json_fields.h"

namespace relist::objects {

const OwnerReference* ControllerOf(const ObjectMeta& metadata) {
  for (const OwnerReference& owner : metadata.owner_references) {
    if (owner.controller == true) return &owner;
  }
  return nullptr;
}

bool HasFinalizer(const ObjectMeta& metadata, std::string_view finalizer) {
  return std::find(metadata.finalizers.begin(), metadata.finalizers.end(), finalizer) !=
         metadata.finalizers.end();
}

void from_json(const Json& from, OwnerReference& into) {
  ReadField(from, "apiVersion", &into.api_version);
  ReadField(from, "kind", &into.kind);
  ReadField(from, "name", &into.name);
  ReadField(from, "uid", &into.uid);
  ReadField(from, "controller", &into.controller);
  ReadField(from, "blockOwnerDeletion", &into.block_owner_deletion);
}

void to_json(Json& into, const OwnerReference& from) {
  SetField(&into, "apiVersion", from.api_version);
  SetField(&into, "kind", from.kind);
  SetField(&into, "name", from.name);
  SetField(&into, "uid", from.uid);
  WriteField(&into, "controller", from.controller);
  WriteField(&into, "blockOwnerDeletion", from.block_owner_deletion);
}

void from_json(const Json& from, ObjectMeta& into) {
  ReadField(from, "name", &into.name);
  ReadField(from, "generateName", &into.generate_name);
  ReadField(from, "namespace", &into.ns);
  ReadField(from, "uid", &into.uid);
  ReadField(from, "resourceVersion", &into.resource_version);
  ReadField(from, "generation", &into.generation);
  ReadField(from, "creationTimestamp", &into.creation_timestamp);
  ReadField(from, "deletionTimestamp", &into.deletion_timestamp);
  ReadField(from, "deletionGracePeriodSeconds", &into.deletion_grace_period_seconds);
  ReadField(from, "labels", &into.labels);
  ReadField(from, "annotations", &into.annotations);
  ReadField(from, "ownerReferences", &into.owner_references);
  ReadField(from, "finalizers", &into.finalizers);
}

void to_json(Json& into, const ObjectMeta& from) {
  WriteField(&into, "name", from.name);
  WriteField(&into, "generateName", from.generate_name);
  WriteField(&into, "namespace", from.ns);
  WriteField(&into, "uid", from.uid);
  WriteField(&into, "resourceVersion", from.resource_version);
  WriteField(&into, "generation", from.generation);
  WriteField(&into, "creationTimestamp", from.creation_timestamp);
  WriteField(&into, "deletionTimestamp", from.deletion_timestamp);
  WriteField(&into, "deletionGracePeriodSeconds", from.deletion_grace_period_seconds);
  WriteField(&into, "labels", from.labels);
  WriteField(&into, "annotations", from.annotations);
  WriteField(&into, "ownerReferences", from.owner_references);
  WriteField(&into, "finalizers", from.finalizers);
}

}  // namespace relist::objects
