#include "core/duration.h"

#include <gtest/gtest.h>

namespace relist::duration_test {

TEST(Durations, AreDigitsAndAUnit) {
  EXPECT_EQ(*ParseDuration("1500ms"), Millis(1500));
  EXPECT_EQ(*ParseDuration("90s"), Seconds(90));
  EXPECT_EQ(*ParseDuration("2m"), Seconds(120));
  EXPECT_EQ(*ParseDuration("1h"), Seconds(3600));
  EXPECT_EQ(*ParseDuration("007s"), Seconds(7));
}

TEST(Durations, MayHaveAFraction) {
  EXPECT_EQ(*ParseDuration("1.5s"), Millis(1500));
  EXPECT_EQ(*ParseDuration("0.5m"), Seconds(30));
  EXPECT_EQ(*ParseDuration("0.1h"), Seconds(360));
  EXPECT_EQ(*ParseDuration("0.333333333s"), Duration(333333333));
  EXPECT_EQ(*ParseDuration("0.000001ms"), Duration(1));
  EXPECT_EQ(*ParseDuration("0.00000199ms"), Duration(1)) << "cut";
}

TEST(Durations, ZeroNeedsNoUnit) {
  for (const char* zero : {"0", "0.0", "00", "0ms", "0s", "0h"}) {
    ASSERT_TRUE(ParseDuration(zero).ok()) << zero;
    EXPECT_EQ(*ParseDuration(zero), Duration(0)) << zero;
  }
}

TEST(Durations, BeyondAHundredYearsAreAHundredYears) {
  const Duration most = *ParseDuration("876000h");
  EXPECT_EQ(most, Seconds(100LL * 365 * 24 * 3600));
  for (const char* long_one : {"876001h", "99999999999999999999999999s", "9223372036854775808ms"}) {
    EXPECT_EQ(*ParseDuration(long_one), most) << long_one;
  }
}

TEST(Durations, WhatIsNoneIsToldWhatWouldBeOne) {
  for (const char* bad :
       {"",    "s",   "-1",  "-1s",   "+1s", "1d",  "1S",     "nan",  "nans", "inf", "infs",
        "1 s", " 1s", "1s ", "1h30m", ".5s", "1.s", "1.2.3s", "1,5s", "1e3s", "0x1s"}) {
    ASSERT_FALSE(ParseDuration(bad).ok()) << bad;
    EXPECT_EQ(ParseDuration(bad).error().message(),
              "`" + std::string(bad) + "` is no duration (500ms, 90s, 5m, 1h)");
  }
  for (const char* bare : {"5", "0.5"}) {
    ASSERT_FALSE(ParseDuration(bare).ok()) << bare;
    EXPECT_EQ(ParseDuration(bare).error().message(),
              "`" + std::string(bare) + "`: a unit is missing (500ms, 90s, 5m, 1h)");
  }
}

TEST(Durations, OfARunningProgramAreAWeekAtMost) {
  EXPECT_EQ(*ParseDurationUpToAWeek("168h"), Seconds(7 * 24 * 3600));
  for (const char* longer : {"168.1h", "876000h"}) {
    ASSERT_FALSE(ParseDurationUpToAWeek(longer).ok()) << longer;
    EXPECT_EQ(ParseDurationUpToAWeek(longer).error().message(),
              "`" + std::string(longer) + "` is too long: a week (168h) is the most");
  }
  EXPECT_FALSE(ParseDurationUpToAWeek("5").ok());
}

TEST(Durations, AreWrittenInTheLargestUnitThatFits) {
  EXPECT_EQ(FormatDuration(Duration(0)), "0s");
  EXPECT_EQ(FormatDuration(Millis(1500)), "1500ms");
  EXPECT_EQ(FormatDuration(Seconds(90)), "90s");
  EXPECT_EQ(FormatDuration(Seconds(120)), "2m");
  EXPECT_EQ(FormatDuration(Seconds(7200)), "2h");
}

}  // namespace relist::duration_test
