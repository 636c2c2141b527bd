// What selectors look at, read off an object when it is stored: its labels and its kind's
// selectable fields.
//
//   FieldsOf(pods, value);   // {{"spec.nodeName", "n1"}, {"status.phase", "Running"}, ...}
//
// Name and namespace, which every kind has, are left out: they are the object's key.
// Fields are text, as a field selector compares them: an absent one is "", or the real server's
// default (a pod's spec.restartPolicy is "Always"); a boolean is "true" or "false". Pure functions.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <string>

namespace relist::fakeapi {

struct ResourceType;

std::map<std::string, std::string> LabelsOf(const nlohmann::ordered_json& value);
std::map<std::string, std::string> FieldsOf(const ResourceType& resource,
                                            const nlohmann::ordered_json& value);

}  // namespace relist::fakeapi
