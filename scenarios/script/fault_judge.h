// What no line of a fault says by itself: whether it can ever strike where it says, and whether a
// legal server would do it.
//
//   for (const std::string& why : FlawsInFault(fault, scenario.legal)) ...
//
// Pure functions. Which faults a legal server may show is README.md's.
#pragma once

#include <string>
#include <vector>

#include "scenarios/script/fault_spec.h"

namespace relist {

// Each in a sentence that says what would be right. `legal`: the server must be.
std::vector<std::string> FlawsInFault(const FaultSpec& fault, bool legal);

// Whether such a request may be a watch, which has lines.
bool CanBeWatch(PlaceSpec::Verb verb);

}  // namespace relist
