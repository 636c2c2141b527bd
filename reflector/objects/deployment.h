// Deployment (apps/v1), for the typed face.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/wire/resource.h"
#include "reflector/objects/common.h"
#include "reflector/objects/object_meta.h"
#include "reflector/objects/pod.h"

namespace relist::objects {

struct PodTemplate {
  ObjectMeta metadata;
  PodSpec spec;
  bool operator==(const PodTemplate&) const = default;
};

struct DeploymentStrategy {
  std::string type;                                       // "RollingUpdate", "Recreate"
  std::optional<IntOrString> max_unavailable, max_surge;  // of rollingUpdate
  bool operator==(const DeploymentStrategy&) const = default;
};

struct DeploymentSpec {
  std::optional<int32_t> replicas;  // absent: 1
  std::optional<LabelSelectorSpec> selector;
  PodTemplate pod_template;
  DeploymentStrategy strategy;
  int32_t min_ready_seconds = 0;
  std::optional<int32_t> revision_history_limit, progress_deadline_seconds;
  bool paused = false;
  bool operator==(const DeploymentSpec&) const = default;
};

struct DeploymentStatus {
  int64_t observed_generation = 0;
  int32_t replicas = 0, updated_replicas = 0, ready_replicas = 0, available_replicas = 0,
          unavailable_replicas = 0;
  std::optional<int32_t> collision_count;
  std::vector<Condition> conditions;
  bool operator==(const DeploymentStatus&) const = default;
};

struct Deployment {
  static Resource GetResource() { return {"apps", "v1", "deployments", "Deployment", true}; }

  ObjectMeta metadata;
  DeploymentSpec spec;
  DeploymentStatus status;
  bool operator==(const Deployment&) const = default;
};

void from_json(const nlohmann::json& from, Deployment& into);
void to_json(nlohmann::json& into, const Deployment& from);

}  // namespace relist::objects
