#include "reflector/objects/node.h"

#include <nlohmann/json.hpp>

#include "reflector/objects/json_fields.h"

namespace relist::objects {

void from_json(const Json& from, Taint& into) {
  ReadField(from, "key", &into.key);
  ReadField(from, "value", &into.value);
  ReadField(from, "effect", &into.effect);
  ReadField(from, "timeAdded", &into.time_added);
}

void to_json(Json& into, const Taint& from) {
  SetField(&into, "key", from.key);
  WriteField(&into, "value", from.value);
  SetField(&into, "effect", from.effect);
  WriteField(&into, "timeAdded", from.time_added);
}

void from_json(const Json& from, NodeSpec& into) {
  ReadField(from, "providerID", &into.provider_id);
  ReadField(from, "podCIDR", &into.pod_cidr);
  ReadField(from, "podCIDRs", &into.pod_cidrs);
  ReadField(from, "unschedulable", &into.unschedulable);
  ReadField(from, "taints", &into.taints);
}

void to_json(Json& into, const NodeSpec& from) {
  WriteField(&into, "providerID", from.provider_id);
  WriteField(&into, "podCIDR", from.pod_cidr);
  WriteField(&into, "podCIDRs", from.pod_cidrs);
  WriteField(&into, "unschedulable", from.unschedulable);
  WriteField(&into, "taints", from.taints);
}

void from_json(const Json& from, NodeAddress& into) {
  ReadField(from, "type", &into.type);
  ReadField(from, "address", &into.address);
}

void to_json(Json& into, const NodeAddress& from) {
  SetField(&into, "type", from.type);
  SetField(&into, "address", from.address);
}

void from_json(const Json& from, NodeInfo& into) {
  ReadField(from, "architecture", &into.architecture);
  ReadField(from, "operatingSystem", &into.operating_system);
  ReadField(from, "osImage", &into.os_image);
  ReadField(from, "kernelVersion", &into.kernel_version);
  ReadField(from, "kubeletVersion", &into.kubelet_version);
  ReadField(from, "containerRuntimeVersion", &into.container_runtime_version);
}

void to_json(Json& into, const NodeInfo& from) {
  WriteField(&into, "architecture", from.architecture);
  WriteField(&into, "operatingSystem", from.operating_system);
  WriteField(&into, "osImage", from.os_image);
  WriteField(&into, "kernelVersion", from.kernel_version);
  WriteField(&into, "kubeletVersion", from.kubelet_version);
  WriteField(&into, "containerRuntimeVersion", from.container_runtime_version);
}

void from_json(const Json& from, NodeStatus& into) {
  ReadQuantities(from, "capacity", &into.capacity);
  ReadQuantities(from, "allocatable", &into.allocatable);
  ReadField(from, "conditions", &into.conditions);
  ReadField(from, "addresses", &into.addresses);
  ReadField(from, "nodeInfo", &into.node_info);
}

void to_json(Json& into, const NodeStatus& from) {
  WriteField(&into, "capacity", from.capacity);
  WriteField(&into, "allocatable", from.allocatable);
  WriteField(&into, "conditions", from.conditions);
  WriteField(&into, "addresses", from.addresses);
  WriteField(&into, "nodeInfo", from.node_info);
}

void from_json(const Json& from, Node& into) {
  ReadField(from, "metadata", &into.metadata);
  ReadField(from, "spec", &into.spec);
  ReadField(from, "status", &into.status);
}

void to_json(Json& into, const Node& from) {
  SetField(&into, "kind", "Node");
  SetField(&into, "apiVersion", "v1");
  WriteField(&into, "metadata", from.metadata);
  WriteField(&into, "spec", from.spec);
  WriteField(&into, "status", from.status);
}

}  // namespace relist::objects
