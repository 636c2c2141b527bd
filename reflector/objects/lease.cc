#include "reflector/objects/lease.h"

#include <nlohmann/json.hpp>

#include "reflector/objects/json_fields.h"

namespace relist::objects {

void from_json(const Json& from, LeaseSpec& into) {
  ReadField(from, "holderIdentity", &into.holder_identity);
  ReadField(from, "leaseDurationSeconds", &into.lease_duration_seconds);
  ReadField(from, "leaseTransitions", &into.lease_transitions);
  ReadField(from, "acquireTime", &into.acquire_time);
  ReadField(from, "renewTime", &into.renew_time);
  ReadField(from, "strategy", &into.strategy);
  ReadField(from, "preferredHolder", &into.preferred_holder);
}

void to_json(Json& into, const LeaseSpec& from) {
  WriteField(&into, "holderIdentity", from.holder_identity);
  WriteField(&into, "leaseDurationSeconds", from.lease_duration_seconds);
  WriteField(&into, "leaseTransitions", from.lease_transitions);
  WriteField(&into, "acquireTime", from.acquire_time);
  WriteField(&into, "renewTime", from.renew_time);
  WriteField(&into, "strategy", from.strategy);
  WriteField(&into, "preferredHolder", from.preferred_holder);
}

void from_json(const Json& from, Lease& into) {
  ReadField(from, "metadata", &into.metadata);
  ReadField(from, "spec", &into.spec);
}

void to_json(Json& into, const Lease& from) {
  SetField(&into, "kind", "Lease");
  SetField(&into, "apiVersion", "coordination.k8s.io/v1");
  WriteField(&into, "metadata", from.metadata);
  WriteField(&into, "spec", from.spec);
}

}  // namespace relist::objects
