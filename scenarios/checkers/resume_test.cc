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

TEST(ResumeTest, OfALogNobodyKnowsWhatWasToldBeforeARequest) {
  const std::string shown =
      "1 server commit rv=7 resource=configmaps key=default/a type=MODIFIED uid=ua\n"
      "1 server event id=2 type=MODIFIED key=default/a uid=ua rv=7\n"
      "2 client callback handler=h type=modified key=default/a uid=ua rv=7 old_rv=5\n";
  EXPECT_EQ(Found(CheckResume, kGoodStart + shown + WatchFrom(3, 6)).size(), 1u);
  EXPECT_TRUE(Found(CheckResume,
                    "0 client log file=l agent=client\n" + kGoodStart + shown + WatchFrom(3, 6))
                  .empty());
}

TEST(ResumeTest, WhatWasDroppedWhenTheClientWasStoppedNobodyWasShown) {
  const std::string text = kGoodStart + kEventC8 + WatchFrom(3, 7);
  EXPECT_EQ(Found(CheckResume, text + kEndC8).size(), 1u);
  EXPECT_TRUE(Found(CheckResume, text + "30 client stopped\n" + kEndC8).empty());
}

}  // namespace
}  // namespace relist
