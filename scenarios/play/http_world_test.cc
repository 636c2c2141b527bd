// Every shipped case over HTTP: the same file, real sockets, a clock that runs up to 60 times as
// fast. The cases mostly wait, so they run side by side.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <mutex>
#include <thread>
#include <vector>

#include "scenarios/histories/timeline.h"
#include "scenarios/play/world.h"
#include "scenarios/runner.h"

namespace relist {
namespace {

struct HttpOutcome {
  std::string name, report;
  int exit_status = 0;
};

// For what is bad at any speed.
constexpr Duration kHoweverLate = Seconds(3600);

// Exit status 1, and a report with `line`, for a scenario of one step.
void ExpectAnErrorOfTheScenario(const std::string& step, const std::string& line) {
  const Result<Scenario> scenario = ParseScenario(R"(
name: a test
clients: [{streaming_list: false, namespace: default}]
calm: 1s
steps: [)" + step + "]\n",
                                                  "s.yaml");
  ASSERT_TRUE(scenario.ok()) << scenario.error().message();
  const RunResult run =
      RunScenario(*scenario, {.world = WorldKind::kHttp, .late_max = kHoweverLate});
  EXPECT_EQ(run.exit_status, 1) << run.report;
  EXPECT_NE(run.report.find(line), std::string::npos) << run.report;
}

TEST(HttpRunTest, AStepWhoseDelayDoesNotElapseIsAnErrorOfTheScenario) {
  ExpectAnErrorOfTheScenario("{when: {on: watch, nth: 1, after: 20h}, do: evict}",
                             "s.yaml:5:9: this step (evict) never happened");
}

TEST(HttpRunTest, ARefusalThatRefusedNobodyIsAnErrorOfTheScenario) {
  ExpectAnErrorOfTheScenario("{at: 5s, do: refuse, for: 1s}",
                             "s.yaml:5:9: this step (refuse) refused nobody");
}

// Busy for a while of the world's clock: sleeping would need another.
void HoldUp(World& world, Duration length) {
  Port& clock = world.loop().port();
  const TimePoint end = clock.Now() + length;
  while (clock.Now() < end) {
  }
}

TEST(HttpRunTest, AWorldKnowsHowLateItsThreadsWere) {
  const Result<Scenario> scenario =
      ParseScenario("name: a test\nclients: [{namespace: default}]\n", "s.yaml");
  ASSERT_TRUE(scenario.ok()) << scenario.error().message();
  for (const bool on_server : {true, false}) {
    Result<std::unique_ptr<World>> made = MakeHttpWorld(*scenario, 1, {});
    ASSERT_TRUE(made.ok());
    World& world = **made;
    const auto run = [&world](Duration length) {
      world.loop().RunUntil([] { return false; }, world.loop().Now() + length);
    };
    run(Seconds(2));
    if (on_server)
      world.PostToServer([&world](Stage&, TimePoint) { HoldUp(world, Seconds(4)); });
    else
      HoldUp(world, Seconds(4));
    run(Seconds(6));
    EXPECT_GE(world.Lateness(), Seconds(2)) << on_server;
    world.Finish();
  }
}

TEST(HttpRunTest, ABadRunThatWasLateIsRunAgainAtASlowerRate) {
  const Result<Scenario> scenario = ParseScenario(
      "name: a test\nclients: [{namespace: default}]\ncalm: 1s\nlength: 2s\n"
      "expect: {client: {requests: [LIST resourceVersion=0 -> 200]}}\n",
      "s.yaml");
  ASSERT_TRUE(scenario.ok()) << scenario.error().message();
  // No thread is on time to the nanosecond.
  const RunResult run = RunScenario(*scenario, {.world = WorldKind::kHttp, .late_max = {}});
  EXPECT_EQ(run.exit_status, 2) << run.report;
  EXPECT_TRUE(run.report.starts_with("the machine was too busy for a clock 60 times as fast"))
      << run.report;
}

TEST(HttpRunTest, WhatIsThereFromTheStartComesBeforeTheClientAsks) {
  const Result<Scenario> scenario = ParseScenario(R"(
name: a test
clients: [{streaming_list: false, namespace: default}]
objects: [{object: default/a}]
calm: 1s
)",
                                                  "s.yaml");
  ASSERT_TRUE(scenario.ok()) << scenario.error().message();
  const RunResult run = RunScenario(*scenario, {.world = WorldKind::kHttp});
  EXPECT_EQ(run.exit_status, 0) << run.report;
  const auto& entries = run.history.entries();
  const auto commit = std::find_if(entries.begin(), entries.end(), [](const HistoryEntry& entry) {
    return entry.what() == "commit" && entry.Get("key") == "default/a";
  });
  const auto asked = std::find_if(entries.begin(), entries.end(), [](const HistoryEntry& entry) {
    return entry.actor() == "client" && entry.what() == "request";
  });
  EXPECT_LT(commit - entries.begin(), asked - entries.begin()) << Timeline(run.history);
}

TEST(CasesHttpTest, EveryCaseThatSaysSoHoldsOverHttp) {
  std::vector<Scenario> scenarios;
  for (const auto& entry :
       std::filesystem::directory_iterator(RELIST_SOURCE_DIR "/scenarios/cases")) {
    if (entry.path().extension() != ".yaml") continue;
    Result<Scenario> scenario = LoadScenario(entry.path().string());
    ASSERT_TRUE(scenario.ok()) << scenario.error().message();
    if (const char* only = std::getenv("RELIST_CASE");
        only && scenario->file.find(only) == std::string::npos)
      continue;
    if (scenario->RunsIn(WorldKind::kHttp)) scenarios.push_back(std::move(*scenario));
  }
  ASSERT_FALSE(scenarios.empty());
  std::vector<HttpOutcome> outcomes(scenarios.size());
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i = next++; i < scenarios.size(); i = next++) {
      const RunResult result = RunScenario(scenarios[i], {.world = WorldKind::kHttp});
      outcomes[i] = {scenarios[i].file, result.report, result.exit_status};
      if (result.exit_status != 0) outcomes[i].report += Timeline(result.history);
    }
  };
  constexpr size_t kSideBySide = 6;
  std::vector<std::thread> threads;
  for (size_t i = 0; i < std::min(kSideBySide, scenarios.size()); ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  for (const HttpOutcome& outcome : outcomes) EXPECT_EQ(outcome.exit_status, 0) << outcome.report;
}

}  // namespace
}  // namespace relist
