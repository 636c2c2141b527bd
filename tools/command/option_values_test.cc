#include "tools/command/option_values.h"

#include <gmock/gmock.h>

#include <limits>

namespace relist::command {
namespace {

using testing::HasSubstr;

constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();

TEST(OptionValues, DurationsHaveUnits) {
  EXPECT_EQ(*ParseDuration("90s"), Seconds(90));
  EXPECT_EQ(*ParseDuration("1.5s"), Millis(1500));
  EXPECT_EQ(*ParseDuration("1h"), Seconds(3600));
  EXPECT_EQ(*ParseDuration("0"), Duration(0));
  EXPECT_EQ(*ParseDuration("0ms"), Duration(0));
  for (const char* bad : {"", "s", "-1", "-1s", "1d", "nan", "nans", "inf", "infs", "8000h", "1 s",
                          "5", "0.5", "1e999s"}) {
    EXPECT_FALSE(ParseDuration(bad).ok()) << bad;
  }
  EXPECT_THAT(ParseDuration("5").error().message(),
              HasSubstr("a unit is missing (500ms, 90s, 5m, 1h)"));
}

TEST(OptionValues, ALeastIsSaid) {
  EXPECT_EQ(*ParseDurationFrom("10ms", Millis(10)), Millis(10));
  EXPECT_THAT(ParseDurationFrom("0s", Millis(10)).error().message(),
              HasSubstr("10ms is the least"));
  EXPECT_FALSE(ParseDurationFrom("9.9ms", Millis(10)).ok());
  EXPECT_FALSE(ParseDurationFrom("5", Millis(10)).ok());
}

TEST(OptionValues, APeriodOfZeroIsNever) {
  EXPECT_EQ(*ParsePeriod("0", Seconds(1)), Duration(0));
  EXPECT_EQ(*ParsePeriod("1s", Seconds(1)), Seconds(1));
  EXPECT_THAT(ParsePeriod("1ms", Seconds(1)).error().message(),
              HasSubstr("1s is the least, or 0 for never"));
}

TEST(OptionValues, WholeNumbersAreDigits) {
  EXPECT_EQ(*ParseWholeNumber("0", 0, 10), 0u);
  EXPECT_EQ(*ParseWholeNumber("18446744073709551615", 0, kMost), kMost);
  for (const char* bad :
       {"", "-1", "+1", "11", "1.0", "1e1", "0x1", "nan", "1 ", "99999999999999999999"}) {
    EXPECT_FALSE(ParseWholeNumber(bad, 0, 10).ok()) << bad;
  }
  EXPECT_FALSE(ParseWholeNumber("18446744073709551616", 0, kMost).ok());
}

TEST(OptionValues, NumbersAreFiniteAndInTheirRange) {
  EXPECT_EQ(*ParseNumber("1.5", 1, 60), 1.5);
  for (const char* bad : {"", "nan", "-nan", "inf", "-inf", "0.9", "60.1", "1,5", "2x", "1e999"}) {
    EXPECT_FALSE(ParseNumber(bad, 1, 60).ok()) << bad;
  }
  EXPECT_THAT(ParseNumber("nan", 1, 60).error().message(), HasSubstr("no number from 1 to 60"));
}

TEST(OptionValues, ATokenIsWhatAHeaderCanCarry) {
  EXPECT_EQ(*ParseToken("s3cret._~+/="), "s3cret._~+/=");
  for (const char* bad : {"a b", "a\nb", "a\t", "\x7f", "\xc3\xa9"}) {
    EXPECT_FALSE(ParseToken(bad).ok()) << bad;
  }
}

}  // namespace
}  // namespace relist::command
