#include "scenarios/script/expectation_lines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/checkers/checkers.h"
#include "scenarios/checkers/wire_checkers.h"

namespace relist {
namespace {

using ::testing::HasSubstr;

std::string InRequest(const std::string& line, KnownNames names = {}) {
  return FlawInRequestLine(line, &names).value_or("");
}
std::string InCallback(const std::string& line, KnownNames names = {}) {
  return FlawInCallbackLine(line, &names).value_or("");
}
std::string InStore(const std::string& line, KnownNames names = {}) {
  return FlawInStoreLine(line, &names).value_or("");
}

TEST(ExpectationLinesTest, WhatCanMatchIsFine) {
  for (const char* line :
       {"LIST limit=500&resourceVersion=0 -> 200", "LIST * -> *", "LIST  -> 200", "LIST -> 200",
        "WATCH resourceVersion={L}&timeoutSeconds=*&watch=true",
        "3-6 x WATCH resourceVersion={L}&watch=true -> unexpected eof", "0-1 x LIST * -> refused"})
    EXPECT_EQ(InRequest(line), "") << line;
  for (const char* line :
       {"added default/a {L} initial", "added default/* 12", "modified default/a {L} -> {L+1}",
        "deleted default/a * tombstone", "1-2 x deleted default/a {L}"})
    EXPECT_EQ(InCallback(line), "") << line;
  EXPECT_EQ(InStore("default/a"), "");
  EXPECT_EQ(FlawInVerdict("C11"), std::nullopt);
  EXPECT_EQ(FlawInVerdict("faithful: WCH-06"), std::nullopt);
}

TEST(ExpectationLinesTest, ALineOfAWatchIsOneThatIsSent) {
  const auto flaw = [](const std::string& line) {
    KnownNames names = {"L"};
    return FlawInSentLine(line, &names).value_or("");
  };
  for (const char* line : {"ADDED default/a {L}", "MODIFIED * 7", "DELETED default/a {L+1}",
                           "BOOKMARK {L}", "BOOKMARK * end", "ERROR 410", "2-3 x ERROR *"})
    EXPECT_EQ(flaw(line), "") << line;
  EXPECT_THAT(flaw("ADED default/a 7"), HasSubstr("did you mean \"ADDED\"?"));
  for (const char* line : {"ADDED default/a", "ADDED default/a 7 end", "ADDED default/a x"})
    EXPECT_THAT(flaw(line), HasSubstr("write \"ADDED default/a {L}\"")) << line;
  for (const char* line : {"BOOKMARK", "BOOKMARK default/a 7", "BOOKMARK 7 begin"})
    EXPECT_THAT(flaw(line), HasSubstr("\"BOOKMARK {L} end\"")) << line;
  for (const char* line : {"ERROR", "ERROR Gone", "ERROR 410 Gone"})
    EXPECT_THAT(flaw(line), HasSubstr("write \"ERROR 410\"")) << line;
}

TEST(ExpectationLinesTest, ARequestThatNoClientMakesIsAFlaw) {
  EXPECT_THAT(InRequest("LISST a=b -> 200"), HasSubstr("did you mean \"LIST\"?"));
  EXPECT_THAT(InRequest("LIST"), HasSubstr("a query is missing"));
  EXPECT_THAT(InRequest("LIST limit=500 => 200"), HasSubstr("\"=> 200\" has no place"));
  EXPECT_THAT(InRequest("LIST limit=500 -> 20"), HasSubstr("\"20\" is no outcome"));
  EXPECT_THAT(InRequest("LIST limit=500 -> refusd"), HasSubstr("did you mean \"refused\"?"));
  EXPECT_THAT(InRequest("LIST resourceVerson=0 -> 200"),
              HasSubstr("did you mean \"resourceVersion\"?"));
  EXPECT_THAT(InRequest("LIST limit -> 200"), HasSubstr("write key=value"));
  EXPECT_THAT(InRequest("3 x LIST * -> 200"), HasSubstr("\"3 x\" is not how often"));
  EXPECT_THAT(InRequest("6-3 x LIST * -> 200"), HasSubstr("\"6-3 x\" is not how often"));
  EXPECT_THAT(InRequest("1-999999 x LIST * -> 200"), HasSubstr("from 0 to 100000"));
  EXPECT_THAT(InRequest("0-99999999999999999999 x LIST * -> 200"), HasSubstr("is not how often"));
}

TEST(ExpectationLinesTest, ACallbackThatIsNeverMadeIsAFlaw) {
  EXPECT_THAT(InCallback("modyfied default/a"), HasSubstr("did you mean \"modified\"?"));
  EXPECT_THAT(InCallback("added default/a"), HasSubstr("an object and its version are missing"));
  EXPECT_THAT(InCallback("added default/a new"), HasSubstr("\"new\" is no version"));
  EXPECT_THAT(InCallback("added  default/a {L}"), HasSubstr("single blanks"));
  EXPECT_THAT(InCallback("modified default/a {L}"), HasSubstr("after \" -> \" is missing"));
  EXPECT_THAT(InCallback("modified default/a {L} => {L+1}"),
              HasSubstr("after \" -> \" is missing"));
  EXPECT_THAT(InCallback("added default/a {L} tombstone"),
              HasSubstr("\"tombstone\" has no place here"));
  EXPECT_THAT(InCallback("deleted default/a {L} initial"),
              HasSubstr("\"initial\" has no place here"));
  EXPECT_THAT(InCallback(""), HasSubstr("a line begins with added"));
}

TEST(ExpectationLinesTest, AReferenceNamesANumberThatIsKnown) {
  EXPECT_THAT(InCallback("added default/a {L+x}"), HasSubstr("\"{L+x}\" names no number"));
  EXPECT_THAT(InCallback("added default/a {}"), HasSubstr("names no number"));
  EXPECT_THAT(InCallback("added default/a {L"), HasSubstr("without its \"}\""));
  EXPECT_THAT(InCallback("added default/a L}"), HasSubstr("without its \"{\""));
  EXPECT_THAT(InCallback("added default/a {L+1}"), HasSubstr("needs a \"{L}\" in an earlier line"));
  EXPECT_THAT(InCallback("added default/a {L+99999999999}"), HasSubstr("names no number"));
  EXPECT_EQ(InCallback("added default/a {L+1}", {"L"}), "");
}

TEST(ExpectationLinesTest, StarsThatMatchInTooManyWaysAreAFlaw) {
  EXPECT_THAT(InStore("*a*a*a*"), HasSubstr("at most 2"));
  EXPECT_THAT(InRequest("LIST a*=1&b*=1&c*=1&d*=1&e*=1&f*=1&g*=1&h*=1&i*=1"),
              HasSubstr("8 in a line"));
}

TEST(ExpectationLinesTest, AStoreHoldsObjectsAndACheckerHasItsWords) {
  EXPECT_THAT(InStore("default/a {L}"), HasSubstr("is no object"));
  EXPECT_THAT(InStore(""), HasSubstr("is no object"));
  EXPECT_THAT(FlawInVerdict("C99").value_or(""), HasSubstr("no checker says \"C99\""));
  EXPECT_EQ(
      FlawInVerdict("C21"),
      "no checker says \"C21\"; they say C1, C2, C3, C4, C5, C6, C7, C8, C9, C10, C11, C12, C15, "
      "C16, C17, C18, C19, C20, W1, W2, W3, W4, W5, W6, W7, W8, W9, W10, W11, W12, W13, W14, "
      "W15, W16, W17, W18, W19, W20, faithful: WCH-06, faithful: NET-03, faithful: WCH-05, "
      "faithful: WLM-08, faithful: WLM-09");
  for (const Checker& checker : Checkers())
    EXPECT_EQ(FlawInVerdict(checker.property), std::nullopt) << checker.property;
  for (const WireChecker& checker : WireCheckers())
    EXPECT_EQ(FlawInVerdict(checker.property), std::nullopt) << checker.property;
}

}  // namespace
}  // namespace relist
