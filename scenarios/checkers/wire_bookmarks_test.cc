#include "scenarios/checkers/wire_text.h"

namespace relist {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kBookmarkedW7 =
    kWrites + Watch(1, "allowWatchBookmarks=true&resourceVersion=6") + kMoreWrites;

TEST(WireBookmarksTest, BookmarksBehindWhatTheyPassAreGood) {
  EXPECT_THAT(
      WireSays(kBookmarkedW7 + BookmarkAt(1, 6, "", 1.5) + Event7(1) + BookmarkAt(1, 7) +
               BookmarkAt(1, 7) + Event8(1) + Event9(1) + BookmarkAt(1, 9) + BookmarkAt(1, 12)),
      IsEmpty());
}

TEST(WireBookmarksTest, NobodyWhoDidNotAskGetsOne) {
  const auto said =
      WireSays(kWrites + Watch(1, "resourceVersion=6") + kMoreWrites + BookmarkAt(1, 6));
  ASSERT_EQ(said.size(), 1u);
  EXPECT_THAT(said[0], HasSubstr("W7: bookmarks go to who asked for them, but #1 was sent"));
  EXPECT_THAT(Blamed(kWrites + Watch(1, "allowWatchBookmarks=false&resourceVersion=6") +
                     kMoreWrites + BookmarkAt(1, 6)),
              ElementsAre("W7"));
}

TEST(WireBookmarksTest, WhatABookmarkPassedDoesNotComeAfterwards) {
  EXPECT_THAT(Blamed(kBookmarkedW7 + BookmarkAt(1, 7) + Event7(1)), ElementsAre("W7"));
  EXPECT_THAT(Blamed(kBookmarkedW7 + Event7(1) + BookmarkAt(1, 9) + Event8(1) + Event9(1)),
              ElementsAre("W7"));
}

TEST(WireBookmarksTest, ABookmarkIsNotBelowWhatWentBefore) {
  EXPECT_THAT(Blamed(kBookmarkedW7 + Event7(1) + Event8(1) + BookmarkAt(1, 7)), ElementsAre("W7"));
  EXPECT_THAT(Blamed(kBookmarkedW7 + Event7(1) + BookmarkAt(1, 7) + BookmarkAt(1, 6)),
              ElementsAre("W7"));
  EXPECT_THAT(Blamed(kBookmarkedW7 + BookmarkAt(1, 5)), ElementsAre("W7")) << "the start";
}

TEST(WireBookmarksTest, ItsObjectHasAKindAndAVersionAndNothingElse) {
  const auto with = [](const std::string& object) {
    return Blamed(kBookmarkedW7 + Event7(1) + BookmarkAt(1, 7, "object=" + object));
  };
  const std::string good = R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{)";
  EXPECT_THAT(with(good + R"("resourceVersion":"7"}})"), IsEmpty());
  EXPECT_THAT(with(good + R"("resourceVersion":"7","creationTimestamp":null},"data":null})"),
              IsEmpty())
      << "zero values";
  for (const std::string& object : {
           good + R"("resourceVersion":"8"}})",
           good + "}}",
           good + R"("name":"a","resourceVersion":"7"}})",
           good + R"("resourceVersion":"7","annotations":{"k8s.io/initial-events-end":"true"}}})",
           std::string(R"({"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"7"}})"),
           std::string(R"({"kind":"ConfigMap","metadata":{"resourceVersion":"7"}})"),
           std::string(R"({"kind":"ConfigMap","apiVersion":"v1"})"),
       }) {
    EXPECT_THAT(with(object), ElementsAre("W7")) << object;
  }
}

TEST(WireBookmarksTest, ATableIsNoObject) {
  const std::string table = kWrites +
                            Watch(1, "allowWatchBookmarks=true&resourceVersion=6", 1,
                                  "accept=application/json;as=Table") +
                            kMoreWrites;
  EXPECT_THAT(Blamed(table + BookmarkAt(1, 6, R"(object={"kind":"Table"})")), IsEmpty());
}

}  // namespace
}  // namespace relist
