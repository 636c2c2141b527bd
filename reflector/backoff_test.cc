#include "reflector/backoff.h"

#include <gmock/gmock.h>

namespace relist {
namespace backoff_test {

using ::testing::ElementsAre;

constexpr TimePoint kStart = kSimulationEpoch;

TEST(Backoff, DoublesUpToItsCap) {
  BoringChoices boring;
  Backoff backoff({}, &boring, kStart);
  std::vector<int64_t> ms;
  for (int i = 0; i < 9; ++i) ms.push_back(backoff.Next(kStart) / Millis(1));
  EXPECT_THAT(ms, ElementsAre(800, 1600, 3200, 6400, 12800, 25600, 30000, 30000, 30000));
}

TEST(Backoff, DrawsEachDelayFromOnceToTwiceItsBaseAlsoAtTheCap) {
  SeededChoices choices(1);
  Backoff backoff({}, &choices, kStart);
  Duration most{};
  for (int i = 0; i < 200; ++i) {
    const Duration base =
        std::min(Duration(Millis(800)) * (1 << std::min(i, 10)), Duration(Seconds(30)));
    const Duration delay = backoff.Next(kStart);
    EXPECT_GE(delay, base);
    EXPECT_LT(delay, 2 * base);
    most = std::max(most, delay);
  }
  EXPECT_GT(most, Seconds(58));
}

TEST(Backoff, StartsAnewTwoMinutesAfterTheLastResetEvenMidOutage) {
  BoringChoices boring;
  Backoff backoff({}, &boring, kStart);
  for (int i = 0; i < 5; ++i) backoff.Next(kStart);
  EXPECT_EQ(backoff.Next(kStart + Seconds(120)), Millis(25600));
  EXPECT_EQ(backoff.Next(kStart + Seconds(121)), Millis(800));
  EXPECT_EQ(backoff.Next(kStart + Seconds(240)), Millis(1600));
  EXPECT_EQ(backoff.Next(kStart + Seconds(242)), Millis(800));
}

TEST(Backoff, RefusesNonsense) {
  BoringChoices boring;
  EXPECT_THROW(Backoff({}, nullptr, kStart), CheckFailed);
  EXPECT_THROW(Backoff({.initial = Seconds(0)}, &boring, kStart), CheckFailed);
}

}  // namespace backoff_test
}  // namespace relist
