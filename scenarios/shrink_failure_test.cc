#include "scenarios/shrink_failure.h"

#include <gtest/gtest.h>

namespace relist {
namespace {

RunResult ResultOf(const std::vector<Violation>& violations, const std::string& mismatch = "") {
  RunResult run;
  run.violations = violations;
  if (!mismatch.empty()) run.mismatches = {{"", nullptr, mismatch}, {"", nullptr, "another"}};
  return run;
}

TEST(ShrinkFailureTest, IsWhatWasBrokenAndNeitherExcusedNorExpected) {
  Scenario scenario;
  scenario.verdicts.push_back({.text = "C2"});
  const Failure failure = FailureOf(scenario, ResultOf({{.property = "C1"},
                                                        {.property = "C1"},
                                                        {.property = "C2"},
                                                        {.property = "C7", .excuse = "stale"},
                                                        {.property = "C16"}},
                                                       "store: a"));
  EXPECT_EQ(failure.Text(), "C1, C16 and store: a");
  EXPECT_TRUE(FailureOf(scenario, ResultOf({{.property = "C2"}})).empty());
  EXPECT_FALSE(FailureOf(scenario, ResultOf({}, "store: a")).empty());
}

TEST(ShrinkFailureTest, IncludesAllOfAnother) {
  const Failure one = {.properties = {"C1"}}, two = {.properties = {"C5", "C1"}};
  EXPECT_TRUE(two.Includes(one)) << "more may be broken";
  EXPECT_FALSE(one.Includes(two));
  const Failure seen = {.properties = {"C1"}, .mismatch = "store: a"};
  EXPECT_TRUE(seen.Includes(one));
  EXPECT_FALSE(one.Includes(seen));
  EXPECT_FALSE((Failure{.properties = {"C1"}, .mismatch = "store: b"}).Includes(seen));
  EXPECT_EQ(one.Text(), "C1");
  EXPECT_EQ(two.Text(), "C5 and C1");
}

}  // namespace
}  // namespace relist
