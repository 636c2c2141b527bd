#include "scenarios/lives.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "scenarios/timeline.h"

namespace relist {
namespace {

LifeResult SeededLife(uint64_t seed, const LifeOptions& options = {}) {
  SeededChoices schedule(seed * 4), latency(seed * 4 + 1), faults(seed * 4 + 2), workload(seed * 4 + 3);
  return RunLife(options, schedule, latency, faults, workload);
}

std::string WhatWentWrong(const LifeResult& life) {
  std::string text;
  for (const Violation& violation : life.violations) text += Describe(life.history, violation, "");
  return text;
}

TEST(LivesTest, ABoringLifeIsQuietAndConverges) {
  BoringChoices boring;
  const LifeResult life = RunLife({}, boring, boring, boring, boring);
  EXPECT_TRUE(life.converged);
  EXPECT_TRUE(life.violations.empty()) << WhatWentWrong(life);
  EXPECT_EQ(life.faults, 0);
  EXPECT_EQ(life.relists, 1);
  EXPECT_EQ(life.watches, 1);
}

TEST(LivesTest, LivesUnderLegalFaultsKeepEveryProperty) {
  const char* only = std::getenv("RELIST_LIFE");
  const uint64_t first = only ? std::strtoull(only, nullptr, 10) : 1;
  const uint64_t last = only ? first : 300;
  int relists = 0, watches = 0;
  for (uint64_t seed = first; seed <= last; ++seed) {
    const LifeResult life = SeededLife(seed);
    ASSERT_TRUE(life.violations.empty() && life.converged)
        << "seed " << seed << "\n"
        << WhatWentWrong(life) << Timeline(life.history);
    if (only) std::cout << Timeline(life.history);
    relists += life.relists;
    watches += life.watches;
  }
  const double lives = static_cast<double>(last - first + 1);
  EXPECT_GE(relists / lives, 1.5) << "too quiet: the search would find little";
  EXPECT_GE(watches / lives, 3.0);
}

TEST(LivesTest, TheSameChoicesGiveTheSameHistory) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    const LifeResult first = SeededLife(seed);
    const LifeResult second = SeededLife(seed);
    ASSERT_EQ(first.hash, second.hash) << "seed " << seed;
    ASSERT_NE(first.hash, SeededLife(seed + 1).hash);
  }
}

// Each planted bug is found by the checkers within some lives; which property tells is part of the check.
struct Planted {
  const char* name;
  PlantedBugs bugs;
};

class PlantedBugTest : public ::testing::TestWithParam<Planted> {};

TEST_P(PlantedBugTest, IsFoundWithinAFewHundredLives) {
  LifeOptions options;
  options.bugs = GetParam().bugs;
  for (uint64_t seed = 1; seed <= 500; ++seed) {
    const LifeResult life = SeededLife(seed, options);
    if (life.violations.empty()) continue;
    RecordProperty("found_in_life", static_cast<int>(seed));
    std::cout << GetParam().name << ": life " << seed << ", " << life.violations[0].property << "\n";
    return;
  }
  FAIL() << "500 lives, and nobody noticed";
}

INSTANTIATE_TEST_SUITE_P(All, PlantedBugTest,
                         ::testing::Values(Planted{"delete_keeps_position", {.delete_keeps_position = true}},
                                           Planted{"lose_tombstones", {.lose_tombstones = true}},
                                           Planted{"bookmark_is_object", {.bookmark_is_object = true}},
                                           Planted{"resume_from_partial_line", {.resume_from_partial_line = true}},
                                           Planted{"ignore_silent_expiry", {.ignore_silent_expiry = true}}),
                         [](const auto& each) { return each.param.name; });

}  // namespace
}  // namespace relist
