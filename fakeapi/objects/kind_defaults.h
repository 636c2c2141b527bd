// Defaults that the real server writes into an object while it decodes it, as far as the recordings
// show them: a pod's spec, a secret's type, a namespace's label, a service's type and protocols, a
// deployment's replicas.
//
//   ApplyDefaults(pods, &value);   // spec.restartPolicy "Always", spec.schedulerName
//   "default-scheduler" ...
//
// Applied on create and on update, so that sending the same manifest twice changes nothing.
// (Recording: chapter pods.)
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "fakeapi/api/resources.h"

namespace relist::fakeapi {

void ApplyDefaults(const ResourceType& resource, nlohmann::ordered_json* value);

// BestEffort, Burstable or Guaranteed, from the containers' requests and limits.
std::string QosClassOf(const nlohmann::ordered_json& pod);

}  // namespace relist::fakeapi
