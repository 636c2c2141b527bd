#include "reflector/work_queues/item_rate_limiter.h"

#include <gmock/gmock.h>

#include <string>

namespace relist {
namespace item_rate_limiter_test {

using ::testing::ElementsAre;

using Limiter = ItemRateLimiter<std::string>;
using Exponential = ExponentialItemLimiter<std::string>;
using FastSlow = FastSlowItemLimiter<std::string>;

// The next `n` waits, all asked for at once.
std::vector<Duration> Waits(Limiter& limiter, const std::string& item, int n) {
  std::vector<Duration> out;
  for (int i = 0; i < n; ++i) out.push_back(limiter.When(item, kSimulationEpoch));
  return out;
}

TEST(ItemRateLimiter, DoublesTheWaitOfEachItemByItself) {  // TestItemExponentialFailureRateLimiter
  Exponential limiter(Millis(1), Seconds(1));
  EXPECT_THAT(Waits(limiter, "one", 5),
              ElementsAre(Millis(1), Millis(2), Millis(4), Millis(8), Millis(16)));
  EXPECT_EQ(limiter.NumRequeues("one"), 5);
  EXPECT_THAT(Waits(limiter, "two", 2), ElementsAre(Millis(1), Millis(2)));
  EXPECT_EQ(limiter.NumRequeues("two"), 2);
  limiter.Forget("one");
  EXPECT_EQ(limiter.NumRequeues("one"), 0);
  EXPECT_THAT(Waits(limiter, "one", 1), ElementsAre(Millis(1)));
}

TEST(ItemRateLimiter, NeverWaitsLongerThanItMay) {  // TestItemExponentialFailureRateLimiterOverFlow
  Exponential limiter(Millis(1), Seconds(1000));
  Waits(limiter, "one", 5);
  EXPECT_THAT(Waits(limiter, "one", 1), ElementsAre(Millis(32)));
  Waits(limiter, "overflow", 1000);
  EXPECT_THAT(Waits(limiter, "overflow", 1), ElementsAre(Seconds(1000)));
  Exponential slow(Seconds(60), Seconds(3600 * 1000));
  Waits(slow, "two", 2);
  EXPECT_THAT(Waits(slow, "two", 1), ElementsAre(Seconds(240)));
  Waits(slow, "overflow", 1000);
  EXPECT_THAT(Waits(slow, "overflow", 1), ElementsAre(Seconds(3600 * 1000)));
  Exponential never(Seconds(0), Seconds(10));
  EXPECT_EQ(Waits(never, "a", 100).back(), Seconds(0));
  Exponential capped(Seconds(20), Seconds(10));
  EXPECT_EQ(Waits(capped, "a", 1).back(), Seconds(10));
}

TEST(ItemRateLimiter, IsFastAFewTimesAndThenSlow) {  // TestItemFastSlowRateLimiter
  FastSlow limiter(Millis(5), Seconds(10), 3);
  EXPECT_THAT(Waits(limiter, "one", 5),
              ElementsAre(Millis(5), Millis(5), Millis(5), Seconds(10), Seconds(10)));
  EXPECT_EQ(limiter.NumRequeues("one"), 5);
  EXPECT_THAT(Waits(limiter, "two", 2), ElementsAre(Millis(5), Millis(5)));
  EXPECT_EQ(limiter.NumRequeues("two"), 2);
  limiter.Forget("one");
  EXPECT_EQ(limiter.NumRequeues("one"), 0);
  EXPECT_THAT(Waits(limiter, "one", 1), ElementsAre(Millis(5)));
}

TEST(ItemRateLimiter, TakesTheLongestOfSeveralWaits) {  // TestMaxOfRateLimiter
  MaxOfItemLimiter<std::string>::Limiters both;
  both.push_back(std::make_unique<FastSlow>(Millis(5), Seconds(3), 3));
  both.push_back(std::make_unique<Exponential>(Millis(1), Seconds(1)));
  MaxOfItemLimiter<std::string> limiter(std::move(both));
  EXPECT_THAT(Waits(limiter, "one", 5),
              ElementsAre(Millis(5), Millis(5), Millis(5), Seconds(3), Seconds(3)));
  EXPECT_EQ(limiter.NumRequeues("one"), 5);
  EXPECT_THAT(Waits(limiter, "two", 2), ElementsAre(Millis(5), Millis(5)));
  EXPECT_EQ(limiter.NumRequeues("two"), 2);
  limiter.Forget("one");
  EXPECT_EQ(limiter.NumRequeues("one"), 0);
  EXPECT_THAT(Waits(limiter, "one", 1), ElementsAre(Millis(5)));
}

TEST(ItemRateLimiter, CutsAnothersWait) {  // TestWithMaxWaitRateLimiter
  WithMaxWaitLimiter<std::string> limiter(std::make_unique<FastSlow>(Millis(5), Seconds(1000), 100),
                                          Seconds(500));
  const std::vector<Duration> waits = Waits(limiter, "a", 200);
  for (size_t i = 0; i < 200; ++i) {
    EXPECT_EQ(waits[i], i < 100 ? Millis(5) : Seconds(500)) << i;
  }
  EXPECT_EQ(limiter.NumRequeues("a"), 200);
  limiter.Forget("a");
  EXPECT_EQ(limiter.NumRequeues("a"), 0);
}

TEST(ItemRateLimiter, GivesAllItemsTogetherABucket) {
  BucketItemLimiter<std::string> limiter(10, 2);
  EXPECT_THAT(Waits(limiter, "a", 2), ElementsAre(Seconds(0), Seconds(0)));
  EXPECT_THAT(Waits(limiter, "b", 2), ElementsAre(Millis(100), Millis(200)));
  EXPECT_EQ(limiter.NumRequeues("a"), 0);
  EXPECT_EQ(limiter.When("a", kSimulationEpoch + Seconds(10)), Seconds(0));
}

TEST(ItemRateLimiter, IsByDefaultTheLongerOfItemAndBucket) {
  const auto limiter = DefaultControllerRateLimiter<std::string>();
  EXPECT_THAT(Waits(*limiter, "a", 3), ElementsAre(Millis(5), Millis(10), Millis(20)));
  Waits(*limiter, "b", 97);
  EXPECT_THAT(Waits(*limiter, "c", 2), ElementsAre(Millis(100), Millis(200)));
  const auto by_item = DefaultItemBasedRateLimiter<std::string>();
  EXPECT_THAT(Waits(*by_item, "a", 3), ElementsAre(Millis(1), Millis(2), Millis(4)));
  EXPECT_EQ(Waits(*by_item, "a", 30).back(), Seconds(1000));
}

}  // namespace item_rate_limiter_test
}  // namespace relist
