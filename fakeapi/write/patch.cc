#include "fakeapi/write/patch.h"

#include <fmt/core.h>

#include <map>
#include <nlohmann/json.hpp>

#include "core/wire/object.h"
#include "fakeapi/api/api_errors.h"
#include "fakeapi/encoding/json_path.h"
#include "fakeapi/encoding/json_reader.h"
#include "fakeapi/encoding/json_writer.h"

namespace relist::fakeapi {
namespace {

using nlohmann::ordered_json;
using Fields = ordered_json::object_t;

constexpr size_t kJsonPatchOperationsMax = 10000;
constexpr size_t kJsonPatchCopyMax = 3 * 1024 * 1024;
// Above so many comparisons an index pays.
constexpr size_t kLinearMergeMax = 4096;

Error CannotApply() {
  Error error =
      Error::Api(422, "Invalid", "the server rejected our request due to an error in our request");
  error.status.details = StatusDetails{};
  return error;
}

void MergeInto(const ordered_json& change, ordered_json* place) {
  if (change.is_object()) {
    ApplyMergePatch(change, place);
  } else {
    *place = change;
  }
}

// The same as field by field, for objects of many fields.
void MergeByIndex(const Fields& changes, Fields* fields) {
  std::map<std::string, ordered_json> index;
  for (auto& [key, value] : *fields) index[key] = std::move(value);
  for (const auto& [key, change] : changes) {
    if (change.is_null()) {
      index.erase(key);
    } else {
      MergeInto(change, &index[key]);
    }
  }
  Fields merged;
  merged.reserve(index.size());
  for (auto& [key, value] : index) merged.emplace_back(key, std::move(value));
  *fields = std::move(merged);
}

Result<void> ApplyJsonPatch(const ordered_json& patch, ordered_json* value) {
  if (!patch.is_array()) {
    return BadRequest("json: cannot unmarshal object into Go value of type jsonpatch.Patch");
  }
  if (patch.size() > kJsonPatchOperationsMax) {
    return Error::Api(413, "RequestEntityTooLarge",
                      fmt::format("Request entity too large: The allowed maximum operations in a "
                                  "JSON patch is {}, got {}",
                                  kJsonPatchOperationsMax, patch.size()));
  }
  size_t copied = 0;
  for (const ordered_json& operation : patch) {
    try {
      if (TextAt(operation, "op") == "copy") {
        const ordered_json::json_pointer from(TextAt(operation, "from"));
        copied += WriteJson(value->at(from)).size();
        if (copied > kJsonPatchCopyMax) return CannotApply();
      }
      value->patch_inplace(ordered_json::array({operation}));
    } catch (const ordered_json::exception&) {
      return CannotApply();
    }
  }
  return {};
}

}  // namespace

Result<PatchType> PatchTypeOf(std::string_view content_type) {
  std::string_view media = content_type.substr(0, content_type.find(';'));
  while (!media.empty() && media.back() == ' ') media.remove_suffix(1);
  if (media == "application/merge-patch+json") return PatchType::kMerge;
  if (media == "application/json-patch+json") return PatchType::kJson;
  if (media == "application/strategic-merge-patch+json") return PatchType::kStrategic;
  if (media == "application/apply-patch+yaml") {
    return NotImplemented("server-side apply is not implemented by this server");
  }
  Error error = UnsupportedMediaType("415: Unsupported Media Type");
  error.status.details = StatusDetails{};
  return error;
}

Result<void> ApplyPatch(PatchType type, const ResourceType& resource, const std::string& patch,
                        ordered_json* value) {
  if (JsonDepth(patch) > kJsonDepthMax) return BadRequest("exceeded max depth");
  Result<JsonDocument> document = ReadJson(patch);
  if (!document.ok()) {
    return BadRequest(type == PatchType::kMerge ? "invalid JSON patch"
                                                : document.error().message());
  }
  const ordered_json& change = *document->value;
  if (type == PatchType::kJson) return ApplyJsonPatch(change, value);
  if (!change.is_object()) {
    return BadRequest(type == PatchType::kMerge
                          ? "invalid JSON patch"
                          : "json: cannot unmarshal array into Go value of type "
                            "map[string]interface {}");
  }
  if (type == PatchType::kStrategic) return ApplyStrategicMergePatch(resource, change, value);
  ApplyMergePatch(change, value);
  return {};
}

void ApplyMergePatch(const ordered_json& patch, ordered_json* value) {
  if (!value->is_object()) *value = ordered_json::object();
  Fields& fields = value->get_ref<Fields&>();
  const Fields& changes = patch.get_ref<const Fields&>();
  if (fields.size() * changes.size() > kLinearMergeMax || changes.size() > kLinearMergeMax / 16) {
    return MergeByIndex(changes, &fields);
  }
  for (const auto& [key, change] : changes) {
    if (change.is_null()) {
      value->erase(key);
    } else {
      MergeInto(change, &(*value)[key]);
    }
  }
}

}  // namespace relist::fakeapi
