#include "reflector/objects/pod.h"

#include <nlohmann/json.hpp>

#include "reflector/objects/json_fields.h"

namespace relist::objects {

void from_json(const Json& from, Toleration& into) {
  ReadField(from, "key", &into.key);
  ReadField(from, "operator", &into.op);
  ReadField(from, "value", &into.value);
  ReadField(from, "effect", &into.effect);
  ReadField(from, "tolerationSeconds", &into.toleration_seconds);
}

void to_json(Json& into, const Toleration& from) {
  WriteField(&into, "key", from.key);
  WriteField(&into, "operator", from.op);
  WriteField(&into, "value", from.value);
  WriteField(&into, "effect", from.effect);
  WriteField(&into, "tolerationSeconds", from.toleration_seconds);
}

void from_json(const Json& from, PodSpec& into) {
  ReadField(from, "nodeName", &into.node_name);
  ReadField(from, "schedulerName", &into.scheduler_name);
  ReadField(from, "serviceAccountName", &into.service_account_name);
  ReadField(from, "restartPolicy", &into.restart_policy);
  ReadField(from, "priorityClassName", &into.priority_class_name);
  ReadField(from, "hostname", &into.hostname);
  ReadField(from, "subdomain", &into.subdomain);
  ReadField(from, "priority", &into.priority);
  ReadField(from, "terminationGracePeriodSeconds", &into.termination_grace_period_seconds);
  ReadField(from, "activeDeadlineSeconds", &into.active_deadline_seconds);
  ReadField(from, "hostNetwork", &into.host_network);
  ReadField(from, "nodeSelector", &into.node_selector);
  ReadField(from, "initContainers", &into.init_containers);
  ReadField(from, "containers", &into.containers);
  ReadField(from, "tolerations", &into.tolerations);
}

void to_json(Json& into, const PodSpec& from) {
  WriteField(&into, "nodeName", from.node_name);
  WriteField(&into, "schedulerName", from.scheduler_name);
  WriteField(&into, "serviceAccountName", from.service_account_name);
  WriteField(&into, "restartPolicy", from.restart_policy);
  WriteField(&into, "priorityClassName", from.priority_class_name);
  WriteField(&into, "hostname", from.hostname);
  WriteField(&into, "subdomain", from.subdomain);
  WriteField(&into, "priority", from.priority);
  WriteField(&into, "terminationGracePeriodSeconds", from.termination_grace_period_seconds);
  WriteField(&into, "activeDeadlineSeconds", from.active_deadline_seconds);
  WriteField(&into, "hostNetwork", from.host_network);
  WriteField(&into, "nodeSelector", from.node_selector);
  WriteField(&into, "initContainers", from.init_containers);
  WriteField(&into, "containers", from.containers);
  WriteField(&into, "tolerations", from.tolerations);
}

void from_json(const Json& from, PodStatus& into) {
  ReadField(from, "phase", &into.phase);
  ReadField(from, "reason", &into.reason);
  ReadField(from, "message", &into.message);
  ReadField(from, "nominatedNodeName", &into.nominated_node_name);
  ReadField(from, "qosClass", &into.qos_class);
  ReadField(from, "hostIP", &into.host_ip);
  ReadField(from, "podIP", &into.pod_ip);
  ReadItems(from, "podIPs",
            [&into](const Json& item) { ReadField(item, "ip", &into.pod_ips.emplace_back()); });
  ReadField(from, "startTime", &into.start_time);
  ReadField(from, "conditions", &into.conditions);
  ReadField(from, "initContainerStatuses", &into.init_container_statuses);
  ReadField(from, "containerStatuses", &into.container_statuses);
}

void to_json(Json& into, const PodStatus& from) {
  WriteField(&into, "phase", from.phase);
  WriteField(&into, "reason", from.reason);
  WriteField(&into, "message", from.message);
  WriteField(&into, "nominatedNodeName", from.nominated_node_name);
  WriteField(&into, "qosClass", from.qos_class);
  WriteField(&into, "hostIP", from.host_ip);
  WriteField(&into, "podIP", from.pod_ip);
  for (const std::string& ip : from.pod_ips) {
    WriteItem(&into, "podIPs", [&ip](Json& item) { SetField(&item, "ip", ip); });
  }
  WriteField(&into, "startTime", from.start_time);
  WriteField(&into, "conditions", from.conditions);
  WriteField(&into, "initContainerStatuses", from.init_container_statuses);
  WriteField(&into, "containerStatuses", from.container_statuses);
}

void from_json(const Json& from, Pod& into) {
  ReadField(from, "metadata", &into.metadata);
  ReadField(from, "spec", &into.spec);
  ReadField(from, "status", &into.status);
}

void to_json(Json& into, const Pod& from) {
  SetField(&into, "kind", "Pod");
  SetField(&into, "apiVersion", "v1");
  WriteField(&into, "metadata", from.metadata);
  WriteField(&into, "spec", from.spec);
  WriteField(&into, "status", from.status);
}

}  // namespace relist::objects
