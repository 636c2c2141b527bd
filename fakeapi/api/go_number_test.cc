#include "fakeapi/api/go_number.h"

#include <gtest/gtest.h>

namespace relist::fakeapi {
namespace go_number_test {

TEST(GoNumber, TheFirstThingThatIsWrongDecides) {
  uint64_t value = 0;
  EXPECT_EQ(ParseGoUint("18446744073709551615", &value), GoNumber::kGood);
  EXPECT_EQ(value, UINT64_MAX);
  EXPECT_EQ(ParseGoUint("18446744073709551616", &value), GoNumber::kRange);
  EXPECT_EQ(ParseGoUint("99999999999999999999x", &value), GoNumber::kRange);
  for (const char* text : {"", "x", "1x", "9999999999999999999x", "+1", "-1", " 1", "1_0"}) {
    EXPECT_EQ(ParseGoUint(text, &value), GoNumber::kSyntax) << text;
  }
}

TEST(GoNumber, ASignIsForIntegers) {
  int64_t value = 0;
  EXPECT_EQ(ParseGoInt("-9223372036854775808", &value), GoNumber::kGood);
  EXPECT_EQ(value, INT64_MIN);
  EXPECT_EQ(ParseGoInt("+7", &value), GoNumber::kGood);
  EXPECT_EQ(value, 7);
  EXPECT_EQ(ParseGoInt("9223372036854775808", &value), GoNumber::kRange);
  EXPECT_EQ(ParseGoInt("-9223372036854775809", &value), GoNumber::kRange);
  EXPECT_EQ(ParseGoInt("-99999999999999999999x", &value), GoNumber::kRange);
  for (const char* text : {"", "-", "+", "+-5", "--5", "-x"}) {
    EXPECT_EQ(ParseGoInt(text, &value), GoNumber::kSyntax) << text;
  }
}

TEST(GoNumber, SaysSoAsGoDoes) {
  EXPECT_EQ(GoNumberText("ParseInt", "\"", GoNumber::kSyntax),
            R"(strconv.ParseInt: parsing "\"": invalid syntax)");
  EXPECT_EQ(GoNumberText("ParseUint", "9", GoNumber::kRange),
            R"(strconv.ParseUint: parsing "9": value out of range)");
}

}  // namespace go_number_test
}  // namespace relist::fakeapi
