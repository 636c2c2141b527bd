#include "reflector/rest/rate_limiter.h"

#include <gtest/gtest.h>

namespace relist {
namespace rate_limiter_test {

TEST(RateLimiter, LetsABurstThroughAndThenSomeASecond) {
  RateLimiter limiter(5, 10);
  const TimePoint now = kSimulationEpoch;
  for (int i = 0; i < 10; ++i) EXPECT_EQ(limiter.Reserve(now), Duration{}) << i;
  EXPECT_EQ(limiter.Reserve(now) / Millis(1), 200);
  EXPECT_EQ(limiter.Reserve(now) / Millis(1), 400);
  EXPECT_EQ(limiter.Reserve(now + Millis(400)) / Millis(1), 200);
}

TEST(RateLimiter, FillsUpAgainToItsBurstAndNoFurther) {
  RateLimiter limiter(5, 2);
  const TimePoint now = kSimulationEpoch;
  limiter.Reserve(now);
  limiter.Reserve(now);
  EXPECT_EQ(limiter.Reserve(now + Seconds(100)), Duration{});
  EXPECT_EQ(limiter.Reserve(now + Seconds(100)), Duration{});
  EXPECT_EQ(limiter.Reserve(now + Seconds(100)) / Millis(1), 200);
}

TEST(RateLimiter, IsOffWithoutARate) {
  RateLimiter limiter(0, 0);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(limiter.Reserve(kSimulationEpoch), Duration{});
}

}  // namespace rate_limiter_test
}  // namespace relist
