#include "scenarios/slower_rates.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace relist {
namespace slower_rates_test {

using testing::ElementsAre;
using testing::HasSubstr;

struct Try {
  int exit_status;
  Duration lateness;
};

// The rates at which it ran, with the last result.
struct Outcome {
  std::vector<double> rates;
  RunResult result;
};

Outcome RunTries(double rate, const std::vector<Try>& tries) {
  Outcome out;
  Scenario scenario;
  scenario.rate = rate;
  out.result = RunAtSlowerRates(scenario, kLateMax, [&](const Scenario& asked) {
    const Try& one = tries.at(out.rates.size());
    out.rates.push_back(asked.rate);
    RunResult result;
    result.exit_status = one.exit_status;
    result.lateness = one.lateness;
    result.report = "the verdict\n";
    return result;
  });
  return out;
}

TEST(SlowerRates, WhatIsGoodOrPunctualIsRunOnce) {
  EXPECT_THAT(RunTries(60, {{0, Seconds(9)}}).rates, ElementsAre(60));
  const Outcome bad = RunTries(60, {{2, kLateMax}});
  EXPECT_THAT(bad.rates, ElementsAre(60));
  EXPECT_EQ(bad.result.exit_status, 2);
  EXPECT_EQ(bad.result.report, "the verdict\n");
}

TEST(SlowerRates, WhatIsBadAndCameLateIsRunSlower) {
  const Outcome out = RunTries(60, {{2, Millis(2900)}, {0, Seconds(1)}});
  EXPECT_THAT(out.rates, ElementsAre(60, 15));
  EXPECT_EQ(out.result.exit_status, 0);
  EXPECT_EQ(
      out.result.report,
      "the machine was too busy for a clock 60 times as fast (what was due came up to 2.900 s "
      "late): once more, at 15\nthe verdict\n");
}

TEST(SlowerRates, TheSlowestRateIsTheLastWord) {
  const Outcome out = RunTries(60, {{2, Seconds(1)}, {3, Seconds(1)}});
  EXPECT_THAT(out.rates, ElementsAre(60, 15));
  EXPECT_EQ(out.result.exit_status, 3);
  EXPECT_THAT(out.result.report, HasSubstr("once more, at 15\nthe verdict\n"));
  EXPECT_THAT(RunTries(2, {{2, Seconds(1)}, {2, Seconds(1)}}).rates, ElementsAre(2, 1));
  EXPECT_THAT(RunTries(1, {{2, Seconds(1)}}).rates, ElementsAre(1));
}

}  // namespace slower_rates_test
}  // namespace relist
