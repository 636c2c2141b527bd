// Times as Kubernetes writes them, read back; core/time.h writes them.
//
//   ParseRfc3339("2026-01-01T00:00:00Z");            // metav1.Time
//   ParseRfc3339("2026-01-01T02:00:00.25+02:00");    // fractions and offsets are read, too
#pragma once

#include <optional>
#include <string_view>

#include "core/time.h"

namespace relist {

// Nothing where `text` is no such time, or one that a TimePoint cannot hold (years 1700 to 2261).
std::optional<TimePoint> ParseRfc3339(std::string_view text);

}  // namespace relist
