// What a fault of a script tells the server to do.
//
//   fakeapi::Verdict verdict = VerdictOf(fault, place);
//
// Of a fault on a line `place.line` is that line: an alteration is of what it says. Pure.
#pragma once

#include "fakeapi/http/fault_hook.h"
#include "scenarios/script/fault_spec.h"

namespace relist {

fakeapi::Verdict VerdictOf(const FaultSpec& fault, const fakeapi::FaultPlace& place);

}  // namespace relist
