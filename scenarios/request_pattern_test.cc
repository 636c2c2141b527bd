#include "scenarios/request_pattern.h"

#include <gtest/gtest.h>

namespace relist {
namespace {

constexpr char kSeenRequest[] =
    "WATCH allowWatchBookmarks=true&resourceVersion=7&timeoutSeconds=412&watch=true -> 200";

bool MatchesSeen(const std::string& pattern, PatternNames names = {}) {
  return MatchRequest(pattern, kSeenRequest, &names);
}

TEST(RequestPatternTest, ParametersHaveNoOrder) {
  EXPECT_TRUE(MatchesSeen(kSeenRequest));
  EXPECT_TRUE(MatchesSeen(
      "WATCH watch=true&timeoutSeconds=*&resourceVersion={L}&allowWatchBookmarks=true -> 200"));
}

TEST(RequestPatternTest, AStarAmongThemIsAnyOthers) {
  EXPECT_TRUE(MatchesSeen("WATCH * -> 200"));
  EXPECT_TRUE(MatchesSeen("WATCH * -> *"));
  EXPECT_TRUE(MatchesSeen("WATCH resourceVersion=7&* -> 200"));
  EXPECT_TRUE(MatchesSeen("WATCH *&resourceVersion=7 -> 200"));
  EXPECT_FALSE(MatchesSeen("WATCH resourceVersion=8&* -> 200"));
  EXPECT_FALSE(MatchesSeen("WATCH * -> 410"));
  EXPECT_FALSE(MatchesSeen("LIST * -> 200"));
  PatternNames names;
  EXPECT_TRUE(MatchRequest("LIST * -> 200", "LIST  -> 200", &names));
  EXPECT_TRUE(MatchRequest("LIST * -> *", "LIST limit=5 -> unexpected eof", &names));
  EXPECT_FALSE(MatchRequest("LIST * -> *", "LIST limit=5", &names)) << "it was never answered";
}

TEST(RequestPatternTest, WithoutAStarAllAreWrittenAndNoMore) {
  EXPECT_FALSE(MatchesSeen("WATCH resourceVersion=7&timeoutSeconds=*&watch=true -> 200"));
  EXPECT_FALSE(MatchesSeen(
      "WATCH allowWatchBookmarks=true&limit=1&resourceVersion=7&timeoutSeconds=*&watch=true"
      " -> 200"));
  EXPECT_FALSE(MatchesSeen(
      "WATCH allowWatchBookmarks=true&resourceVersion=*&resourceVersion=*&watch=true -> 200"));
  EXPECT_FALSE(MatchesSeen("WATCH  -> 200"));
}

TEST(RequestPatternTest, AStarInAValueEndsWhereTheParameterEnds) {
  EXPECT_TRUE(MatchesSeen("WATCH *=true&resourceVersion=*&timeoutSeconds=4*2&watch=* -> 200"));
  EXPECT_FALSE(MatchesSeen("WATCH allowWatchBookmarks=*&watch=true -> 200"));
}

TEST(RequestPatternTest, AnEmptyQueryIsWrittenWithOneBlankOrTwo) {
  PatternNames names;
  EXPECT_TRUE(MatchRequest("LIST -> 200", "LIST  -> 200", &names));
  EXPECT_TRUE(MatchRequest("LIST  -> 200", "LIST  -> 200", &names));
  EXPECT_FALSE(MatchRequest("LIST -> 200", "LIST limit=1 -> 200", &names));
}

TEST(RequestPatternTest, NamesAreBoundOnlyWhereAllMatches) {
  PatternNames names;
  EXPECT_FALSE(MatchRequest("WATCH resourceVersion={L}&* -> 410", kSeenRequest, &names));
  EXPECT_TRUE(names.empty());
  EXPECT_TRUE(MatchRequest("WATCH resourceVersion={L}&* -> 200", kSeenRequest, &names));
  EXPECT_EQ(names.at("L"), 7);
  EXPECT_FALSE(MatchRequest("WATCH resourceVersion={L+1}&* -> 200", kSeenRequest, &names));
}

TEST(RequestPatternTest, WhatDiffersIsNamed) {
  const auto differ = [](const std::string& pattern) {
    return HowRequestsDiffer(pattern, kSeenRequest, {{"L", 5}});
  };
  EXPECT_EQ(differ("LIST * -> 200"), "a LIST, not a WATCH");
  EXPECT_EQ(differ("WATCH resourceVersion={L+1}&* -> 410"),
            "resourceVersion={L+1}, not resourceVersion=7; 410, not 200");
  EXPECT_EQ(differ("WATCH limit=2&resourceVersion={L+2}"),
            "no limit=2 was sent; nothing of allowWatchBookmarks=true&timeoutSeconds=412&watch=true"
            "; no answer, not 200");
}

}  // namespace
}  // namespace relist
