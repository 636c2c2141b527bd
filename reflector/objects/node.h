// Node (v1), for the typed face.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

#include "core/wire/resource.h"
#include "reflector/objects/common.h"
#include "reflector/objects/object_meta.h"

namespace relist::objects {

struct Taint {
  std::string key, value, effect, time_added;
  bool operator==(const Taint&) const = default;
};

struct NodeSpec {
  std::string provider_id, pod_cidr;
  std::vector<std::string> pod_cidrs;
  bool unschedulable = false;
  std::vector<Taint> taints;
  bool operator==(const NodeSpec&) const = default;
};

struct NodeAddress {
  std::string type, address;  // "InternalIP", "Hostname", ...
  bool operator==(const NodeAddress&) const = default;
};

struct NodeInfo {
  std::string architecture, operating_system, os_image, kernel_version, kubelet_version,
      container_runtime_version;
  bool operator==(const NodeInfo&) const = default;
};

struct NodeStatus {
  StringMap capacity, allocatable;  // quantities as they are written: "3800m", "32Gi"
  std::vector<Condition> conditions;
  std::vector<NodeAddress> addresses;
  NodeInfo node_info;
  bool operator==(const NodeStatus&) const = default;
};

struct Node {
  static Resource GetResource() { return {"", "v1", "nodes", "Node", false}; }

  ObjectMeta metadata;
  NodeSpec spec;
  NodeStatus status;
  bool operator==(const Node&) const = default;
};

void from_json(const nlohmann::json& from, Node& into);
void to_json(nlohmann::json& into, const Node& from);

}  // namespace relist::objects
