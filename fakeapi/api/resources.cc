#include "fakeapi/api/resources.h"

#include <algorithm>

namespace relist::fakeapi {
namespace {

const std::vector<std::string> kAllVerbs = {"create", "delete", "deletecollection", "get",
                                            "list",   "patch",  "update",           "watch"};
const std::vector<std::string> kStatusVerbs = {"get", "patch", "update"};
const std::vector<std::string> kCreateGet = {"create", "get"};
const std::vector<std::string> kProxyVerbs = {"create", "delete", "get", "patch", "update"};

ResourceType Namespaced(std::string group, std::string plural, std::string kind,
                        std::string singular) {
  ResourceType type;
  type.resource = {std::move(group), "v1", std::move(plural), std::move(kind), true};
  type.singular = std::move(singular);
  type.verbs = kAllVerbs;
  return type;
}

ResourceType ClusterScoped(std::string plural, std::string kind, std::string singular) {
  ResourceType type = Namespaced("", std::move(plural), std::move(kind), std::move(singular));
  type.resource.namespaced = false;
  return type;
}

ResourceType ConfigMaps() {
  ResourceType type = Namespaced("", "configmaps", "ConfigMap", "configmap");
  type.short_names = {"cm"};
  type.storage_version_hash = "qFsyl6wFWjQ=";
  return type;
}

ResourceType Events() {
  ResourceType type = Namespaced("", "events", "Event", "event");
  type.short_names = {"ev"};
  type.field_selectors = {"involvedObject.kind",
                          "involvedObject.namespace",
                          "involvedObject.name",
                          "involvedObject.uid",
                          "involvedObject.apiVersion",
                          "involvedObject.resourceVersion",
                          "involvedObject.fieldPath",
                          "reason",
                          "reportingComponent",
                          "source",
                          "type"};
  return type;
}

ResourceType Namespaces() {
  ResourceType type = ClusterScoped("namespaces", "Namespace", "namespace");
  type.short_names = {"ns"};
  type.verbs = {"create", "delete", "get", "list", "patch", "update", "watch"};
  type.field_selectors = {"name", "status.phase"};
  type.subresources = {{"finalize", "Namespace", "", "", {"update"}},
                       {"status", "Namespace", "", "", kStatusVerbs}};
  type.storage_version_hash = "Q3oi5N2YM8M=";
  return type;
}

ResourceType Nodes() {
  ResourceType type = ClusterScoped("nodes", "Node", "node");
  type.short_names = {"no"};
  type.field_selectors = {"spec.unschedulable"};
  type.subresources = {{"proxy", "NodeProxyOptions", "", "", kProxyVerbs},
                       {"status", "Node", "", "", kStatusVerbs}};
  return type;
}

ResourceType Pods() {
  ResourceType type = Namespaced("", "pods", "Pod", "pod");
  type.short_names = {"po"};
  type.categories = {"all"};
  type.field_selectors = {
      "spec.nodeName",    "spec.restartPolicy", "spec.schedulerName", "spec.serviceAccountName",
      "spec.hostNetwork", "status.phase",       "status.podIP",       "status.nominatedNodeName"};
  type.subresources = {{"attach", "PodAttachOptions", "", "", kCreateGet},
                       {"binding", "Binding", "", "", {"create"}},
                       {"ephemeralcontainers", "Pod", "", "", kStatusVerbs},
                       {"eviction", "Eviction", "policy", "v1", {"create"}},
                       {"exec", "PodExecOptions", "", "", kCreateGet},
                       {"log", "Pod", "", "", {"get"}},
                       {"portforward", "PodPortForwardOptions", "", "", kCreateGet},
                       {"proxy", "PodProxyOptions", "", "", kProxyVerbs},
                       {"resize", "Pod", "", "", kStatusVerbs},
                       {"status", "Pod", "", "", kStatusVerbs}};
  type.storage_version_hash = "xPOwRZ+Yhw8=";
  return type;
}

ResourceType Secrets() {
  ResourceType type = Namespaced("", "secrets", "Secret", "secret");
  type.field_selectors = {"type"};
  return type;
}

ResourceType Services() {
  ResourceType type = Namespaced("", "services", "Service", "service");
  type.short_names = {"svc"};
  type.categories = {"all"};
  type.field_selectors = {"spec.clusterIP", "spec.type"};
  type.subresources = {{"proxy", "ServiceProxyOptions", "", "", kProxyVerbs},
                       {"status", "Service", "", "", kStatusVerbs}};
  return type;
}

ResourceType Deployments() {
  ResourceType type = Namespaced("apps", "deployments", "Deployment", "deployment");
  type.short_names = {"deploy"};
  type.categories = {"all"};
  type.subresources = {{"scale", "Scale", "autoscaling", "v1", kStatusVerbs},
                       {"status", "Deployment", "", "", kStatusVerbs}};
  type.storage_version_hash = "8aSe+NMegvE=";
  return type;
}

ResourceType Leases() {
  return Namespaced("coordination.k8s.io", "leases", "Lease", "lease");
}

}  // namespace

const Subresource* ResourceType::FindSubresource(std::string_view name) const {
  for (const Subresource& subresource : subresources) {
    if (subresource.name == name) return &subresource;
  }
  return nullptr;
}

bool ResourceType::Allows(std::string_view verb) const {
  return std::find(verbs.begin(), verbs.end(), verb) != verbs.end();
}

const std::vector<const ResourceType*>& AllResources() {
  static const auto* const kRows =
      new std::vector<ResourceType>{ConfigMaps(), Events(),   Namespaces(),  Nodes(), Pods(),
                                    Secrets(),    Services(), Deployments(), Leases()};
  static const auto* const kAll = [] {
    auto* all = new std::vector<const ResourceType*>;
    for (const ResourceType& row : *kRows) all->push_back(&row);
    return all;
  }();
  return *kAll;
}

const ResourceType* FindResource(std::string_view group, std::string_view version,
                                 std::string_view plural) {
  for (const ResourceType* type : AllResources()) {
    const Resource& resource = type->resource;
    if (resource.plural == plural && resource.version == version && resource.group == group) {
      return type;
    }
  }
  return nullptr;
}

const ResourceType* FindKind(std::string_view api_version, std::string_view kind) {
  for (const ResourceType* type : AllResources()) {
    if (type->kind() == kind && type->resource.GroupVersion() == api_version) return type;
  }
  return nullptr;
}

const ResourceType* FindByName(std::string_view name) {
  for (const ResourceType* type : AllResources()) {
    const auto& shorts = type->short_names;
    if (type->resource.plural == name || type->singular == name ||
        type->resource.GroupResource() == name ||
        std::find(shorts.begin(), shorts.end(), name) != shorts.end()) {
      return type;
    }
  }
  return nullptr;
}

}  // namespace relist::fakeapi
