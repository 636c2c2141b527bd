#include "fakeapi/answer/table_cells.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "fakeapi/encoding/age.h"

namespace relist::fakeapi {
namespace {

using nlohmann::ordered_json;

constexpr const char* kNoneCell = "<none>";
constexpr const char* kUnknownCell = "<unknown>";

std::string OrElse(std::string text, const char* otherwise) {
  return text.empty() ? otherwise : std::move(text);
}

void AppendCell(std::string* list, const std::string& item) {
  if (!list->empty()) *list += ',';
  *list += item;
}

// {"app":"x","tier":"db"}: app=x,tier=db.
std::string LabelList(const ordered_json& labels) {
  std::set<std::string> pairs;
  if (labels.is_object()) {
    for (const auto& [key, value] : labels.items()) {
      if (value.is_string()) pairs.insert(key + "=" + value.get<std::string>());
    }
  }
  std::string list;
  for (const std::string& pair : pairs) AppendCell(&list, pair);
  return list;
}

// matchLabels, then matchExpressions, as a label selector's text.
std::string SelectorText(const ordered_json& selector) {
  std::string text = LabelList(At(selector, "matchLabels"));
  for (const ordered_json& one : ItemsAt(selector, "matchExpressions")) {
    std::string values;
    for (const ordered_json& value : ItemsAt(one, "values")) {
      if (value.is_string()) AppendCell(&values, value.get<std::string>());
    }
    const std::string key = TextAt(one, "key"), op = TextAt(one, "operator");
    if (op == "In") AppendCell(&text, fmt::format("{} in ({})", key, values));
    if (op == "NotIn") AppendCell(&text, fmt::format("{} notin ({})", key, values));
    if (op == "Exists") AppendCell(&text, key);
    if (op == "DoesNotExist") AppendCell(&text, "!" + key);
  }
  return text;
}

std::string ServicePorts(const ordered_json& service) {
  std::string ports;
  for (const ordered_json& port : ItemsAt(service, "spec.ports")) {
    const std::string protocol = OrElse(TextAt(port, "protocol"), "TCP");
    const int64_t node_port = NumberAt(port, "nodePort");
    AppendCell(&ports, node_port > 0
                           ? fmt::format("{}:{}/{}", NumberAt(port, "port"), node_port, protocol)
                           : fmt::format("{}/{}", NumberAt(port, "port"), protocol));
  }
  return ports;
}

std::string ServiceExternalAddresses(const ordered_json& service, const std::string& type) {
  if (type == "ExternalName") return OrElse(TextAt(service, "spec.externalName"), kNoneCell);
  std::string addresses;
  if (type == "LoadBalancer") {
    for (const ordered_json& ingress : ItemsAt(service, "status.loadBalancer.ingress")) {
      AppendCell(&addresses, OrElse(TextAt(ingress, "ip"), TextAt(ingress, "hostname").c_str()));
    }
  }
  for (const ordered_json& address : ItemsAt(service, "spec.externalIPs")) {
    if (address.is_string()) AppendCell(&addresses, address.get<std::string>());
  }
  return OrElse(std::move(addresses), type == "LoadBalancer" ? "<pending>" : kNoneCell);
}

std::string NodeStatus(const ordered_json& node) {
  std::string status = "Unknown";
  for (const ordered_json& condition : ItemsAt(node, "status.conditions")) {
    if (TextAt(condition, "type") != "Ready") continue;
    status = TextAt(condition, "status") == "True" ? "Ready" : "NotReady";
  }
  return FlagAt(node, "spec.unschedulable") ? status + ",SchedulingDisabled" : status;
}

std::string NodeRoles(const ordered_json& node) {
  constexpr std::string_view kPrefix = "node-role.kubernetes.io/";
  std::set<std::string> roles;
  const ordered_json& labels = At(node, "metadata.labels");
  if (labels.is_object()) {
    for (const auto& [key, value] : labels.items()) {
      if (key.starts_with(kPrefix)) {
        const std::string role = key.substr(kPrefix.size());
        if (!role.empty()) roles.insert(role);
      } else if (key == "kubernetes.io/role" && value.is_string() && value != "") {
        roles.insert(value.get<std::string>());
      }
    }
  }
  std::string list;
  for (const std::string& role : roles) AppendCell(&list, role);
  return OrElse(std::move(list), kNoneCell);
}

std::string NodeAddress(const ordered_json& node, const char* type) {
  for (const ordered_json& address : ItemsAt(node, "status.addresses")) {
    if (TextAt(address, "type") == type) return OrElse(TextAt(address, "address"), kNoneCell);
  }
  return kNoneCell;
}

}  // namespace

std::string AgeCell(const ordered_json& value, TimePoint now) {
  return AgeOf(TextAt(value, "metadata.creationTimestamp"), now);
}

ordered_json ConfigMapCells(const ordered_json& value, TimePoint now) {
  return {TextAt(value, "metadata.name"), CountAt(value, "data") + CountAt(value, "binaryData"),
          AgeCell(value, now)};
}

ordered_json SecretCells(const ordered_json& value, TimePoint now) {
  return {TextAt(value, "metadata.name"), TextAt(value, "type"), CountAt(value, "data"),
          AgeCell(value, now)};
}

ordered_json NamespaceCells(const ordered_json& value, TimePoint now) {
  return ordered_json::array(
      {TextAt(value, "metadata.name"), TextAt(value, "status.phase"), AgeCell(value, now)});
}

ordered_json LeaseCells(const ordered_json& value, TimePoint now) {
  return ordered_json::array(
      {TextAt(value, "metadata.name"), TextAt(value, "spec.holderIdentity"), AgeCell(value, now)});
}

ordered_json ServiceCells(const ordered_json& value, TimePoint now) {
  const std::string type = OrElse(TextAt(value, "spec.type"), "ClusterIP");
  const std::vector<ordered_json>& addresses = ItemsAt(value, "spec.clusterIPs");
  std::string address = TextAt(value, "spec.clusterIP");
  if (!addresses.empty() && addresses[0].is_string()) address = addresses[0].get<std::string>();
  return {TextAt(value, "metadata.name"),
          type,
          OrElse(std::move(address), kNoneCell),
          ServiceExternalAddresses(value, type),
          OrElse(ServicePorts(value), kNoneCell),
          AgeCell(value, now),
          OrElse(LabelList(At(value, "spec.selector")), kNoneCell)};
}

ordered_json DeploymentCells(const ordered_json& value, TimePoint now) {
  std::string names, images;
  for (const ordered_json& container : ItemsAt(value, "spec.template.spec.containers")) {
    AppendCell(&names, TextAt(container, "name"));
    AppendCell(&images, TextAt(container, "image"));
  }
  return {TextAt(value, "metadata.name"),
          fmt::format("{}/{}", NumberAt(value, "status.readyReplicas"),
                      NumberAt(value, "spec.replicas", 1)),
          NumberAt(value, "status.updatedReplicas"),
          NumberAt(value, "status.availableReplicas"),
          AgeCell(value, now),
          names,
          images,
          OrElse(SelectorText(At(value, "spec.selector")), kNoneCell)};
}

ordered_json NodeCells(const ordered_json& value, TimePoint now) {
  return {TextAt(value, "metadata.name"),
          NodeStatus(value),
          NodeRoles(value),
          AgeCell(value, now),
          TextAt(value, "status.nodeInfo.kubeletVersion"),
          NodeAddress(value, "InternalIP"),
          NodeAddress(value, "ExternalIP"),
          OrElse(TextAt(value, "status.nodeInfo.osImage"), kUnknownCell),
          OrElse(TextAt(value, "status.nodeInfo.kernelVersion"), kUnknownCell),
          OrElse(TextAt(value, "status.nodeInfo.containerRuntimeVersion"), kUnknownCell)};
}

ordered_json EventCells(const ordered_json& value, TimePoint now) {
  const std::string first_time =
      OrElse(TextAt(value, "firstTimestamp"), TextAt(value, "eventTime").c_str());
  const std::string first = AgeOf(first_time, now);
  std::string last = first;
  if (const std::string time = TextAt(value, "lastTimestamp"); !time.empty()) {
    last = AgeOf(time, now);
  }
  int64_t count = std::max<int64_t>(NumberAt(value, "count"), 1);
  if (At(value, "series").is_object()) {
    last = AgeOf(TextAt(value, "series.lastObservedTime"), now);
    count = NumberAt(value, "series.count");
  }
  std::string about = TextAt(value, "involvedObject.kind");
  std::transform(about.begin(), about.end(), about.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  const std::string name = TextAt(value, "involvedObject.name");
  if (!name.empty()) about += "/" + name;
  std::string source =
      OrElse(TextAt(value, "source.component"), TextAt(value, "reportingComponent").c_str());
  const std::string host =
      OrElse(TextAt(value, "source.host"), TextAt(value, "reportingInstance").c_str());
  if (!host.empty()) source += ", " + host;
  std::string message = TextAt(value, "message");
  message.erase(0, std::min(message.find_first_not_of(" \t\r\n"), message.size()));
  message.erase(message.find_last_not_of(" \t\r\n") + 1);
  return {last,
          TextAt(value, "type"),
          TextAt(value, "reason"),
          about,
          TextAt(value, "involvedObject.fieldPath"),
          source,
          message,
          first,
          count,
          TextAt(value, "metadata.name")};
}

}  // namespace relist::fakeapi
