// What a scenario names must be there, and fit.
#include "scenarios/script/world_judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/script/scenario_judge.h"
#include "scenarios/script/scenario_test_support.h"

namespace relist {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kTwoClients =
    "name: x\nclients: [{name: one, namespace: default}, {name: two, handlers: 2}]\n"
    "objects: [{object: default/a}, {object: shop/b}]\nsteps:\n";

std::string MistakesInStep(const std::string& step) {
  return MistakesIn(kTwoClients + "- {" + step + "}\n");
}

TEST(WorldJudgeTest, WhoseMomentItIsMustBeSaidWhereThereAreSeveral) {
  EXPECT_EQ(MistakesInStep("when: {seen: default/a}, do: evict"),
            "s.yaml:5:3: \"client\" is missing: which of the clients is meant");
  EXPECT_EQ(MistakesInStep("when: {synced: three}, do: evict"),
            "s.yaml:5:3: no client is called \"three\"; there is one, two");
  EXPECT_EQ(MistakesInStep("when: {seen: default/a, client: two, handler: 2}, do: evict"), "");
  EXPECT_EQ(MistakesInStep("at: 1s, do: stop"),
            "s.yaml:5:3: \"client\" is missing: which of the clients is meant");
  EXPECT_EQ(MistakesInStep("at: 1s, do: stop, client: one"), "");
}

TEST(WorldJudgeTest, WhatUndoesNothingIsTold) {
  EXPECT_EQ(MistakesInStep("at: 1s, do: resume"),
            "s.yaml:5:3: no step pauses caches: there is nothing to resume");
  EXPECT_EQ(MistakesInStep("at: 1s, do: resume}\n- {at: 0s, do: pause"), "");
  EXPECT_EQ(MistakesInStep("at: 1s, do: lag, by: 0s"),
            "s.yaml:5:3: no step lets caches lag: \"by: 0s\" would change nothing");
  EXPECT_EQ(MistakesInStep("at: 1s, do: lag, by: 0s}\n- {at: 0s, do: lag, by: 5s"), "");
}

TEST(WorldJudgeTest, WhatIsNeverSeenIsToldBeforeTheRun) {
  EXPECT_EQ(MistakesInStep("when: {seen: default/z, client: one}, do: evict"),
            "s.yaml:5:3: nothing in this scenario ever writes configmaps default/z: it cannot be "
            "seen");
  EXPECT_EQ(MistakesInStep("when: {seen: shop/b, client: one}, do: evict"),
            "s.yaml:5:3: client \"one\" watches the namespace default alone: it never sees shop/b");
  EXPECT_EQ(MistakesInStep("when: {synced: one, handler: 2}, do: evict"),
            "s.yaml:5:3: client \"one\" has 1 handlers, and no number 2");
}

TEST(WorldJudgeTest, AMomentHasItsOwnKeys) {
  EXPECT_THAT(MistakesInStep("when: {seen: default/a, client: one, as: chnged}, do: evict"),
              HasSubstr("\"as\" cannot be \"chnged\""));
  EXPECT_THAT(MistakesInStep("when: {synced: one, on: watch}, do: evict"),
              HasSubstr("unknown key \"on\" in \"when\""));
  EXPECT_THAT(MistakesInStep("when: {synced: one, seen: default/a}, do: evict"),
              HasSubstr("\"when\" is one thing: either \"seen\" or \"synced\""));
  EXPECT_THAT(MistakesInStep("when: {synced: one, nth: 0}, do: evict"), HasSubstr("from 1"));
  EXPECT_THAT(MistakesInStep("when: {synced: one, handler: 21}, do: evict"),
              HasSubstr("at most 20"));
  EXPECT_THAT(MistakesInStep("when: {client: one}, do: evict"), HasSubstr("\"on\" is missing"));
}

TEST(WorldJudgeTest, AStartNeedsAClientThatDoesNotRun) {
  EXPECT_EQ(MistakesInStep("at: 1s, do: start, client: one"),
            "s.yaml:5:3: client \"one\" starts by itself, and no step stops it: say \"start: "
            "step\" there, or stop it before");
  EXPECT_EQ(MistakesInStep("at: 1s, do: stop, client: one}\n- {at: 2s, do: start, client: one"),
            "");
}

TEST(WorldJudgeTest, AChanceIsAboveZeroAndAtMostOne) {
  for (const char* chance : {"0", "1.1", "-0.5", "often", "[1]"}) {
    EXPECT_THAT(MistakesInStep(std::string("at: 1s, do: evict, chance: ") + chance),
                HasSubstr("\"chance\" is a number above 0 and at most 1, such as 0.2"))
        << chance;
  }
  EXPECT_EQ(MistakesInStep("at: 1s, do: evict, chance: 0.25"), "");
}

TEST(WorldJudgeTest, WhatIsOnlyWrittenByChanceCannotBeDeletedForSure) {
  const std::string written = "at: 1s, do: write, object: default/c, chance: 0.5}\n- {";
  EXPECT_EQ(MistakesInStep(written + "at: 2s, do: delete, object: default/c"),
            "s.yaml:6:3: configmaps default/c is only written by chance: it cannot always be "
            "deleted");
  EXPECT_EQ(
      MistakesInStep(written + "when: {seen: default/c, client: one}, do: evict, chance: 0.5"), "");
}

TEST(WorldJudgeTest, OnlyWhatHasAStatusIsGivenOne) {
  EXPECT_EQ(MistakesInStep("at: 1s, do: write-status, object: default/a, status: {a: b}"),
            "s.yaml:5:3: configmaps have no status of their own: use \"do: write\"");
  EXPECT_THAT(MistakesInStep("at: 1s, do: write-status, resource: pods, object: default/p, status: "
                             "{phase: Running}"),
              HasSubstr("nothing in this scenario ever writes pods default/p: it cannot be given a "
                        "status"));
  EXPECT_THAT(MistakesInStep("at: 1s, do: write-status, resource: pods, object: default/p"),
              HasSubstr("\"status\" is what the object's status is to be"));
}

TEST(WorldJudgeTest, ACollectionIsOfOneNamespace) {
  EXPECT_EQ(MistakesInStep("at: 1s, do: delete-collection"),
            "s.yaml:5:3: \"namespace\" is missing: of which namespace the objects are deleted");
  EXPECT_EQ(MistakesInStep("at: 1s, do: delete-collection, resource: nodes, namespace: default"),
            "s.yaml:5:3: nodes have no namespace: leave \"namespace\" out");
  EXPECT_THAT(
      MistakesInStep("at: 1s, do: delete-collection, namespace: default, selector: 'a in ('"),
      StartsWith("s.yaml:5:3: \"selector: a in (\" is none: "));
  EXPECT_THAT(MistakesInStep("at: 1s, do: delete-collection, resource: namespaces"),
              HasSubstr("namespaces are not deleted as a collection: delete each"));
  EXPECT_EQ(MistakesInStep("at: 1s, do: delete-collection, namespace: default, fields: "
                           "metadata.name=a"),
            "");
}

TEST(WorldJudgeTest, HowMuchHandlersAreToldHasItsBounds) {
  const auto with = [](const std::string& client) {
    return MistakesIn("name: x\nclients: [{" + client +
                      "}]\nobjects: [{many: 100, object: \"default/o{n}\"}]\n");
  };
  EXPECT_THAT(with("handlers: [{delay: 30s}]"),
              StartsWith("s.yaml:2:11: a handler that takes 30s for each of 100 objects and steps "
                         "would need 50m: at most 30m"));
  EXPECT_THAT(with("resync: 60s, handlers: [{delay: 1s}]"),
              HasSubstr("a handler that needs 100s for all objects and steps never gets through a "
                        "resync every 1m"));
  EXPECT_EQ(with("resync: 60s, handlers: [{delay: 1s, resync: 0s}]"), "");
  EXPECT_THAT(MistakesIn("name: x\nworlds: [sim]\nwhy_sim: long\nlength: 20h\n"
                         "clients: [{resync: 1s}]\nserver: {bookmark_period: 1h}\n"),
              HasSubstr("a resync every 1s in 1202m would make more than 50000 callbacks"));
}

TEST(WorldJudgeTest, ExpectationsOfAHandlerAreJudgedToo) {
  const auto expecting = [](const std::string& callbacks) {
    return MistakesIn(
        "name: x\nclients: [{handlers: 2}]\nobjects: [{object: default/a}]\nexpect:\n"
        "  client:\n    callbacks: {" +
        callbacks + "}\n");
  };
  EXPECT_EQ(expecting("handler2: [\"added default/a {L}\"]"), "");
  EXPECT_THAT(expecting("handler3: []"), HasSubstr("unknown key \"handler3\" in \"callbacks\""));
  EXPECT_THAT(expecting("handler: [\"added default/z {L}\"]"),
              HasSubstr("nothing in this scenario ever writes configmaps default/z"));
  EXPECT_THAT(expecting("handler: [\"addd default/a\"]"), HasSubstr("\"addd\" is no callback"));
}

TEST(WorldJudgeTest, AServerAloneHasNoHoldOfClients) {
  const auto can = [](const std::string& step) {
    const Result<Scenario> scenario = ParseScenario(
        "name: x\nobjects: [{object: default/a}]\nsteps:\n- {" + step + "}\n", "s.yaml");
    EXPECT_TRUE(scenario.ok()) << scenario.error().message();
    const Result<void> result = CanBeServed(*scenario);
    return result.ok() ? "" : result.error().message();
  };
  EXPECT_EQ(can("at: 1s, chance: 0.5, do: evict"), "");
  EXPECT_THAT(can("at: 1s, do: stop"),
              StartsWith("s.yaml:4:3: this step (stop) is done to a client "
                         "of `relist run`"));
  EXPECT_THAT(can("when: {seen: default/a}, do: evict"),
              StartsWith("s.yaml:4:3: this step (evict) waits for what a client of `relist run` "
                         "tells"));
}

}  // namespace
}  // namespace relist
