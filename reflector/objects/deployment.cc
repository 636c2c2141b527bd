#include "reflector/objects/deployment.h"

#include <nlohmann/json.hpp>

#include "reflector/objects/json_fields.h"

namespace relist::objects {

void from_json(const Json& from, PodTemplate& into) {
  ReadField(from, "metadata", &into.metadata);
  ReadField(from, "spec", &into.spec);
}

void to_json(Json& into, const PodTemplate& from) {
  WriteField(&into, "metadata", from.metadata);
  WriteField(&into, "spec", from.spec);
}

void from_json(const Json& from, DeploymentStrategy& into) {
  ReadField(from, "type", &into.type);
  ReadNested(from, "rollingUpdate", [&into](const Json& rolling) {
    ReadField(rolling, "maxUnavailable", &into.max_unavailable);
    ReadField(rolling, "maxSurge", &into.max_surge);
  });
}

void to_json(Json& into, const DeploymentStrategy& from) {
  WriteField(&into, "type", from.type);
  WriteNested(&into, "rollingUpdate", [&from](Json& rolling) {
    WriteField(&rolling, "maxUnavailable", from.max_unavailable);
    WriteField(&rolling, "maxSurge", from.max_surge);
  });
}

void from_json(const Json& from, DeploymentSpec& into) {
  ReadField(from, "replicas", &into.replicas);
  ReadField(from, "selector", &into.selector);
  ReadField(from, "template", &into.pod_template);
  ReadField(from, "strategy", &into.strategy);
  ReadField(from, "minReadySeconds", &into.min_ready_seconds);
  ReadField(from, "revisionHistoryLimit", &into.revision_history_limit);
  ReadField(from, "progressDeadlineSeconds", &into.progress_deadline_seconds);
  ReadField(from, "paused", &into.paused);
}

void to_json(Json& into, const DeploymentSpec& from) {
  WriteField(&into, "replicas", from.replicas);
  WriteField(&into, "selector", from.selector);
  WriteField(&into, "template", from.pod_template);
  WriteField(&into, "strategy", from.strategy);
  WriteField(&into, "minReadySeconds", from.min_ready_seconds);
  WriteField(&into, "revisionHistoryLimit", from.revision_history_limit);
  WriteField(&into, "progressDeadlineSeconds", from.progress_deadline_seconds);
  WriteField(&into, "paused", from.paused);
}

void from_json(const Json& from, DeploymentStatus& into) {
  ReadField(from, "observedGeneration", &into.observed_generation);
  ReadField(from, "replicas", &into.replicas);
  ReadField(from, "updatedReplicas", &into.updated_replicas);
  ReadField(from, "readyReplicas", &into.ready_replicas);
  ReadField(from, "availableReplicas", &into.available_replicas);
  ReadField(from, "unavailableReplicas", &into.unavailable_replicas);
  ReadField(from, "collisionCount", &into.collision_count);
  ReadField(from, "conditions", &into.conditions);
}

void to_json(Json& into, const DeploymentStatus& from) {
  WriteField(&into, "observedGeneration", from.observed_generation);
  WriteField(&into, "replicas", from.replicas);
  WriteField(&into, "updatedReplicas", from.updated_replicas);
  WriteField(&into, "readyReplicas", from.ready_replicas);
  WriteField(&into, "availableReplicas", from.available_replicas);
  WriteField(&into, "unavailableReplicas", from.unavailable_replicas);
  WriteField(&into, "collisionCount", from.collision_count);
  WriteField(&into, "conditions", from.conditions);
}

void from_json(const Json& from, Deployment& into) {
  ReadField(from, "metadata", &into.metadata);
  ReadField(from, "spec", &into.spec);
  ReadField(from, "status", &into.status);
}

void to_json(Json& into, const Deployment& from) {
  SetField(&into, "kind", "Deployment");
  SetField(&into, "apiVersion", "apps/v1");
  WriteField(&into, "metadata", from.metadata);
  WriteField(&into, "spec", from.spec);
  WriteField(&into, "status", from.status);
}

}  // namespace relist::objects
