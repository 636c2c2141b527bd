// Lease (coordination.k8s.io/v1), for the typed face.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>

#include "core/wire/resource.h"
#include "reflector/objects/object_meta.h"

namespace relist::objects {

struct LeaseSpec {
  std::optional<std::string> holder_identity;  // "": let go
  std::optional<int32_t> lease_duration_seconds, lease_transitions;
  // With microseconds: "2026-01-01T00:00:00.000000Z".
  std::optional<std::string> acquire_time, renew_time;
  std::optional<std::string> strategy, preferred_holder;
  bool operator==(const LeaseSpec&) const = default;
};

struct Lease {
  static Resource GetResource() { return {"coordination.k8s.io", "v1", "leases", "Lease", true}; }

  ObjectMeta metadata;
  LeaseSpec spec;
  bool operator==(const Lease&) const = default;
};

void from_json(const nlohmann::json& from, Lease& into);
void to_json(nlohmann::json& into, const Lease& from);

}  // namespace relist::objects
