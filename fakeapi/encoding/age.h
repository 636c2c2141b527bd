// Ages as kubectl's tables print them.
//
//   HumanDuration(Seconds(3 * 86400 + 7200));    // "3d2h"
#pragma once

#include <string>
#include <string_view>

#include "core/time.h"

namespace relist::fakeapi {

// Two units at most, as kubectl's AGE column: "45s", "5m10s", "3h", "12d", "2y31d". "<invalid>" for
// the future.
std::string HumanDuration(Duration age);

// The age of the time in `text`; "<unknown>" where that is none.
std::string AgeOf(std::string_view text, TimePoint now);

}  // namespace relist::fakeapi
