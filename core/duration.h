// Lengths of time as people write them: in scenarios and as options.
//
//   ParseDuration("1.5s");          // 1500 ms
//   FormatDuration(Millis(1500));   // "1500ms"
#pragma once

#include <string>
#include <string_view>

#include "core/result.h"
#include "core/time.h"

namespace relist {

// "1500ms", "1.5s", "2m", "1h", or "0": digits, with a fraction or without, and a unit. Never
// negative; what is beyond a hundred years is a hundred years, what is finer than a nanosecond is
// cut. The Error says what would be right.
Result<Duration> ParseDuration(std::string_view text);

// The same, but longer than a week (168h) is an Error: of what a person asks a running program for.
Result<Duration> ParseDurationUpToAWeek(std::string_view text);

// In the largest unit of which it has a whole number: "10s", "1500ms", "2m", "0s".
std::string FormatDuration(Duration d);

}  // namespace relist
