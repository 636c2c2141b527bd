// C8, C9, C10 and C11.
#include "scenarios/checkers/history_text.h"

namespace relist {
namespace {

const std::string kEndC8 = "90 run phase name=end\n";
const std::string kEventC8 = R"(
  2 server commit rv=7 resource=configmaps key=default/b type=DELETED uid=ub
  2 server event id=2 type=DELETED resource=configmaps key=default/b uid=ub rv=7
)";
const std::string kShownC8 = R"(
  2 client position rv=7
  2 client callback handler=h type=deleted key=default/b uid=ub rv=7
)";

TEST(ResumeTest, AWatchFromTheLastEventIsHonest) {
  EXPECT_TRUE(
      Found(CheckResume, kGoodStart + kEventC8 + kShownC8 + WatchFrom(3, 7) + kEndC8).empty());
}

TEST(ResumeTest, AWatchFromBeforeWhatWasShownIsFound) {
  const auto found =
      Found(CheckResume, kGoodStart + kEventC8 + kShownC8 + WatchFrom(3, 6) + kEndC8);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("at 6 after it showed version 7"), std::string::npos);
}

TEST(ResumeTest, AWatchFromAnEventThatNobodyWasShownIsFound) {
  const auto found = Found(
      CheckResume, kGoodStart + kEventC8 + "2 client position rv=7\n" + WatchFrom(3, 7) + kEndC8);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("no handler was ever shown"), std::string::npos);
}

TEST(ResumeTest, AWatchFromAVersionThatNobodyGaveIsFound) {
  EXPECT_EQ(Found(CheckResume, kGoodStart + WatchFrom(3, 77) + kEndC8).size(), 1u);
}

const std::string kGoneC9 = R"(
  5 server event id=2 type=ERROR resource=configmaps code=410
  5 server end id=2 how=last_chunk
)";
const std::string kListC9 = R"(
  7 client request n=3 verb=LIST target=/api/v1/namespaces/default/configmaps?resourceVersion=6
  7 client answer n=3 status=200 rv=6 items=2
)";

TEST(ExpiryTest, AVersionThatExpiredInTheStreamIsNotResumed) {
  const auto found = Found(CheckExpiry, kGoodStart + kGoneC9 + WatchFrom(3, 6));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("resumes 6 without a list"), std::string::npos);
}

TEST(ExpiryTest, AListInBetweenMakesItAGoodVersionAgain) {
  EXPECT_TRUE(Found(CheckExpiry, kGoodStart + kGoneC9 + kListC9 + WatchFrom(4, 6)).empty());
}

TEST(ExpiryTest, AListThatExpiredItselfIsNoList) {
  EXPECT_EQ(Found(CheckExpiry, kGoodStart + kGoneC9 + R"(
    7 client request n=3 verb=LIST target=/api/v1/namespaces/default/configmaps?resourceVersion=6
    7 client answer n=3 status=410
  )" + WatchFrom(4, 6))
                .size(),
            1u);
}

TEST(ExpiryTest, A410AsHttpStatusCounts) {
  const std::string target = "/api/v1/namespaces/default/configmaps?resourceVersion=6&watch=true";
  EXPECT_EQ(Found(CheckExpiry, kGoodStart + "5 client request n=3 verb=WATCH target=" + target +
                                   "\n5 client answer n=3 status=410\n" + WatchFrom(4, 6))
                .size(),
            1u);
}

TEST(ExpiryTest, AnErrorLineThatAFaultKeptFromTheClientDoesNotCount) {
  EXPECT_TRUE(Found(CheckExpiry, kGoodStart +
                                     "4 server fault id=2 point=open verdict=stall_after_3\n" +
                                     kGoneC9 + WatchFrom(3, 6))
                  .empty());
}

std::string EmptyWatchC9(int n) {
  return WatchFrom(n, 6, n * 10) + std::to_string(n * 10) +
         ".1 server end id=" + std::to_string(n) + " how=last_chunk\n";
}

TEST(ExpiryTest, WatchesThatEndAtOnceMeanExpiredSooner) {
  std::string text = kGoodStart;
  for (int n = 3; n <= 5; ++n) text += EmptyWatchC9(n);
  EXPECT_TRUE(Found(CheckExpiry, text).empty()) << "a little patience is legal";
  for (int n = 6; n <= 7; ++n) text += EmptyWatchC9(n);
  EXPECT_FALSE(Found(CheckExpiry, text).empty());
}

TEST(ExpiryTest, AListThatLeadsBackToTheDeadVersionForEverIsClientGosOwn) {
  std::string text = kGoodStart;
  for (int n = 3; n <= 13; n += 2) {
    const std::string t = std::to_string(n * 10), id = std::to_string(n);
    text += WatchFrom(n, 6, n * 10) + t + " server event id=" + id + " type=ERROR code=410\n";
    text += t + " client request n=" + std::to_string(n + 1) +
            " verb=LIST target=/api/v1/namespaces/default/configmaps?resourceVersion=6\n";
    text += t + " client answer n=" + std::to_string(n + 1) + " status=200 rv=6 items=2\n";
  }
  const auto found = Found(CheckExpiry, text);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].find("faithful: WCH-06"), 0u);
}

const std::string kBookmarkC10 = R"(
  60 server event id=2 type=BOOKMARK resource=configmaps rv=9
  61 server end id=2 how=last_chunk
)";

TEST(BookmarksTest, ABookmarkMovesThePosition) {
  EXPECT_TRUE(Found(CheckBookmarks, kGoodStart + kBookmarkC10 + WatchFrom(3, 9, 62)).empty());
  const auto found = Found(CheckBookmarks, kGoodStart + kBookmarkC10 + WatchFrom(3, 6, 62));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("resumes at 6 after the bookmark at 9"), std::string::npos);
}

TEST(BookmarksTest, ABookmarkThatWasCutOffNeedNotHaveArrived) {
  EXPECT_TRUE(Found(CheckBookmarks, kGoodStart + R"(
    60 server event id=2 type=BOOKMARK resource=configmaps rv=9
    60 server end id=2 how=FIN
  )" + WatchFrom(3, 6, 62))
                  .empty());
}

TEST(BookmarksTest, AnObjectWithoutANameIsABookmarkThatWasShown) {
  EXPECT_EQ(
      Found(CheckBookmarks, kGoodStart + "60 client callback handler=h type=added key= uid= rv=9\n")
          .size(),
      1u);
}

TEST(SyncTest, SyncedAfterTheWholeInitialListIsGood) {
  EXPECT_TRUE(Found(CheckSync, kGoodStart + kEndC8).empty());
}

TEST(SyncTest, SyncedBeforeTheListOrBeforeAnObjectWasShownIsFound) {
  std::string early = kGoodStart;
  const std::string b =
      "  1 client callback handler=h type=added key=default/b uid=ub rv=6 initial=true\n";
  early.erase(early.find(b), b.size());
  const auto found = Found(CheckSync, early + b + kEndC8);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("before it was shown default/b"), std::string::npos);

  std::string first = kGoodStart;
  const std::string synced = "  1 client synced\n";
  first.erase(first.find(synced), synced.size());
  first.insert(first.find("  1 client relist"), synced);
  EXPECT_EQ(Found(CheckSync, first + kEndC8).size(), 1u);
}

TEST(SyncTest, NeverSyncedAtTheEndIsFound) {
  EXPECT_EQ(Found(CheckSync, "1 client request n=1 verb=LIST target=/api/v1/configmaps\n" + kEndC8)
                .size(),
            1u);
}

}  // namespace
}  // namespace relist
