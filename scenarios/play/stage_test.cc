// What steps write and delete, and what the server makes of it.
#include "scenarios/play/stage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/expectations.h"
#include "scenarios/histories/timeline.h"
#include "scenarios/script/scenario_test_support.h"

namespace relist {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

RunResult StageOf(const std::string& text) {
  return RunText("name: a test\n" + text);
}

// "default/a MODIFIED" of all that the steps did, without namespaces and the sentinel.
std::vector<std::string> CommitsOf(const RunResult& run, const std::string& resource) {
  std::vector<std::string> texts;
  for (const HistoryEntry& entry : run.history.entries()) {
    if (entry.what() != "commit" || entry.Get("resource") != resource) continue;
    if (entry.Get("key").ends_with(kSentinel)) continue;
    texts.push_back(entry.Get("key") + " " + entry.Get("type"));
  }
  return texts;
}

const std::string kOnePod = R"(
clients: [{resource: pods}]
objects:
- {many: 1, resource: pods, object: "default/p{n}", labels: {app: web}}
)";

TEST(StageTest, WhatIsReplacedOnlyWithItsVersionIsReplaced) {
  const RunResult run = StageOf(R"(
clients: [{name: one, resource: leases, namespace: default}, {name: two, resource: leases}]
objects: [{object: default/l, resource: leases}]
steps: [{at: 2s, do: write, resource: leases, object: default/l, labels: {a: b}}]
)");
  EXPECT_EQ(run.exit_status, 0) << run.report;
}

TEST(StageTest, AStatusIsReplacedAndNothingElse) {
  const RunResult run = StageOf(kOnePod + R"(
steps:
- {at: 1s, do: write-status, resource: pods, object: default/p1, status: {phase: Running, reason: r}}
- {at: 2s, do: write-status, resource: pods, object: default/p1, status: {phase: Failed}}
)");
  EXPECT_EQ(run.exit_status, 0) << run.report << Timeline(run.history);
  std::vector<std::string> pods;
  for (const HistoryEntry& entry : run.history.entries()) {
    if (entry.what() == "commit" && entry.Get("key") == "default/p1")
      pods.push_back(entry.object()->bytes());
  }
  ASSERT_EQ(pods.size(), 3u);
  EXPECT_THAT(pods[1], HasSubstr(R"("status":{"phase":"Running","reason":"r")"));
  EXPECT_THAT(pods[2], HasSubstr(R"("status":{"phase":"Failed")"));
  EXPECT_THAT(pods[2], testing::Not(HasSubstr("reason")));
  EXPECT_THAT(pods[2], HasSubstr(R"("labels":{"app":"web"})"));
}

TEST(StageTest, AStatusOfWhatIsGoneOrThatChangesNothingIsAnErrorOfTheScenario) {
  const RunResult run = StageOf(kOnePod + R"(
steps:
- {at: 1s, do: write-status, resource: pods, object: default/p1, status: {phase: Running}}
- {at: 2s, do: write-status, resource: pods, object: default/p1, status: {phase: Running}}
- {at: 3s, do: delete, resource: pods, object: default/p1}
- {at: 4s, do: write-status, resource: pods, object: default/p1, status: {phase: Failed}}
)");
  EXPECT_EQ(run.exit_status, 1);
  EXPECT_THAT(run.report, HasSubstr("s.yaml:9:3: this step (write-status) changed nothing: "));
  EXPECT_THAT(run.report, HasSubstr("s.yaml:11:3: this step (write-status) failed: pods default/p1 "
                                    "is not there"));
}

TEST(StageTest, ACollectionIsDeletedByWhatItsSelectorsSay) {
  const RunResult run = StageOf(R"(
clients: [{name: client}]
objects:
- {object: default/a, labels: {app: web}}
- {object: default/b, labels: {app: db}}
- {object: default/c, labels: {app: web}}
- {object: other/d, labels: {app: web}}
steps:
- {at: 1s, do: delete-collection, namespace: default, selector: app=web, fields: metadata.name!=c}
- {at: 2s, do: delete-collection, namespace: default}
- {at: 3s, do: delete-collection, namespace: default}
)");
  EXPECT_EQ(run.exit_status, 1);
  EXPECT_EQ(run.report.substr(0, run.report.find('\n')),
            "s.yaml:12:3: this step (delete-collection) changed nothing: no object was there that "
            "it means");
  EXPECT_THAT(CommitsOf(run, "configmaps"),
              ElementsAre("default/a ADDED", "default/b ADDED", "default/c ADDED", "other/d ADDED",
                          "default/a DELETED", "default/b DELETED", "default/c DELETED"));
}

const std::string kOneNamespace = R"(
clients: [{namespace: team}]
objects: [{object: team/a}]
steps: [{at: 1s, do: delete, resource: namespaces, object: team}]
)";

TEST(StageTest, ANamespaceThatIsEmptiedComesBackForTheSentinel) {
  const RunResult run = StageOf("server: {controllers: namespace-controller}\n" + kOneNamespace);
  EXPECT_EQ(run.exit_status, 0) << run.report << Timeline(run.history);
  EXPECT_THAT(CommitsOf(run, "configmaps"), ElementsAre("team/a ADDED", "team/a DELETED"));
  EXPECT_THAT(StoreTexts(run.history, "client"), ElementsAre());
}

TEST(StageTest, ANamespaceThatNobodyEmptiesKeepsItsObjects) {
  const RunResult run = StageOf(R"(
clients: [{name: client}]
objects: [{object: team/a}]
steps:
- {at: 1s, do: delete, resource: namespaces, object: team}
- {at: 2s, do: write, object: team/b}
)");
  EXPECT_EQ(run.exit_status, 1) << "it is terminating, and takes no object";
  EXPECT_THAT(run.report, HasSubstr("s.yaml:7:3: this step (write) failed: "));
  EXPECT_THAT(run.report, HasSubstr("because it is being terminated"));
  EXPECT_THAT(StoreTexts(run.history, "client"), ElementsAre("team/a"));
}

TEST(StageTest, AnObjectOfAFileThatTheServerRefusesIsToldWithThatFile) {
  Result<Scenario> scenario = ParseScenario(
      "name: x\nobjects:\n- {apiVersion: v1, kind: ConfigMap, metadata: {name: p}, data: {'a b': "
      "x}}\n",
      "s.yaml");
  ASSERT_TRUE(scenario.ok());
  scenario->objects[0].file = "pods.yaml";
  scenario->objects[0].line = 17;
  const RunResult run = RunScenario(*scenario);
  EXPECT_EQ(run.exit_status, 1);
  EXPECT_THAT(run.report, HasSubstr("pods.yaml:17:3: this object could not be written: "));
}

}  // namespace
}  // namespace relist
