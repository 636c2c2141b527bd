// What selectors look at, read off an object when it is stored: its labels and its kind's
// selectable fields.
//
//   FieldsOf(pods, {"default", "web"}, value);   // {{"metadata.name", "web"}, {"spec.nodeName",
//   "n1"}, ...}
//
// Fields are text, as a field selector compares them: an absent one is "", or the real server's
// default (a pod's spec.restartPolicy is "Always"); a boolean is "true" or "false". Pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <string>

#include "core/wire/object_key.h"

namespace relist::fakeapi {

struct ResourceType;

std::map<std::string, std::string> LabelsOf(const nlohmann::ordered_json& value);
std::map<std::string, std::string> FieldsOf(const ResourceType& resource, const ObjectKey& key,
                                            const nlohmann::ordered_json& value);

}  // namespace relist::fakeapi
