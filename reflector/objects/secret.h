// Secret (v1), for the typed face.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>

#include "core/wire/resource.h"
#include "reflector/objects/object_meta.h"

namespace relist::objects {

struct Secret {
  static Resource GetResource() { return {"", "v1", "secrets", "Secret", true}; }

  ObjectMeta metadata;
  std::string type;  // "Opaque"
  StringMap data;    // bytes: base64 is undone in reading, and done in writing
  std::optional<bool> immutable;
  bool operator==(const Secret&) const = default;
};

// What is no base64 is a WrongField.
void from_json(const nlohmann::json& from, Secret& into);
void to_json(nlohmann::json& into, const Secret& from);

}  // namespace relist::objects
