// Steps that a client waits for, that are done to a client, and that the dice may leave out, seen
// through small scenarios.
#include "scenarios/play/step_runner.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/expectations.h"
#include "scenarios/histories/timeline.h"
#include "scenarios/runner.h"

namespace relist {
namespace {

using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

RunResult RunOf(const std::string& text, std::optional<uint64_t> seed = std::nullopt) {
  const Result<Scenario> scenario = ParseScenario("name: a test\n" + text, "s.yaml");
  if (scenario.ok()) return RunScenario(*scenario, {.seed = seed});
  ADD_FAILURE() << scenario.error().message();
  return {};
}

const std::string kOneClient = R"(
clients: [{streaming_list: false, namespace: default}]
objects: [{object: default/a, data: {n: "0"}}]
)";

// When `what` was told by `actor`, in seconds.
std::vector<std::string> TimesOf(const RunResult& run, const std::string& actor,
                                 const std::string& what, const std::string& key = "") {
  std::vector<std::string> times;
  for (const HistoryEntry& entry : run.history.entries()) {
    if (entry.actor() == actor && entry.what() == what && (key.empty() || entry.Get("key") == key))
      times.push_back(FormatSeconds(entry.when() - run.history.start()));
  }
  return times;
}

std::vector<std::string> CallbacksOf(const RunResult& run, const std::string& handler = "handler") {
  std::vector<std::string> texts;
  const auto all = CallbackTexts(run.history, "client");
  for (const std::string& text : all.at(handler)) {
    texts.push_back(text.substr(0, text.find(' ', text.find(' ') + 1)));
  }
  return texts;
}

TEST(StepRunnerTest, AClientThatIsStoppedAsksNoMoreAndOneThatIsStartedKnowsNothing) {
  const RunResult run = RunOf(kOneClient + R"(
steps:
  - {at: 5s, do: stop}
  - {at: 10s, do: write, object: default/b}
  - {at: 20s, do: start, client: client}
)");
  EXPECT_EQ(run.exit_status, 0) << run.report << Timeline(run.history);
  EXPECT_THAT(TimesOf(run, "client", "stop"), ElementsAre("5.000")) << "C19 counts from there";
  EXPECT_THAT(TimesOf(run, "client", "stopped"), ElementsAre("5.000"));
  EXPECT_THAT(TimesOf(run, "client", "started"), ElementsAre("20.000"));
  EXPECT_THAT(TimesOf(run, "client", "request"), ElementsAre("0.000", "0.003", "20.000", "20.003"));
  EXPECT_THAT(CallbacksOf(run),
              ElementsAre("added default/a", "added default/a", "added default/b"));
  EXPECT_THAT(RequestTexts(run.history, "client")[2], HasSubstr("resourceVersion=0"));
}

TEST(StepRunnerTest, AStopWaitsForNoSlowHandler) {
  const RunResult run = RunOf(R"(
clients: [{handlers: [{delay: 40s}]}]
objects: [{object: default/a}, {object: default/b}]
steps: [{at: 5s, do: stop}]
length: 60s
)");
  EXPECT_EQ(run.exit_status, 0) << run.report << Timeline(run.history);
  EXPECT_THAT(TimesOf(run, "client", "stopped"), ElementsAre("5.000"));
  EXPECT_EQ(CallbacksOf(run).size(), 1u) << "what waited is dropped";
}

TEST(StepRunnerTest, AStopTakesBackAStart) {
  const RunResult run = RunOf(kOneClient + R"(
steps:
  - {at: 5s, do: stop}
  - {at: 5s, do: start}
  - {at: 5s, do: stop}
  - {at: 6s, do: delete, object: default/a}
)");
  EXPECT_EQ(run.exit_status, 0) << run.report << Timeline(run.history);
  EXPECT_EQ(TimesOf(run, "client", "stopped").size(), TimesOf(run, "client", "started").size() + 1);
  EXPECT_THAT(TimesOf(run, "client", "dump"), IsEmpty());
}

TEST(StepRunnerTest, AClientThatStaysStoppedOwesNothing) {
  const RunResult run = RunOf(kOneClient + R"(
steps:
  - {at: 5s, do: stop}
  - {at: 6s, do: delete, object: default/a}
)");
  EXPECT_EQ(run.exit_status, 0) << run.report << Timeline(run.history);
  EXPECT_THAT(TimesOf(run, "client", "dump"), IsEmpty());
  EXPECT_THAT(TimesOf(run, "client", "request").back(), testing::StartsWith("0."));
}

TEST(StepRunnerTest, AConnectionIsClosedWithItsClient) {
  const RunResult run = RunOf(kOneClient + "steps: [{at: 5s, do: stop}]\n");
  std::vector<std::string> ends;
  for (const HistoryEntry& entry : run.history.entries()) {
    if (entry.what() == "end") ends.push_back(entry.Get("how"));
  }
  EXPECT_THAT(ends, ElementsAre("client"));
}

TEST(StepRunnerTest, ARestartAndARefusalKeepAClientOutForAsLong) {
  const RunResult run = RunOf(kOneClient + R"(
steps:
  - {at: 5s, do: restart}
  - {at: 5s, do: refuse, for: 5s}
)");
  EXPECT_EQ(run.exit_status, 0) << run.report << Timeline(run.history);
  std::vector<std::string> refused;
  for (const HistoryEntry& entry : run.history.entries()) {
    const Duration when = entry.when() - run.history.start();
    if (when < Seconds(5) || when >= Seconds(10)) continue;
    EXPECT_NE(entry.actor() + " " + entry.what(), "server request") << Timeline(run.history);
    if (entry.what() == "answer") refused.push_back(entry.Get("error"));
  }
  EXPECT_THAT(refused, AllOf(Not(IsEmpty()), Each("refused")));
}

TEST(StepRunnerTest, ARestartOfOneServerSendsItsClientToTheNext) {
  const RunResult run = RunOf(kOneClient + R"(
server: {replicas: 2, balance: [0, 1]}
steps: [{at: 5s, do: restart, replica: 0}]
)");
  EXPECT_EQ(run.exit_status, 0) << run.report << Timeline(run.history);
  std::vector<std::string> asked;
  for (const HistoryEntry& entry : run.history.entries()) {
    if (entry.actor() == "server" && entry.what() == "request")
      asked.push_back(entry.Get("replica"));
  }
  ASSERT_GE(asked.size(), 3u);
  EXPECT_EQ(asked[1], "");
  EXPECT_EQ(asked[2], "1");
}

TEST(StepRunnerTest, AClientMayWaitForAStep) {
  const RunResult run = RunOf(R"(
clients: [{name: client}, {name: late, start: step}]
objects: [{object: default/a}]
steps: [{when: {synced: client, after: 3s}, do: start, client: late}]
)");
  EXPECT_EQ(run.exit_status, 0) << run.report << Timeline(run.history);
  EXPECT_THAT(TimesOf(run, "late", "request"), ElementsAre("3.003"));
  EXPECT_THAT(TimesOf(run, "late", "started"), IsEmpty()) << "it is the first of its name";
}

TEST(StepRunnerTest, AStopOrAStartOfNobodyIsAnErrorOfTheScenario) {
  const RunResult run = RunOf(kOneClient + R"(
steps:
  - {at: 5s, do: stop}
  - {at: 6s, do: stop}
  - {at: 7s, do: start}
  - {at: 8s, do: start}
)");
  EXPECT_EQ(run.exit_status, 1);
  EXPECT_THAT(run.report, HasSubstr("s.yaml:8:5: this step (stop) came to nothing: client "
                                    "\"client\" does not run\n"));
  EXPECT_THAT(run.report, HasSubstr("s.yaml:10:5: this step (start) came to nothing: client "
                                    "\"client\" runs already\n"));
}

TEST(StepRunnerTest, ARequestThatComesToAPointMayStopItsClient) {
  const RunResult run = RunOf(kOneClient + R"(
steps:
  - {when: {on: watch}, do: stop}
  - {at: 30s, do: start}
)");
  EXPECT_EQ(run.exit_status, 0) << run.report << Timeline(run.history);
  EXPECT_THAT(TimesOf(run, "client", "stopped"), ElementsAre("0.004"));
  EXPECT_THAT(CallbacksOf(run), ElementsAre("added default/a", "added default/a"));
}

TEST(StepRunnerTest, AStepWaitsUntilAClientHasSynced) {
  const RunResult run = RunOf(kOneClient + R"(
steps:
  - {when: {synced: client}, do: write, object: default/b}
  - {when: {synced: client, nth: 2, after: 5s}, do: write, object: default/c}
  - {at: 10s, do: stop}
  - {at: 20s, do: start}
)");
  EXPECT_EQ(run.exit_status, 0) << run.report << Timeline(run.history);
  EXPECT_THAT(TimesOf(run, "server", "commit", "default/b"), ElementsAre("0.003"));
  EXPECT_THAT(TimesOf(run, "server", "commit", "default/c"), ElementsAre("25.003"));
}

TEST(StepRunnerTest, AStepWaitsUntilAHandlerHasSynced) {
  const RunResult run = RunOf(R"(
clients: [{namespace: default, handlers: [{}, {delay: 2s}]}]
objects: [{object: default/a}, {object: default/b}]
steps:
  - {when: {synced: client, handler: 1}, do: write, object: default/x}
  - {when: {synced: client, handler: 2}, do: write, object: default/y}
)");
  EXPECT_EQ(run.exit_status, 0) << run.report << Timeline(run.history);
  EXPECT_THAT(TimesOf(run, "server", "commit", "default/x"), ElementsAre("0.003"));
  EXPECT_THAT(TimesOf(run, "server", "commit", "default/y"), ElementsAre("4.003"));
}

TEST(StepRunnerTest, AStepWaitsForWhatAHandlerIsTold) {
  const RunResult run = RunOf(kOneClient + R"(
steps:
  - {when: {seen: default/a}, do: patch, object: default/a, data: {n: "1"}}
  - {when: {seen: default/a, as: modified, after: 1s}, do: patch, object: default/a, data: {n: "2"}}
  - {when: {seen: default/a, as: modified, nth: 2, after: 2s}, do: delete, object: default/a}
  - {when: {seen: default/a, as: deleted, client: client}, do: write, object: default/b}
)");
  EXPECT_EQ(run.exit_status, 0) << run.report << Timeline(run.history);
  EXPECT_THAT(CallbacksOf(run),
              ElementsAre("added default/a", "modified default/a", "modified default/a",
                          "deleted default/a", "added default/b"));
  EXPECT_THAT(TimesOf(run, "server", "commit", "default/a"),
              ElementsAre("0.000", "0.003", "1.005", "3.006"));
}

TEST(StepRunnerTest, WhatAClientNeverTellsIsToldWithHowOftenItDid) {
  const RunResult run = RunOf(kOneClient + R"(
calm: 1s
steps:
  - {when: {synced: client, nth: 2}, do: evict}
  - {when: {seen: default/a, nth: 2-3}, do: evict}
  - {when: {seen: default/a, nth: every, after: 20h}, do: evict}
  - {at: 5s, do: patch, object: default/a, data: {n: "1"}}
)");
  EXPECT_EQ(run.exit_status, 1) << run.report;
  EXPECT_THAT(run.report,
              HasSubstr("s.yaml:8:5: this step (evict) never happened: client \"client\" synced 1 "
                        "times, and it waits for \"nth: 2\"\n"));
  EXPECT_THAT(
      run.report,
      HasSubstr("s.yaml:9:5: this step (evict) happened 1 of 2 times: handler of client "
                "\"client\" was told of default/a 2 times, and it waits for \"nth: 2-3\"\n"));
  EXPECT_THAT(run.report,
              HasSubstr("s.yaml:10:5: this step (evict) never happened: it became due 2 "
                        "times and was done 0 times; the run was over"));
}

TEST(StepRunnerTest, TheCalmWaitsForAStepThatAClientCauses) {
  const RunResult run =
      RunOf(kOneClient + "steps: [{when: {synced: client, after: 5m}, do: evict}]\n");
  EXPECT_EQ(run.exit_status, 0) << run.report;
}

TEST(StepRunnerTest, TheDiceFallAsTheSeedSaysAndAreTold) {
  const std::string text = kOneClient + R"(
steps:
  - {at: 1s, chance: 0.5, do: write, object: default/b}
  - {at: 2s, chance: 0.5, do: write, object: default/c}
  - {at: 3s, chance: 0.5, do: bookmark}
  - {when: {seen: default/a}, chance: 0.5, do: write, object: default/d}
  - {when: {on: watch, nth: 1}, chance: 0.5, do: write, object: default/e}
)";
  std::map<std::string, int> shown;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    const RunResult run = RunOf(text, seed);
    ASSERT_EQ(run.exit_status, 0) << run.report << Timeline(run.history);
    EXPECT_EQ(run.history.Hash(), RunOf(text, seed).history.Hash());
    size_t told = 0, happened = 0;
    for (const HistoryEntry& entry : run.history.entries()) {
      if (entry.what() != "chance") continue;
      ++told;
      if (entry.Get("happens") == "true" && entry.Get("line") != "9") ++happened;
    }
    EXPECT_EQ(told, 5u);
    for (const std::string& text_of_one : CallbacksOf(run)) ++shown[text_of_one];
    EXPECT_EQ(happened + 1, CallbacksOf(run).size());
  }
  for (const char* object : {"default/b", "default/c", "default/d", "default/e"}) {
    const int times = shown[std::string("added ") + object];
    EXPECT_TRUE(times > 8 && times < 32) << object << " " << times;
  }
}

TEST(StepRunnerTest, AChanceIsANumber) {
  for (const char* wrong : {"0", "1.1", "nan", "half"}) {
    const Result<Scenario> scenario = ParseScenario(
        "name: x\nsteps: [{at: 1s, do: evict, chance: " + std::string(wrong) + "}]\n", "s.yaml");
    ASSERT_FALSE(scenario.ok()) << wrong;
    EXPECT_THAT(scenario.error().message(),
                HasSubstr("\"chance\" is a number above 0 and at most 1, such as 0.2"));
  }
}

TEST(StepRunnerTest, AStepThatIsAddedDoesNotMoveTheDiceOfTheOthers) {
  const auto falls = [](const std::string& more) {
    const RunResult run = RunOf(kOneClient + "steps:\n" +
                                "- {at: 4s, chance: 0.5, do: write, object: default/b}\n" + more);
    std::vector<std::string> texts;
    for (const HistoryEntry& entry : run.history.entries()) {
      if (entry.what() == "chance" && entry.Get("line") == "6")
        texts.push_back(entry.Get("happens"));
    }
    return texts;
  };
  EXPECT_EQ(falls("- {at: 2s, chance: 0.5, do: write, object: default/c}\n"), falls(""));
}

}  // namespace
}  // namespace relist
