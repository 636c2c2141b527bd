// What a script can do, in half a sentence each: for who asks what there is (language.h).
//
//   WhatItDoes(StepSpec::Kind::kEvict);   // "the watch windows start empty: older watches expire"
#pragma once

#include <string_view>

#include "scenarios/script/fault_spec.h"
#include "scenarios/script/step_spec.h"

namespace relist {

std::string_view WhatItDoes(StepSpec::Kind kind);
std::string_view WhatItDoes(FaultSpec::Kind kind);

}  // namespace relist
