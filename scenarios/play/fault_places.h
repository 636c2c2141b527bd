// Whether a place that the server tells of is one that a script means.
//
//   if (Matches(fault.place, place, page) && StrikesHere(fault, place)) ...
//
// Pure functions.
#pragma once

#include "fakeapi/http/fault_hook.h"
#include "scenarios/script/fault_spec.h"

namespace relist {

// The request, but for its number. `page`: which page of a list it asks for, 0 where nobody knows.
bool Matches(const PlaceSpec& spec, const fakeapi::FaultPlace& place, int page);
// The point of a request that is meant, and its line.
bool StrikesHere(const FaultSpec& fault, const fakeapi::FaultPlace& place);
// The request has no later place where another fault could strike.
bool EndsRequest(FaultSpec::Kind kind);

}  // namespace relist
