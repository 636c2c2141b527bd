#include "scenarios/checkers/history_text.h"

namespace relist {
namespace {

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
