#include "scenarios/checkers/history_text.h"

namespace relist {
namespace {

const std::string kTwoEventsC7 = R"(
  2 server commit rv=7 resource=configmaps key=default/a type=MODIFIED uid=ua
  2 server commit rv=8 resource=configmaps key=default/b type=DELETED uid=ub
  3 client position rv=7
  3 client position rv=8
)";

TEST(StreamsTest, EveryEventUpToThePositionIsToldOnceInOrder) {
  EXPECT_TRUE(Found(CheckStreams, kGoodStart + kTwoEventsC7 + R"(
    3 client callback handler=h type=modified key=default/a uid=ua rv=7 old_rv=5
    3 client callback handler=h type=deleted key=default/b uid=ub rv=8
  )")
                  .empty());
}

TEST(StreamsTest, AnEventThatThePositionPassedButNobodySawIsFound) {
  const auto found = Found(
      CheckStreams, kGoodStart + kTwoEventsC7 +
                        "3 client callback handler=h type=deleted key=default/b uid=ub rv=8\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("never told of MODIFIED default/a at 7"), std::string::npos);
}

TEST(StreamsTest, WhatWaitedWhenTheClientWasStoppedIsDropped) {
  const std::string stopped = "4 client stopped\n90 run phase name=end\n";
  EXPECT_TRUE(Found(CheckStreams, kGoodStart + kTwoEventsC7 + stopped).empty());
  EXPECT_TRUE(
      Found(CheckStreams,
            kGoodStart + kTwoEventsC7 +
                "3 client callback handler=h type=modified key=default/a uid=ua rv=7 old_rv=5\n" +
                stopped)
          .empty());
  EXPECT_EQ(
      Found(CheckStreams,
            kGoodStart + kTwoEventsC7 +
                "3 client callback handler=h type=deleted key=default/b uid=ub rv=8\n" + stopped)
          .size(),
      1u)
      << "what came before what was told was not dropped";
}

TEST(StreamsTest, AnEventToldTwiceOrOutOfOrderIsFound) {
  EXPECT_EQ(Found(CheckStreams, kGoodStart + kTwoEventsC7 + R"(
    3 client callback handler=h type=modified key=default/a uid=ua rv=7 old_rv=5
    3 client callback handler=h type=modified key=default/a uid=ua rv=7 old_rv=5
    3 client callback handler=h type=deleted key=default/b uid=ub rv=8
  )")
                .size(),
            1u);
  EXPECT_EQ(Found(CheckStreams, kGoodStart + kTwoEventsC7 + R"(
    3 client callback handler=h type=deleted key=default/b uid=ub rv=8
    3 client callback handler=h type=modified key=default/a uid=ua rv=7 old_rv=5
  )")
                .size(),
            1u);
}

TEST(StreamsTest, OverARelistVersionsMayMerge) {
  EXPECT_TRUE(Found(CheckStreams, kGoodStart + R"(
    2 server commit rv=7 resource=configmaps key=default/a type=MODIFIED uid=ua
    2 server commit rv=8 resource=configmaps key=default/a type=MODIFIED uid=ua
    3 client relist why=list:_expired
    3 client position rv=8
    3 client callback handler=h type=modified key=default/a uid=ua rv=8 old_rv=5
    3 client callback handler=h type=modified key=default/b uid=ub rv=6 old_rv=6
  )")
                  .empty());
}

TEST(StreamsTest, AnObjectThatLeavesTheSelectorIsADeletion) {
  const std::string start = R"(
    0 server commit rv=5 resource=configmaps key=default/a type=ADDED uid=ua object={"metadata":{"name":"a","labels":{"app":"web"}}}
    1 client request n=1 verb=LIST target=/api/v1/namespaces/default/configmaps?labelSelector=app%3Dweb
    1 client relist why=list:_start
    1 client position rv=5
    1 client callback handler=h type=added key=default/a uid=ua rv=5
    2 server commit rv=6 resource=configmaps key=default/a type=MODIFIED uid=ua object={"metadata":{"name":"a"}}
    2 client position rv=6
  )";
  EXPECT_TRUE(Found(CheckStreams,
                    start + "3 client callback handler=h type=deleted key=default/a uid=ua rv=6\n")
                  .empty());
  EXPECT_EQ(Found(CheckStreams,
                  start + "3 client callback handler=h type=modified key=default/a uid=ua rv=6\n")
                .size(),
            1u);
}

TEST(StreamsTest, WhatTheServerNeverSentIsNoLossOfTheClients) {
  const std::string sent = "3 server event id=2 type=DELETED key=default/b uid=ub rv=8\n";
  const std::string shown = "3 client callback handler=h type=deleted key=default/b uid=ub rv=8\n";
  EXPECT_TRUE(Found(CheckStreams, kGoodStart + kTwoEventsC7 + sent + shown).empty());
}

TEST(StreamsTest, WhatNothingBroughtIsNoEvent) {
  const auto found = Found(CheckStreams, kGoodStart + kTwoEventsC7 + R"(
    3 server event id=2 type=DELETED key=default/b uid=ub rv=8
    3 client callback handler=h type=modified key=default/a uid=ua rv=7 old_rv=5
    3 client callback handler=h type=deleted key=default/b uid=ub rv=8
  )");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("told of default/a at 7, which nothing brought"), std::string::npos);
}

// What is newer than all lists came through the last stream, and so did what is before it.
TEST(StreamsTest, OfALogWithoutPositionsTheLastStreamIsJudgedUpToItsNewestCallback) {
  std::string log = "0 client log file=l agent=client\n" + kGoodStart + kTwoEventsC7;
  for (const char* position : {"  3 client position rv=7\n", "  3 client position rv=8\n"})
    log.erase(log.find(position), std::string(position).size());
  const std::string deleted =
      "3 client callback handler=h type=deleted key=default/b uid=ub rv=8\n";
  EXPECT_TRUE(
      Found(CheckStreams,
            log + "3 client callback handler=h type=modified key=default/a uid=ua rv=7\n" + deleted)
          .empty());
  EXPECT_EQ(Found(CheckStreams, log + deleted).size(), 1u);
  EXPECT_TRUE(Found(CheckStreams, log).empty()) << "nobody knows how far it came";
}

}  // namespace
}  // namespace relist
