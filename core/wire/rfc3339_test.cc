#include "core/wire/rfc3339.h"

#include <gtest/gtest.h>

namespace relist {
namespace rfc3339_test {

TEST(Times, AreReadAsTheyAreWritten) {
  EXPECT_EQ(ParseRfc3339("2026-01-01T00:00:00Z"), kSimulationEpoch);
  EXPECT_EQ(ParseRfc3339("2026-01-01T02:00:00.000250+02:00"),
            kSimulationEpoch + std::chrono::microseconds(250));
  EXPECT_EQ(ParseRfc3339(FormatRfc3339(kSimulationEpoch + Seconds(86399))),
            kSimulationEpoch + Seconds(86399));
  for (const char* wrong : {"", "2026", "2026-01-01", "2026-13-01T00:00:00Z",
                            "2026-02-30T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T00:00:00",
                            "2026-01-01T00:00:00Zx", "2026-01-01T00:00:00.Z"}) {
    EXPECT_EQ(ParseRfc3339(wrong), std::nullopt) << wrong;
  }
}

}  // namespace rfc3339_test
}  // namespace relist
