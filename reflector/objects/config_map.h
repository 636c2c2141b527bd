// ConfigMap (v1), for the typed face.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <optional>

#include "core/wire/resource.h"
#include "reflector/objects/object_meta.h"

namespace relist::objects {

struct ConfigMap {
  static Resource GetResource() { return {"", "v1", "configmaps", "ConfigMap", true}; }

  ObjectMeta metadata;
  StringMap data;
  StringMap binary_data;  // base64, as it came
  std::optional<bool> immutable;
  bool operator==(const ConfigMap&) const = default;
};

void from_json(const nlohmann::json& from, ConfigMap& into);
void to_json(nlohmann::json& into, const ConfigMap& from);

}  // namespace relist::objects
