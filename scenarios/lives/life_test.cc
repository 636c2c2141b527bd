#include "scenarios/lives/life.h"

#include <gtest/gtest.h>

#include "scenarios/histories/timeline.h"

namespace relist {
namespace {

LifeResult SeededLife(uint64_t seed) {
  SeededChoices schedule(seed * 4), latency(seed * 4 + 1);
  SeededChoices faults(seed * 4 + 2), workload(seed * 4 + 3);
  return RunLife({schedule, latency, faults, workload});
}

TEST(LifeTest, ALifeWithoutChanceIsQuiet) {
  BoringChoices boring;
  const LifeResult life = RunLife({boring, boring, boring, boring});
  EXPECT_TRUE(life.violations.empty()) << ReportOf(life, "") << Timeline(life.history);
  EXPECT_EQ(life.faults, 0);
  EXPECT_EQ(life.relists, 1);
  EXPECT_EQ(life.watches, 1);
}

TEST(LifeTest, LivesUnderLegalFaultsKeepEveryPropertyAndAreBusyEnough) {
  constexpr int kLives = 100;
  int relists = 0, watches = 0;
  for (uint64_t seed = 1; seed <= kLives; ++seed) {
    const LifeResult life = SeededLife(seed);
    ASSERT_TRUE(life.violations.empty()) << "seed " << seed << "\n"
                                         << ReportOf(life, "") << Timeline(life.history);
    relists += life.relists;
    watches += life.watches;
  }
  EXPECT_GE(relists, kLives * 3 / 2);
  EXPECT_GE(watches, kLives * 3);
}

TEST(LifeTest, WritesCarryTheTimeAtWhichTheyHappen) {
  BoringChoices boring;
  const LifeResult life = RunLife({boring, boring, boring, boring});
  TimePoint last;
  for (const HistoryEntry& entry : life.history.entries()) {
    if (entry.what() == "commit") last = entry.when();
  }
  EXPECT_GE(last, life.history.start() + Seconds(180)) << "the sentinel comes after the calm";
}

TEST(LifeTest, TheSameChoicesGiveTheSameHistory) {
  for (uint64_t seed = 1; seed <= 10; ++seed) {
    ASSERT_EQ(SeededLife(seed).history_hash, SeededLife(seed).history_hash) << "seed " << seed;
  }
}

}  // namespace
}  // namespace relist
