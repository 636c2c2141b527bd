#include "scenarios/checkers/history_text.h"

namespace relist {
namespace {

const std::string kWrittenC20 =
    "2 server commit rv=7 resource=configmaps key=default/a type=MODIFIED uid=ua\n";
const std::string kOldStoreC20 =
    "4 client dump items=2\n4 client store key=default/a rv=5 uid=ua\n"
    "4 client store key=default/b rv=6 uid=ub\n";

TEST(OwnWritesTest, WhoHasWaitedForAVersionIsThere) {
  EXPECT_TRUE(Found(CheckOwnWrites,
                    kGoodStart + kWrittenC20 + "3 client position rv=7\n3 client waited rv=7\n")
                  .empty());
  const auto found = Found(CheckOwnWrites, kGoodStart + kWrittenC20 + "3 client waited rv=7\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("was at 6 when its wait for 7 was over"), std::string::npos);
}

TEST(OwnWritesTest, WhatItHoldsThenIsNotOlder) {
  const std::string waited = "0 client log file=l agent=client\n" + kGoodStart + kWrittenC20;
  EXPECT_TRUE(Found(CheckOwnWrites, waited + "3 client waited rv=6\n" + kOldStoreC20).empty());
  const auto found = Found(CheckOwnWrites, waited + "3 client waited rv=7\n" + kOldStoreC20);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("holds default/a at 5, after which came MODIFIED at 7 after it waited"),
            std::string::npos)
      << found[0];
  EXPECT_TRUE(Found(CheckOwnWrites, waited + kOldStoreC20 + "5 client waited rv=7\n").empty())
      << "what it held before";
}

}  // namespace
}  // namespace relist
