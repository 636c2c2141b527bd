#include "fakeapi/answer/table.h"

#include <map>
#include <nlohmann/json.hpp>

#include "fakeapi/answer/table_cells.h"
#include "fakeapi/encoding/json_writer.h"

namespace relist::fakeapi {
namespace {

using nlohmann::ordered_json;

struct Column {
  const char* name;
  const char* description;
  int priority = 0;  // 1: only with -o wide
  const char* type = "string";
  const char* format = "";
};

using Columns = std::vector<Column>;

constexpr Column kNameColumn{"Name", "The object's name.", 0, "string", "name"};
constexpr Column kAgeColumn{"Age", "Time since the object was created."};

Columns ColumnsOfPod() {
  return {kNameColumn,
          {"Ready", "Containers that are ready, and all containers."},
          {"Status", "The aggregate status of the containers in this pod."},
          {"Restarts", "How often containers were restarted, and when last."},
          kAgeColumn,
          {"IP", "The pod's address.", 1},
          {"Node", "The node that the pod is bound to.", 1},
          {"Nominated Node", "The node that the pod may get by preemption.", 1},
          {"Readiness Gates", "Readiness gates that hold, and all of them.", 1}};
}

Columns ColumnsOfService() {
  return {kNameColumn,
          {"Type", "How the service is exposed."},
          {"Cluster-IP", "The service's address inside the cluster."},
          {"External-IP", "Addresses outside the cluster."},
          {"Port(s)", "Ports, node ports and protocols."},
          kAgeColumn,
          {"Selector", "Labels of the pods behind the service.", 1}};
}

Columns ColumnsOfDeployment() {
  return {kNameColumn,
          {"Ready", "Number of the pod with ready state"},
          {"Up-to-date", "Pods that have the current template."},
          {"Available", "Pods that have been ready for long enough."},
          kAgeColumn,
          {"Containers", "Names of each container in the template.", 1},
          {"Images", "Images referenced by each container in the template.", 1},
          {"Selector", "Labels of the pods that the deployment manages.", 1}};
}

Columns ColumnsOfNode() {
  return {kNameColumn,
          {"Status", "The status of the node"},
          {"Roles", "The roles of the node"},
          kAgeColumn,
          {"Version", "Kubelet Version reported by the node."},
          {"Internal-IP", "The node's address inside the cluster.", 1},
          {"External-IP", "The node's address outside the cluster.", 1},
          {"OS-Image", "The operating system that the node reports.", 1},
          {"Kernel-Version", "The kernel that the node reports.", 1},
          {"Container-Runtime", "The container runtime that the node reports.", 1}};
}

Columns ColumnsOfEvent() {
  return {{"Last Seen", "Time since the event was seen last."},
          {"Type", "Normal or Warning."},
          {"Reason", "Why the event was made, in a word."},
          {"Object", "The object that this event is about."},
          {"Subobject", "The part of the object that the event is about.", 1},
          {"Source", "The component that reported the event.", 1},
          {"Message", "What happened, for people."},
          {"First Seen", "Time since the event was seen first.", 1},
          {"Count", "The number of times this event has occurred.", 1},
          {"Name", "The object's name.", 1, "string", "name"}};
}

Columns ColumnsOf(const std::string& kind) {
  if (kind == "ConfigMap") return {kNameColumn, {"Data", "Number of keys."}, kAgeColumn};
  if (kind == "Secret") {
    return {
        kNameColumn, {"Type", "What the secret is for."}, {"Data", "Number of keys."}, kAgeColumn};
  }
  if (kind == "Namespace") {
    return {kNameColumn, {"Status", "The status of the namespace"}, kAgeColumn};
  }
  if (kind == "Lease") return {kNameColumn, {"Holder", "Who holds the lease."}, kAgeColumn};
  if (kind == "Pod") return ColumnsOfPod();
  if (kind == "Service") return ColumnsOfService();
  if (kind == "Deployment") return ColumnsOfDeployment();
  if (kind == "Node") return ColumnsOfNode();
  if (kind == "Event") return ColumnsOfEvent();
  return {kNameColumn, kAgeColumn};
}

std::string ColumnsAsJson(const Columns& columns) {
  ordered_json out = ordered_json::array();
  for (const Column& column : columns) {
    out.push_back({{"name", column.name},
                   {"type", column.type},
                   {"format", column.format},
                   {"description", column.description},
                   {"priority", column.priority}});
  }
  return out.dump();
}

ordered_json CellsOf(const std::string& kind, const ordered_json& value, TimePoint now) {
  if (kind == "ConfigMap") return ConfigMapCells(value, now);
  if (kind == "Secret") return SecretCells(value, now);
  if (kind == "Namespace") return NamespaceCells(value, now);
  if (kind == "Lease") return LeaseCells(value, now);
  if (kind == "Pod") return PodCells(value, now);
  if (kind == "Service") return ServiceCells(value, now);
  if (kind == "Deployment") return DeploymentCells(value, now);
  if (kind == "Node") return NodeCells(value, now);
  if (kind == "Event") return EventCells(value, now);
  return {TextAt(value, "metadata.name"), AgeCell(value, now)};
}

}  // namespace

const std::string& ColumnsJson(const ResourceType& resource) {
  static const auto* const kColumns = [] {
    auto* all = new std::map<std::string, std::string>;
    for (const ResourceType* type : AllResources()) {
      (*all)[type->resource.GroupResource()] = ColumnsAsJson(ColumnsOf(type->kind()));
    }
    return all;
  }();
  return kColumns->at(resource.resource.GroupResource());
}

std::string CellsJson(const ResourceType& resource, const StoredObject& object, TimePoint now) {
  const ordered_json value = ToValue(resource, object);
  return WriteJson(CellsOf(resource.kind(), value, now));
}

}  // namespace relist::fakeapi
