// What no line of a scenario says by itself: how its parts fit.
#include "scenarios/script/scenario_judge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/script/scenario.h"
#include "scenarios/script/scenario_test_support.h"

namespace relist {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(ScenarioJudgeTest, ExpectationsAreJudgedWhereTheyStand) {
  const auto mistakes = [](const std::string& lines) {
    return MistakesIn("name: x\nexpect:\n  client:\n" + lines +
                      "objects: [{object: default/a}, {object: default/p, resource: pods}]\n");
  };
  EXPECT_THAT(mistakes("    callbacks:\n      - added default/a {L}\n      - modyfied default/a\n"),
              StartsWith("s.yaml:6:9: \"modyfied\" is no callback, did you mean \"modified\"?"));
  EXPECT_THAT(mistakes("    requests:\n      - LIST limit=500 => 200\n"),
              StartsWith("s.yaml:5:9: \"=> 200\" has no place"));
  EXPECT_THAT(mistakes("    store: [default/a, default/b 5]\n"), StartsWith("s.yaml:4:24: "));
  EXPECT_THAT(mistakes("  verdicts: [C99]\n"), HasSubstr("s.yaml:4:14: no checker says \"C99\""));
  EXPECT_EQ(
      mistakes("    requests:\n      - LIST resourceVersion={L} -> 200\n    callbacks:\n      - "
               "added default/a {L-1} initial\n"),
      "");
  EXPECT_EQ(mistakes("    callbacks:\n    - 1-2 x added default/aa {L}\n"),
            "s.yaml:5:7: nothing in this scenario ever writes configmaps default/aa (did you mean "
            "\"default/a\"?): it cannot be seen");
  EXPECT_THAT(mistakes("    store: [a]\n"),
              StartsWith("s.yaml:4:13: nothing in this scenario ever writes configmaps a"));
  EXPECT_THAT(mistakes("    store: [default/p]\n"), StartsWith("s.yaml:4:13: "))
      << "a pod of that name";
  EXPECT_EQ(mistakes("    store: [default/*]\n"), "");
}

TEST(ScenarioJudgeTest, WhatAnExpectationNamesMayBeWrittenByAStep) {
  EXPECT_EQ(MistakesIn("name: x\nsteps: [{at: 1s, do: write, object: default/b}]\n"
                       "expect: {client: {store: [default/b]}}\n"),
            "");
  EXPECT_EQ(MistakesIn("name: x\nclients: [{name: c, resource: namespaces}]\n"
                       "expect: {c: {callbacks: [\"added default {L}\"]}}\n"),
            "");
}

TEST(ScenarioJudgeTest, ANamespaceThatAClientWatchesIsNotDeleted) {
  const std::string text =
      "name: x\nobjects: [{object: foo, resource: namespaces}]\nclients: [{namespace: %s}]\n"
      "steps: [{at: 1s, do: delete, resource: namespaces, object: foo}]\n";
  const auto in = [&text](std::string ns) {
    return MistakesIn(std::string(text).replace(text.find("%s"), 2, ns));
  };
  EXPECT_THAT(in("foo"), StartsWith("s.yaml:4:9: the client \"client\" watches the namespace that "
                                    "is deleted here"));
  EXPECT_EQ(in("bar"), "");
}

TEST(ScenarioJudgeTest, NamesThatNoServerTakesAreToldBeforeTheRun) {
  const auto object = [](const std::string& text) {
    return MistakesIn("name: x\nobjects:\n  - " + text + "\n");
  };
  EXPECT_THAT(object("{object: Bad_ns/a}"),
              HasSubstr("3:5: no namespace can be called \"Bad_ns\""));
  EXPECT_THAT(object("{object: default/UPPER}"),
              HasSubstr("configmaps cannot be called \"UPPER\": a lowercase RFC 1123 subdomain"));
  EXPECT_THAT(object("{resource: services, object: default/1a}"), HasSubstr("DNS-1035"));
  EXPECT_EQ(object("{resource: pods, object: default/1a.b}"), "");
}

TEST(ScenarioJudgeTest, ANamespaceThatAnObjectMakesIsWritten) {
  EXPECT_EQ(MistakesIn("name: x\nclients: [{resource: namespaces}]\nobjects: [{object: n1/a}]\n"
                       "steps:\n- {at: 1s, do: delete, resource: namespaces, object: n1}\n"),
            "");
}

TEST(ScenarioJudgeTest, AResourceIsMeantByItsShortNameToo) {
  const Result<Scenario> scenario = ParseScenario(
      "name: x\nclients: [{resource: deploy}]\nfaults:\n"
      "- {on: watch, resource: deployments, fault: cut}\n",
      "s.yaml");
  ASSERT_TRUE(scenario.ok()) << scenario.error().message();
  EXPECT_EQ(scenario->faults[0].place.resource, "deployments.apps") << "as requests are known by";
  EXPECT_THAT(MistakesIn("name: x\nfaults:\n- {on: watch, resource: cofigmaps, fault: cut}\n"),
              HasSubstr("did you mean \"configmaps\"?"));
}

}  // namespace
}  // namespace relist
