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

}  // namespace
}  // namespace relist
