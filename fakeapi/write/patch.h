// Patches applied to a value: JSON merge patch (RFC 7386), JSON patch (RFC 6902), strategic merge
// patch.
//
//   Result<void> done = ApplyMergePatch(R"({"data":{"a":null}})"_json, &value);
//
// Recordings: chapter patch. Nothing is known here of what the patched object must be. Deep values
// need a deep stack.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "core/result.h"
#include "fakeapi/api/resources.h"

namespace relist::fakeapi {

enum class PatchType { kMerge, kJson, kStrategic };

// By Content-Type. 415 for what is none, 501 for server-side apply, which this server does not do.
Result<PatchType> PatchTypeOf(std::string_view content_type);

// Parses `patch`, applies it to `value`. Errors are Statuses: 400 for what is no patch, 422 for
// what can't be applied.
Result<void> ApplyPatch(PatchType type, const ResourceType& resource, const std::string& patch,
                        nlohmann::ordered_json* value);

// RFC 7386: objects are merged, null takes away, anything else replaces.
void ApplyMergePatch(const nlohmann::ordered_json& patch, nlohmann::ordered_json* value);

// strategic_merge_patch.cc: lists with a merge key are merged by it; $patch, $retainKeys,
// $setElementOrder and $deleteFromPrimitiveList are obeyed.
Result<void> ApplyStrategicMergePatch(const ResourceType& resource,
                                      const nlohmann::ordered_json& patch,
                                      nlohmann::ordered_json* value);

}  // namespace relist::fakeapi
