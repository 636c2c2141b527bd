// What a scenario expects, compared with what was seen: where they part, and what is told.
#include "scenarios/expectations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/runner.h"

namespace relist {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kExpectingHead[] = R"(name: a test
clients: [{streaming_list: false, namespace: default}]
objects: [{object: default/a}, {object: default/b}]
expect:
)";

// The report of a quiet run: a list and a watch.
std::string Expecting(const std::string& lines, int exit_status = 2) {
  const Result<Scenario> scenario = ParseScenario(kExpectingHead + lines, "s.yaml");
  if (!scenario.ok()) return scenario.error().message();
  const RunResult run = RunScenario(*scenario);
  EXPECT_EQ(run.exit_status, exit_status) << run.report;
  return run.report;
}

TEST(ExpectedListsTest, ParametersInAnyOrderAndStarsAreGood) {
  Expecting(R"(  client:
    requests:
    - LIST resourceVersion=0&limit=500 -> 200
    - WATCH * -> 200
)",
            0);
  Expecting(R"(  client:
    requests:
    - LIST *&limit=500 -> 200
    - WATCH watch=true&resourceVersion={L}&* -> 200
)",
            0);
}

TEST(ExpectedListsTest, AMismatchIsToldAtItsLineWithWhatDiffers) {
  EXPECT_THAT(
      Expecting("  client:\n    requests:\n    - LIST limit=500&resourceVersion=1 -> 200\n"),
      StartsWith("s.yaml:7:7: client's requests: number 1 differs\n"
                 "  expected LIST limit=500&resourceVersion=1 -> 200\n"
                 "  seen     LIST limit=500&resourceVersion=0 -> 200\n"
                 "  that is, resourceVersion=1, not resourceVersion=0\n"));
  EXPECT_THAT(Expecting("  client:\n    requests:\n    - WATCH * -> 200\n"),
              HasSubstr("\n  number 2 would be as expected\n"));
}

TEST(ExpectedListsTest, MoreThanWasExpectedIsToldAtTheLastLine) {
  EXPECT_THAT(Expecting("  client:\n    requests:\n    - LIST * -> 200\n"),
              StartsWith("s.yaml:7:7: client's requests: number 2 differs\n"
                         "  expected nothing more\n  seen     WATCH "));
  EXPECT_THAT(Expecting("  client:\n    callbacks: []\n"),
              StartsWith("s.yaml:6:5: client's callbacks (of \"handler\"): number 1 differs\n"));
  EXPECT_THAT(Expecting("  client: {store: [default/b]}\n"),
              StartsWith("s.yaml:5:20: client's store: number 1 differs\n"));
}

TEST(ExpectedListsTest, TheLineThatWasSeenInsteadIsNamed) {
  const Result<Scenario> scenario = ParseScenario(std::string(kExpectingHead) + R"(  client:
    requests:
    - LIST * -> 200
    - LIST * -> 200
    callbacks:
    - added default/a * initial
    - added default/b * initial
    - deleted default/b *
    store: [default/a]
)",
                                                  "s.yaml");
  ASSERT_TRUE(scenario.ok()) << scenario.error().message();
  const RunResult run = RunScenario(*scenario);
  ASSERT_EQ(run.mismatches.size(), 3u) << run.report;
  ASSERT_NE(run.mismatches[0].seen, nullptr);
  EXPECT_EQ(run.mismatches[0].seen->what(), "request");
  EXPECT_EQ(run.mismatches[0].seen->Get("verb"), "WATCH");
  EXPECT_EQ(run.mismatches[1].seen, nullptr) << "nothing more was seen";
  ASSERT_NE(run.mismatches[2].seen, nullptr);
  EXPECT_EQ(run.mismatches[2].seen->what(), "store");
  EXPECT_EQ(run.mismatches[2].seen->Get("key"), "default/b");
}

TEST(ExpectedListsTest, AVerdictThatNobodyGaveIsToldWhereItStands) {
  EXPECT_THAT(Expecting("  verdicts:\n  - C8\n"),
              StartsWith("s.yaml:6:5: the verdict \"C8\" was expected, and no checker gave it\n"));
}

}  // namespace
}  // namespace relist
