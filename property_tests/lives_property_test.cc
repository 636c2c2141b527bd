// For any workload and any faults that a legal server may show, after the calm every checker holds.
#include <gtest/gtest.h>

#include <iostream>
#include <sstream>

#include "property_tests/tapes.h"
#include "scenarios/life.h"

namespace relist {
namespace {

constexpr int kLives = 1500;

rc::detail::TestParams ParamsOf(int lives) {
  rc::detail::TestParams params =
      rc::detail::configuration().testParams;  // a new seed each run, or RC_PARAMS'
  params.maxSuccess = lives;
  return params;
}

TEST(LivesProperty, EveryCheckerHoldsAfterAnyLegalLife) {
  int relists = 0, watches = 0, lives = 0, faults = 0;
  const auto property = [&] {
    const Tape tape = *AnyTape();
    const LifeResult life = RunLife(tape);
    ++lives;
    relists += life.relists;
    watches += life.watches;
    faults += life.faults;
    ExpectGood(life, tape);
  };
  const rc::detail::TestParams params = ParamsOf(LivesToRun(kLives));
  const auto result = rc::detail::checkTestable(property, rc::detail::TestMetadata(), params);
  std::cout << "seed " << params.seed << ": " << lives << " lives, " << faults << " faults, "
            << relists << " relists, " << watches << " watches\n";
  rc::detail::FailureResult failure;
  if (result.match(failure)) {
    std::ostringstream text;
    rc::detail::printResultMessage(result, text);
    FAIL() << text.str();
  }
  // A search among quiet lives would find nothing.
  EXPECT_GT(relists, lives);
  EXPECT_GT(watches, 2 * lives);
}

TEST(LivesProperty, TheSameTapeGivesTheSameHistory) {
  const auto property = [] {
    const Tape tape = *AnyTape();
    RC_ASSERT(RunLife(tape).history_hash == RunLife(tape).history_hash);
  };
  const auto result =
      rc::detail::checkTestable(property, rc::detail::TestMetadata(), ParamsOf(LivesToRun(100)));
  rc::detail::SuccessResult success;
  std::ostringstream text;
  rc::detail::printResultMessage(result, text);
  EXPECT_TRUE(result.match(success)) << text.str();
}

TEST(LivesProperty, ATapeOfZerosIsAQuietLife) {
  const LifeResult life = RunLife(Tape{});
  EXPECT_EQ(ReportOf(life, "").substr(0, 19), "every property held");
  EXPECT_EQ(life.faults, 0);
  EXPECT_EQ(life.relists, 1);
}

}  // namespace
}  // namespace relist
