// Reading into JSON values that may lack anything: a missing step, or another type, is the empty
// answer.
//
//   TextAt(pod, "spec.nodeName");   // "" where it is not set
//   const ordered_json& containers = At(pod, "spec.containers");   // null where there are none
//   for (const ordered_json& one : ItemsAt(pod, "spec.containers")) ...
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace relist::fakeapi {

// The value at a dotted path of fields; a null of static lifetime where there is none.
const nlohmann::ordered_json& At(const nlohmann::ordered_json& value, std::string_view path);
std::string TextAt(const nlohmann::ordered_json& value, std::string_view path);
int64_t NumberAt(const nlohmann::ordered_json& value, std::string_view path, int64_t otherwise = 0);
bool FlagAt(const nlohmann::ordered_json& value, std::string_view path);
// The elements of an array, none where it is not one.
const std::vector<nlohmann::ordered_json>& ItemsAt(const nlohmann::ordered_json& value,
                                                   std::string_view path);
// Equal as JSON: the order of fields does not count.
bool SameJson(const nlohmann::ordered_json& a, const nlohmann::ordered_json& b);
// Number of fields of an object.
size_t CountAt(const nlohmann::ordered_json& value, std::string_view path);

}  // namespace relist::fakeapi
