#include "core/wire/json_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace relist::json_text_test {

constexpr const char* kMark = "\xEF\xBF\xBD";

TEST(JsonText, KnowsUtf8FromItsLookalikes) {
  for (const char* good :
       {"", "ascii", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\xED\x9F\xBF", "\xEE\x80\x80",
        "\xF4\x8F\xBF\xBF", "eight bytes and \xC3\xA9 more"}) {
    EXPECT_TRUE(IsUtf8(good)) << good;
  }
  for (const char* bad :
       {"\xFF", "\x80", "\xC3", "\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xED\xA0\x80",
        "\xF0\x80\x80\x80", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xE2\x82", "\xF0\x9F\x98",
        "eight bytes and \xC3 more", "\xE2\x28\xA1"}) {
    EXPECT_FALSE(IsUtf8(bad)) << bad;
  }
}

TEST(JsonText, EachByteThatIsNoUtf8BecomesAReplacementAsInGo) {
  const std::string mark = kMark;
  EXPECT_EQ(MendUtf8("a\xFF\xFE"
                     "b"),
            "a" + mark + mark + "b");
  EXPECT_EQ(MendUtf8("\xE2\x82"), mark + mark);
  EXPECT_EQ(MendUtf8("\xE2\x82\xAC"), "\xE2\x82\xAC");
  EXPECT_EQ(MendUtf8("\xED\xA0\x80"), mark + mark + mark);
  EXPECT_EQ(MendUtf8("\xC3("), mark + "(");
}

TEST(JsonText, LoneSurrogateEscapesAreMendedAndPairsKept) {
  EXPECT_EQ(MendJson(R"({"a":"\ud83d\ude00"})"), R"({"a":"\ud83d\ude00"})");
  EXPECT_EQ(MendJson(R"({"a":"\ud83d"})"), R"({"a":"\ufffd"})");
  EXPECT_EQ(MendJson(R"({"a":"\ude00x"})"), R"({"a":"\ufffdx"})");
  EXPECT_EQ(MendJson(R"({"a":"\ud83d\ud83d\ude00"})"), R"({"a":"\ufffd\ud83d\ude00"})");
  EXPECT_EQ(MendJson(R"({"a":"\\ud83d"})"), R"({"a":"\\ud83d"})");
  EXPECT_EQ(MendJson(R"({"a":"\ud8)"), R"({"a":"\ud8)");
}

TEST(JsonText, ParseMendsWhatItMustAndNothingElse) {
  nlohmann::json value;
  std::string bytes = "{\"a\": \"\xFF\"}";
  ASSERT_TRUE(ParseJson(&bytes, &value));
  EXPECT_EQ(value["a"], kMark);
  EXPECT_EQ(bytes, "{\"a\": \"" + std::string(kMark) + "\"}");

  std::string good = "{\"a\" : \"\\u00e9\"}";
  ASSERT_TRUE(ParseJson(&good, &value));
  EXPECT_EQ(good, "{\"a\" : \"\\u00e9\"}");

  std::string bad = "{\"a\xFF\": ";
  EXPECT_FALSE(ParseJson(&bad, &value));
}

TEST(JsonText, DepthCountsBracketsOutsideStrings) {
  EXPECT_EQ(JsonDepth(""), 0);
  EXPECT_EQ(JsonDepth("1"), 0);
  EXPECT_EQ(JsonDepth("{\"a\":[1,[2]],\"b\":{}}"), 3);
  EXPECT_EQ(JsonDepth(R"({"[[[[":"\"[[[["})"), 1);
  EXPECT_EQ(JsonDepth(R"(["\\",["\\\"[[","\"\\",[]]])"), 3);
  EXPECT_EQ(JsonDepth(R"([["no end\"[[[)"), 2);
  EXPECT_EQ(JsonDepth(R"([["no end\)"), 2);
  EXPECT_EQ(JsonDepth(std::string(5000, '[')), 5000);
  EXPECT_EQ(JsonDepth("]]]][["), 0) << "unbalanced text is no reason to crash";
}

TEST(JsonText, NestsDeeperThanADepth) {
  EXPECT_FALSE(NestsDeeperThan("[[[]]]", 3));
  EXPECT_TRUE(NestsDeeperThan("[[[]]]", 2));
  EXPECT_FALSE(NestsDeeperThan("[]", 1));
}

TEST(JsonText, WhatNestsTooDeepIsNotParsed) {
  nlohmann::json value;
  std::string deepest = std::string(kJsonDepthMax, '[') + std::string(kJsonDepthMax, ']');
  EXPECT_TRUE(ParseJson(&deepest, &value));
  std::string deeper = "[" + deepest + "]";
  EXPECT_FALSE(ParseJson(&deeper, &value));
}

TEST(JsonText, IsWrittenAsGoWritesIt) {
  EXPECT_EQ(EscapeAsGo("{\"a&b\":\"<>\",\"c\":\"é\u2028\u2029\"}"),
            R"({"a\u0026b":"\u003c\u003e","c":"é\u2028\u2029"})");
  EXPECT_TRUE(IsPlainInGoJson("plain é text of more than sixteen bytes"));
  for (const char* not_plain : {"<", "a>", "&b", "\u2028", "\u2029", "\n", "\"", "\\", "\xff",
                                "behind the sixteenth byte <"}) {
    EXPECT_FALSE(IsPlainInGoJson(not_plain)) << not_plain;
  }
  EXPECT_TRUE(IsPlainInJson("<&>"));
}

}  // namespace relist::json_text_test
