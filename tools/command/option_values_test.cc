#include "tools/command/option_values.h"

#include <gmock/gmock.h>

#include <limits>

namespace relist::command {
namespace {

using testing::HasSubstr;

constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();

TEST(OptionValues, ADurationIsAWeekAtMost) {
  EXPECT_EQ(*ParseDurationFrom("168h", Duration(0)), Seconds(168 * 3600));
  for (const char* bad : {"168.1h", "8000h", "99999999999999999999h"}) {
    EXPECT_THAT(ParseDurationFrom(bad, Duration(0)).error().message(),
                HasSubstr("is too long: a week (168h) is the most"));
    EXPECT_FALSE(ParsePeriod(bad, Duration(0)).ok()) << bad;
  }
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

TEST(OptionValues, AnAddressIsOfAnInterface) {
  for (const char* good : {"127.0.0.1", "0.0.0.0", "::1", "::", "localhost"}) {
    EXPECT_EQ(*ParseAddress(good), good);
  }
  EXPECT_EQ(*ParseAddress("[::1]"), "::1");
  EXPECT_EQ(*ParseAddress("LocalHost"), "localhost");
  for (const char* bad : {"web", "*", "127.0.0", "[127.0.0.1]", "[]", "localhos", " ::1", ""}) {
    ASSERT_FALSE(ParseAddress(bad).ok()) << bad;
    EXPECT_THAT(ParseAddress(bad).error().message(),
                HasSubstr("is no IP address, such as 127.0.0.1, 0.0.0.0 or ::1, nor localhost"));
  }
}

TEST(OptionValues, NoHistoryIsNoneInSmallLetters) {
  for (const char* good : {"none", "./None", "none.ndjson", "non"}) {
    EXPECT_EQ(*ParseHistoryPath(good), good);
  }
  for (const char* bad : {"None", "NONE", "nonE"}) {
    ASSERT_FALSE(ParseHistoryPath(bad).ok()) << bad;
    EXPECT_THAT(ParseHistoryPath(bad).error().message(), HasSubstr("did you mean `none`"));
  }
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
