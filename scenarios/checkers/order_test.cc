// C2, C3 and C4.
#include "scenarios/checkers/history_text.h"

namespace relist {
namespace {

TEST(RealStatesTest, WhatWasCommittedMayBeShownAndADeletionCarriesItsVersion) {
  EXPECT_TRUE(Found(CheckRealStates, kGoodStart + R"(
    2 server commit rv=7 resource=configmaps key=default/b type=DELETED uid=ub
    2 client callback handler=h type=deleted key=default/b uid=ub rv=7
    3 client callback handler=h type=deleted key=default/a uid=ua rv=5 tombstone=true
  )")
                  .empty());
}

TEST(RealStatesTest, AVersionThatNeverWasIsFound) {
  const auto found =
      Found(CheckRealStates,
            kGoodStart +
                "2 client callback handler=h type=modified key=default/b uid=ub rv=9 old_rv=6\n"
                "2 client callback handler=h type=modified key=default/b uid=ua rv=5 old_rv=9\n");
  EXPECT_EQ(found.size(), 2u);
}

TEST(KeyOrderTest, VersionsOfAKeyMayRepeatButNotGoBack) {
  EXPECT_TRUE(
      Found(CheckKeyOrder,
            kGoodStart +
                "2 client callback handler=h type=modified key=default/b uid=ub rv=6 old_rv=6\n")
          .empty());
  const auto found =
      Found(CheckKeyOrder,
            kGoodStart +
                "2 client callback handler=h type=modified key=default/b uid=ub rv=5 old_rv=6\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("default/b at 5 after 6"), std::string::npos);
}

TEST(KeyOrderTest, OldDataThatTheServerMayServeExcusesTheClient) {
  const auto found = Found(CheckKeyOrder, kGoodStart + R"(
    2 client request n=3 verb=LIST target=/api/v1/namespaces/default/configmaps?resourceVersion=0
    2 client answer n=3 status=200 rv=5 items=1
    2 client callback handler=h type=modified key=default/b uid=ub rv=5 old_rv=6
  )");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].find("stale-served"), 0u);
}

TEST(PositionOrderTest, AWatchThatStartsEarlierThanTheOneBeforeIsFound) {
  EXPECT_TRUE(Found(CheckPositionOrder, kGoodStart + WatchFrom(3, 6) + WatchFrom(4, 8)).empty());
  EXPECT_EQ(Found(CheckPositionOrder, kGoodStart + WatchFrom(3, 8) + WatchFrom(4, 7)).size(), 1u);
}

TEST(PositionOrderTest, AfterAListThePositionIsTheLists) {
  EXPECT_TRUE(Found(CheckPositionOrder, kGoodStart + WatchFrom(3, 8) + R"(
    21 client request n=4 verb=LIST target=/api/v1/namespaces/default/configmaps
  )" + WatchFrom(5, 7, 22))
                  .empty());
}

}  // namespace
}  // namespace relist
