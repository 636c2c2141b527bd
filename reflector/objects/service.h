// Service (v1), for the typed face.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/wire/resource.h"
#include "reflector/objects/common.h"
#include "reflector/objects/object_meta.h"

namespace relist::objects {

struct ServicePort {
  std::string name, protocol, app_protocol;
  int32_t port = 0, node_port = 0;
  std::optional<IntOrString> target_port;
  bool operator==(const ServicePort&) const = default;
};

struct ServiceSpec {
  std::string type;        // "ClusterIP", "NodePort", "LoadBalancer", "ExternalName"
  std::string cluster_ip;  // "None": headless
  std::vector<std::string> cluster_ips, external_ips;
  StringMap selector;
  std::vector<ServicePort> ports;
  std::string external_name, session_affinity, external_traffic_policy, load_balancer_class;
  bool publish_not_ready_addresses = false;
  bool operator==(const ServiceSpec&) const = default;
};

struct ServiceStatus {
  struct Ingress {
    std::string ip, hostname;
    bool operator==(const Ingress&) const = default;
  };
  std::vector<Ingress> ingress;  // of loadBalancer
  std::vector<Condition> conditions;
  bool operator==(const ServiceStatus&) const = default;
};

struct Service {
  static Resource GetResource() { return {"", "v1", "services", "Service", true}; }

  ObjectMeta metadata;
  ServiceSpec spec;
  ServiceStatus status;
  bool operator==(const Service&) const = default;
};

void from_json(const nlohmann::json& from, Service& into);
void to_json(nlohmann::json& into, const Service& from);

}  // namespace relist::objects
