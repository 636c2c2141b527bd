#include "core/time.h"

#include <gtest/gtest.h>

namespace relist::time_test {

TEST(Time, IsWrittenAsKubernetesWritesIt) {
  EXPECT_EQ(FormatRfc3339(kSimulationEpoch), "2026-01-01T00:00:00Z");
  EXPECT_EQ(FormatRfc3339(kSimulationEpoch + Millis(999)), "2026-01-01T00:00:00Z")
      << "whole seconds, cut";
  EXPECT_EQ(FormatRfc3339(TimePoint(Seconds(1709210096))), "2024-02-29T12:34:56Z");
  EXPECT_EQ(FormatRfc3339(TimePoint(Millis(-1))), "1969-12-31T23:59:59Z");
}

TEST(Time, SecondsHaveThreeDigitsAndASign) {
  EXPECT_EQ(FormatSeconds({}), "0.000");
  EXPECT_EQ(FormatSeconds(Seconds(12) + Millis(345)), "12.345");
  EXPECT_EQ(FormatSeconds(Millis(-250)), "-0.250");
  EXPECT_EQ(FormatSeconds(Duration(999999)), "0.000");
}

}  // namespace relist::time_test
