#include "fakeapi/objects/kind_defaults.h"

#include <nlohmann/json.hpp>

#include "fakeapi/encoding/json_path.h"

namespace relist::fakeapi {
namespace {

using nlohmann::ordered_json;

constexpr int kGracePeriodSeconds = 30;
constexpr int kTolerationSeconds = 300;

void Default(ordered_json* object, const char* key, ordered_json value) {
  if (!object->contains(key) || (*object)[key].is_null()) (*object)[key] = std::move(value);
}

// Always for an image without a tag, or with the tag latest.
const char* PullPolicyOf(const std::string& image) {
  const size_t slash = image.rfind('/');
  const std::string last = slash == std::string::npos ? image : image.substr(slash + 1);
  if (last.find('@') != std::string::npos) return "IfNotPresent";
  const size_t colon = last.rfind(':');
  const bool latest = colon == std::string::npos || last.substr(colon + 1) == "latest";
  return latest ? "Always" : "IfNotPresent";
}

void DefaultContainers(ordered_json* spec, const char* list) {
  const auto containers = spec->find(list);
  if (containers == spec->end() || !containers->is_array()) return;
  for (ordered_json& container : *containers) {
    if (!container.is_object()) continue;
    Default(&container, "resources", ordered_json::object());
    Default(&container, "terminationMessagePath", "/dev/termination-log");
    Default(&container, "terminationMessagePolicy", "File");
    Default(&container, "imagePullPolicy", PullPolicyOf(TextAt(container, "image")));
    const auto ports = container.find("ports");
    if (ports == container.end() || !ports->is_array()) continue;
    for (ordered_json& port : *ports) {
      if (port.is_object()) Default(&port, "protocol", "TCP");
    }
  }
}

// What every pod, and every pod's template, gets.
void DefaultPodSpec(ordered_json* spec) {
  DefaultContainers(spec, "initContainers");
  DefaultContainers(spec, "containers");
  Default(spec, "restartPolicy", "Always");
  Default(spec, "terminationGracePeriodSeconds", kGracePeriodSeconds);
  Default(spec, "dnsPolicy", "ClusterFirst");
  Default(spec, "securityContext", ordered_json::object());
  Default(spec, "schedulerName", "default-scheduler");
}

// A pod is left for so long on a node that does not answer.
void DefaultTolerations(ordered_json* spec) {
  Default(spec, "tolerations", ordered_json::array());
  ordered_json& tolerations = (*spec)["tolerations"];
  if (!tolerations.is_array()) return;
  for (const char* key : {"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"}) {
    bool tolerated = false;
    for (const ordered_json& one : tolerations) {
      const std::string has = TextAt(one, "key"), effect = TextAt(one, "effect");
      tolerated |= (has == key || has.empty()) && (effect == "NoExecute" || effect.empty());
    }
    if (tolerated) continue;
    tolerations.push_back({{"key", key},
                           {"operator", "Exists"},
                           {"effect", "NoExecute"},
                           {"tolerationSeconds", kTolerationSeconds}});
  }
}

void DefaultPod(ordered_json* pod) {
  ordered_json* spec = &(*pod)["spec"];
  if (!spec->is_object()) return;
  DefaultPodSpec(spec);
  DefaultTolerations(spec);
  Default(spec, "priority", 0);
  Default(spec, "enableServiceLinks", true);
  Default(spec, "preemptionPolicy", "PreemptLowerPriority");
}

void DefaultDeployment(ordered_json* deployment) {
  ordered_json* spec = &(*deployment)["spec"];
  if (!spec->is_object()) return;
  Default(spec, "replicas", 1);
  if (!At(*spec, "template.spec").is_object()) return;
  DefaultPodSpec(&(*spec)["template"]["spec"]);
}

void DefaultService(ordered_json* service) {
  ordered_json* spec = &(*service)["spec"];
  if (!spec->is_object()) return;
  Default(spec, "type", "ClusterIP");
  Default(spec, "sessionAffinity", "None");
  const auto ports = spec->find("ports");
  if (ports == spec->end() || !ports->is_array()) return;
  for (ordered_json& port : *ports) {
    if (!port.is_object()) continue;
    Default(&port, "protocol", "TCP");
    if (!port.contains("port")) continue;
    // Typed clients send the zero value of what nobody set.
    const auto target = port.find("targetPort");
    if (target != port.end() && (*target == 0 || *target == "")) *target = port["port"];
    Default(&port, "targetPort", port["port"]);
  }
}

}  // namespace

void ApplyDefaults(const ResourceType& resource, ordered_json* value) {
  const std::string& kind = resource.kind();
  if (kind == "Secret") {
    Default(value, "type", "Opaque");
  } else if (kind == "Pod" && value->contains("spec")) {
    DefaultPod(value);
  } else if (kind == "Deployment" && value->contains("spec")) {
    DefaultDeployment(value);
  } else if (kind == "Service" && value->contains("spec")) {
    DefaultService(value);
  }
}

std::string QosClassOf(const ordered_json& pod) {
  bool any = false, guaranteed = true;
  for (const char* list : {"spec.initContainers", "spec.containers"}) {
    for (const ordered_json& container : ItemsAt(pod, list)) {
      for (const char* resource : {"cpu", "memory"}) {
        const ordered_json& request = At(At(container, "resources.requests"), resource);
        const ordered_json& limit = At(At(container, "resources.limits"), resource);
        any |= !request.is_null() || !limit.is_null();
        guaranteed &= !limit.is_null() && (request.is_null() || request == limit);
      }
    }
  }
  if (!any) return "BestEffort";
  return guaranteed ? "Guaranteed" : "Burstable";
}

}  // namespace relist::fakeapi
