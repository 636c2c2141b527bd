// Which collection of the API: group, version, plural and scope, and the URL paths that follow.
//
//   Resource{"apps", "v1", "deployments", "Deployment", true}.Path("default");
//       // "/apis/apps/v1/namespaces/default/deployments"
//   Resource{"", "v1", "nodes", "Node", false}.Path("");   // "/api/v1/nodes"
#pragma once

#include <string>

namespace relist {

struct Resource {
  std::string group;  // empty: the core group
  std::string version;
  std::string plural;
  std::string kind;  // may be empty where only paths are needed
  bool namespaced = true;

  std::string GroupVersion() const { return group.empty() ? version : group + "/" + version; }
  // "configmaps", "deployments.apps": how messages and histories name a resource.
  std::string GroupResource() const { return group.empty() ? plural : plural + "." + group; }
  // An empty ns means all namespaces (or a cluster-scoped resource).
  std::string Path(const std::string& ns) const {
    std::string path = group.empty() ? "/api/" + version : "/apis/" + group + "/" + version;
    if (namespaced && !ns.empty()) path += "/namespaces/" + ns;
    return path + "/" + plural;
  }
  std::string Path(const std::string& ns, const std::string& name) const {
    return Path(ns) + "/" + name;
  }
  bool operator==(const Resource&) const = default;
};

}  // namespace relist
