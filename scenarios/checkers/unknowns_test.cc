#include "scenarios/checkers/history_text.h"

namespace relist {
namespace {

const std::string kUnknownC18 = R"(
  2 server commit rv=7 resource=configmaps key=default/a type=MODIFIED uid=ua
  2 server commit rv=8 resource=configmaps key=default/b type=MODIFIED uid=ub
  3 server event id=2 type=MODIFIED key=default/a uid=ua rv=7
  3 server event id=2 type=RENAMED key=default/z uid=uz rv=99
  3 server event id=2 type=MODIFIED key=default/b uid=ub rv=8
)";
const std::string kFirstC18 =
    "4 client callback handler=h type=modified key=default/a uid=ua rv=7 old_rv=5\n";
const std::string kSecondC18 =
    "4 client callback handler=h type=modified key=default/b uid=ub rv=8 old_rv=6\n";
const std::string kEndC18 = "90 run phase name=end\n";

TEST(UnknownsTest, WhatIsBesideALineOfAnUnknownTypeIsTold) {
  EXPECT_TRUE(
      Found(CheckUnknowns, kGoodStart + kUnknownC18 + kFirstC18 + kSecondC18 + kEndC18).empty());
  const auto before = Found(CheckUnknowns, kGoodStart + kUnknownC18 + kSecondC18 + kEndC18);
  ASSERT_EQ(before.size(), 1u);
  EXPECT_NE(before[0].find("never told of MODIFIED default/a at 7 beside a line of type RENAMED"),
            std::string::npos);
  const auto after = Found(CheckUnknowns, kGoodStart + kUnknownC18 + kFirstC18 + kEndC18);
  ASSERT_EQ(after.size(), 1u);
  EXPECT_NE(after[0].find("default/b at 8"), std::string::npos);
}

TEST(UnknownsTest, AListAfterwardsMayTellOfALaterState) {
  EXPECT_TRUE(Found(CheckUnknowns,
                    kGoodStart + kUnknownC18 + kFirstC18 +
                        "5 client callback handler=h type=modified key=default/b uid=ub rv=9\n" +
                        kEndC18)
                  .empty());
}

TEST(UnknownsTest, ALineOfAnUnknownTypeIsNoObject) {
  const auto found =
      Found(CheckUnknowns,
            kGoodStart + kUnknownC18 + kFirstC18 + kSecondC18 +
                "4 client callback handler=h type=added key=default/z uid=uz rv=99\n" + kEndC18);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("was shown default/z at 99 out of one of type RENAMED"),
            std::string::npos);
}

}  // namespace
}  // namespace relist
