// What is special about each kind when it is written: defaults, what the server owns, what may not
// change.
//
//   DecodeRules(secrets, &value);                 // stringData folds into data, base64 is checked
//   PrepareForCreate(pods, &value);               // status.phase Pending, generation 1
//   PrepareForUpdate(deployments, old, &value);   // status as it was, generation moves with the
//   spec
//
// Values have been fitted to their schema (object_schema.h). Recordings: crud, pods, subresources,
// validation.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/result.h"
#include "fakeapi/api/api_errors.h"
#include "fakeapi/api/resources.h"

namespace relist::fakeapi {

struct KindRules {
  bool has_status = false;           // status belongs to the subresource
  bool has_generation = false;       // metadata.generation is the server's
  bool unconditional_update = true;  // a replace may come without resourceVersion
  bool create_on_update = false;     // a replace of what is missing makes it
  bool returns_deleted = false;      // a delete answers the object, not a Status
  bool collects_garbage = true;      // propagationPolicy means something
};
const KindRules& RulesOf(const ResourceType& resource);

// While decoding, on create and on update: defaults of the version, and types that JSON can't show.
// The Error's message is Go's.
Result<void> DecodeRules(const ResourceType& resource, nlohmann::ordered_json* value);

void PrepareForCreate(const ResourceType& resource, nlohmann::ordered_json* value);
void PrepareForUpdate(const ResourceType& resource, const nlohmann::ordered_json& old,
                      nlohmann::ordered_json* value);
// Everything but status (and labels and annotations, where the kind lets them pass) is as it was.
void PrepareForStatusUpdate(const ResourceType& resource, const nlohmann::ordered_json& old,
                            nlohmann::ordered_json* value);

// The kind's own part of a 422; metadata is metadata_rules.h.
std::vector<FieldError> ValidateKind(const ResourceType& resource,
                                     const nlohmann::ordered_json& value);
std::vector<FieldError> ValidateKindUpdate(const ResourceType& resource,
                                           const nlohmann::ordered_json& old,
                                           const nlohmann::ordered_json& value);

}  // namespace relist::fakeapi
