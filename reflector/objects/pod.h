// Pod (v1), for the typed face.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/wire/resource.h"
#include "reflector/objects/common.h"
#include "reflector/objects/container.h"
#include "reflector/objects/object_meta.h"

namespace relist::objects {

struct Toleration {
  std::string key, op, value, effect;
  std::optional<int64_t> toleration_seconds;
  bool operator==(const Toleration&) const = default;
};

struct PodSpec {
  std::string node_name, scheduler_name, service_account_name, restart_policy, priority_class_name,
      hostname, subdomain;
  std::optional<int32_t> priority;
  std::optional<int64_t> termination_grace_period_seconds, active_deadline_seconds;
  bool host_network = false;
  StringMap node_selector;
  std::vector<Container> init_containers, containers;
  std::vector<Toleration> tolerations;
  bool operator==(const PodSpec&) const = default;
};

struct PodStatus {
  std::string phase;  // "Pending", "Running", "Succeeded", "Failed", "Unknown"
  std::string reason, message, nominated_node_name, qos_class;
  std::string host_ip, pod_ip;
  std::vector<std::string> pod_ips;
  std::string start_time;
  std::vector<Condition> conditions;  // IsTrue(conditions, "Ready")
  std::vector<ContainerStatus> init_container_statuses, container_statuses;
  bool operator==(const PodStatus&) const = default;
};

struct Pod {
  static Resource GetResource() { return {"", "v1", "pods", "Pod", true}; }

  ObjectMeta metadata;
  PodSpec spec;
  PodStatus status;
  bool operator==(const Pod&) const = default;
};

void from_json(const nlohmann::json& from, PodSpec& into);
void to_json(nlohmann::json& into, const PodSpec& from);
void from_json(const nlohmann::json& from, Pod& into);
void to_json(nlohmann::json& into, const Pod& from);

}  // namespace relist::objects
