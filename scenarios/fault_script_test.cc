// Steps and faults that happened to nobody, or less often than they say: good is only what was
// met.
#include "scenarios/fault_script.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/runner.h"

namespace relist {
namespace {

using ::testing::HasSubstr;

RunResult RunInVain(const std::string& text, WorldKind world = WorldKind::kSim) {
  const Result<Scenario> scenario = ParseScenario(
      "name: a test\nclients: [{streaming_list: false, namespace: default}]\n" + text, "s.yaml");
  if (!scenario.ok()) {
    ADD_FAILURE() << scenario.error().message();
    return {};
  }
  return RunScenario(*scenario, {.world = world});
}

TEST(InVainTest, ARefusalThatRefusedNobodyIsTold) {
  const RunResult run = RunInVain("steps: [{at: 2s, do: refuse, for: 5s}]\n");
  EXPECT_EQ(run.exit_status, 1);
  EXPECT_THAT(run.report, HasSubstr("s.yaml:3:9: this step (refuse) refused nobody: no client "
                                    "opened a connection while it lasted"));
}

TEST(InVainTest, ARefusalThatMetSomebodyIsGood) {
  const std::string good = R"(
objects: [{object: default/a}]
steps:
- {at: 2s, do: refuse, for: 5s}
- {at: 2s, do: delete, object: default/a}
faults: [{on: watch, events: 0, fault: cut}]
)";
  const RunResult met = RunInVain(good);
  EXPECT_EQ(met.exit_status, 0) << met.report;
}

TEST(InVainTest, OfTwoRefusalsTheOneThatMetNobodyIsTold) {
  const RunResult run = RunInVain(R"(
objects: [{object: default/a}]
steps:
- {at: 2s, do: refuse, for: 5s}
- {at: 2s, do: delete, object: default/a}
- {at: 50s, do: refuse, for: 5s}
faults: [{on: watch, events: 0, fault: cut}]
)");
  EXPECT_EQ(run.exit_status, 1);
  EXPECT_THAT(run.report, testing::StartsWith("s.yaml:8:3: this step (refuse) refused nobody"));
}

TEST(InVainTest, ABookmarkThatReachedNobodyIsTold) {
  const RunResult run = RunInVain("steps: [{when: {on: list, nth: 1}, do: bookmark}]\n");
  EXPECT_EQ(run.exit_status, 1);
  EXPECT_THAT(run.report, HasSubstr("s.yaml:3:9: this step (bookmark) reached nobody: no watch "
                                    "that asks for bookmarks was open"));
  EXPECT_EQ(RunInVain("steps: [{at: 2s, do: bookmark}]\n").exit_status, 0);
}

// Before a watch is answered there is nobody yet, or nobody any more.
TEST(InVainTest, OfTwoBookmarksTheOneThatReachedNobodyIsTold) {
  const RunResult run = RunInVain(R"(
objects: [{object: default/a}]
steps:
- {when: {on: watch, nth: every}, do: bookmark}
- {when: {on: watch, nth: every, once: open}, do: bookmark}
- {at: 9s, do: delete, object: default/a}
faults: [{on: watch, events: 1, fault: close}]
)");
  EXPECT_EQ(run.exit_status, 1) << run.report;
  EXPECT_THAT(run.report, testing::StartsWith("s.yaml:6:3: this step (bookmark) reached nobody"));
}

}  // namespace
}  // namespace relist
