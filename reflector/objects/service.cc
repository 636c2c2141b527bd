#include "reflector/objects/service.h"

#include <nlohmann/json.hpp>

#include "reflector/objects/json_fields.h"

namespace relist::objects {

void from_json(const Json& from, ServicePort& into) {
  ReadField(from, "name", &into.name);
  ReadField(from, "protocol", &into.protocol);
  ReadField(from, "appProtocol", &into.app_protocol);
  ReadField(from, "port", &into.port);
  ReadField(from, "nodePort", &into.node_port);
  ReadField(from, "targetPort", &into.target_port);
}

void to_json(Json& into, const ServicePort& from) {
  WriteField(&into, "name", from.name);
  WriteField(&into, "protocol", from.protocol);
  WriteField(&into, "appProtocol", from.app_protocol);
  WriteField(&into, "port", from.port);
  WriteField(&into, "nodePort", from.node_port);
  WriteField(&into, "targetPort", from.target_port);
}

void from_json(const Json& from, ServiceSpec& into) {
  ReadField(from, "type", &into.type);
  ReadField(from, "clusterIP", &into.cluster_ip);
  ReadField(from, "clusterIPs", &into.cluster_ips);
  ReadField(from, "externalIPs", &into.external_ips);
  ReadField(from, "selector", &into.selector);
  ReadField(from, "ports", &into.ports);
  ReadField(from, "externalName", &into.external_name);
  ReadField(from, "sessionAffinity", &into.session_affinity);
  ReadField(from, "externalTrafficPolicy", &into.external_traffic_policy);
  ReadField(from, "loadBalancerClass", &into.load_balancer_class);
  ReadField(from, "publishNotReadyAddresses", &into.publish_not_ready_addresses);
}

void to_json(Json& into, const ServiceSpec& from) {
  WriteField(&into, "type", from.type);
  WriteField(&into, "clusterIP", from.cluster_ip);
  WriteField(&into, "clusterIPs", from.cluster_ips);
  WriteField(&into, "externalIPs", from.external_ips);
  WriteField(&into, "selector", from.selector);
  WriteField(&into, "ports", from.ports);
  WriteField(&into, "externalName", from.external_name);
  WriteField(&into, "sessionAffinity", from.session_affinity);
  WriteField(&into, "externalTrafficPolicy", from.external_traffic_policy);
  WriteField(&into, "loadBalancerClass", from.load_balancer_class);
  WriteField(&into, "publishNotReadyAddresses", from.publish_not_ready_addresses);
}

void from_json(const Json& from, ServiceStatus& into) {
  ReadNested(from, "loadBalancer", [&into](const Json& balancer) {
    ReadItems(balancer, "ingress", [&into](const Json& item) {
      ServiceStatus::Ingress& ingress = into.ingress.emplace_back();
      ReadField(item, "ip", &ingress.ip);
      ReadField(item, "hostname", &ingress.hostname);
    });
  });
  ReadField(from, "conditions", &into.conditions);
}

void to_json(Json& into, const ServiceStatus& from) {
  WriteNested(&into, "loadBalancer", [&from](Json& balancer) {
    for (const ServiceStatus::Ingress& ingress : from.ingress) {
      WriteItem(&balancer, "ingress", [&ingress](Json& item) {
        WriteField(&item, "ip", ingress.ip);
        WriteField(&item, "hostname", ingress.hostname);
      });
    }
  });
  WriteField(&into, "conditions", from.conditions);
}

void from_json(const Json& from, Service& into) {
  ReadField(from, "metadata", &into.metadata);
  ReadField(from, "spec", &into.spec);
  ReadField(from, "status", &into.status);
}

void to_json(Json& into, const Service& from) {
  SetField(&into, "kind", "Service");
  SetField(&into, "apiVersion", "v1");
  WriteField(&into, "metadata", from.metadata);
  WriteField(&into, "spec", from.spec);
  WriteField(&into, "status", from.status);
}

}  // namespace relist::objects
