// Requests by hand in a script, and what is expected of their answers.
#include "scenarios/play/asker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/histories/timeline.h"
#include "scenarios/script/scenario_test_support.h"

namespace relist {
namespace {

using ::testing::HasSubstr;

const std::string kAsked = R"(
name: a test
objects: [{object: default/a, data: {n: "0"}}, {object: default/b}]
steps:
  - {at: 2s, do: ask, as: probe, target: "/api/v1/namespaces/default/configmaps?resourceVersion=0"}
  - {at: 3s, do: ask, as: probe, for: 20s,
     target: "/api/v1/namespaces/default/configmaps?allowWatchBookmarks=1&resourceVersion=7&watch=1"}
  - {at: 4s, do: ask, as: probe, target: /api/v1/namespaces/default/configmaps/b}
  - {at: 5s, do: delete, object: default/b}
  - {at: 6s, do: bookmark}
  - {at: 7s, do: write, object: default/a, data: {n: "1"}}
)";
const std::string kSeen = R"(
expect:
  probe:
    requests:
      - LIST resourceVersion=0 -> 200
      - WATCH watch=1&allowWatchBookmarks=1&resourceVersion={L} -> 200
      - GET -> 200
    lines:
      - DELETED default/b {L+1}
      - BOOKMARK {L+1}
      - MODIFIED default/a {L+2}
    items: [default/a, default/b]
)";

TEST(AskerTest, WhatIsAnsweredIsAsExpected) {
  const RunResult run = RunText(kAsked + kSeen);
  EXPECT_EQ(run.exit_status, 0) << run.report;
  EXPECT_THAT(Timeline(run.history),
              HasSubstr("---- probe was answered with: default/a default/b ----"));
}

TEST(AskerTest, WhatIsNotIsTold) {
  const auto with = [](std::string seen, const std::string& right, const std::string& wrong) {
    seen.replace(seen.find(right), right.size(), wrong);
    const RunResult run = RunText(kAsked + seen);
    EXPECT_EQ(run.exit_status, 2) << wrong;
    return run.report;
  };
  EXPECT_THAT(with(kSeen, "b {L+1}\n", "b {L}\n"), HasSubstr("probe's lines: number 1 differs"));
  EXPECT_THAT(with(kSeen, "GET -> 200", "GET -> 404"),
              HasSubstr("probe's requests: number 3 differs"));
  EXPECT_THAT(with(kSeen, "[default/a, default/b]", "[default/b, default/a]"),
              HasSubstr("probe's items: number 1 differs"));
}

TEST(AskerTest, FaultsStrikeWhoAsks) {
  const RunResult run = RunText(kAsked + R"(
  - {at: 20s, do: ask, as: other, target: "/api/v1/configmaps?limit=1"}
faults:
  - {on: list, client: other, fault: status, code: 429}
  - {on: watch, client: probe, events: 0, fault: error, code: 410}
expect:
  other: {requests: [LIST limit=1 -> 429]}
  probe: {lines: [ERROR 410]}
)");
  EXPECT_EQ(run.exit_status, 0) << run.report;
}

TEST(AskerTest, AListOfNothingIsNothingAndALaterOneCounts) {
  const RunResult run = RunText(R"(
name: a test
steps:
  - {at: 2s, do: ask, as: probe, target: /api/v1/namespaces/default/pods}
  - {at: 3s, do: write, object: default/a, data: {n: "1"}}
  - {at: 4s, do: ask, as: probe, target: /api/v1/namespaces/default/configmaps}
  - {at: 4s, do: ask, as: none, target: /api/v1/namespaces/default/pods}
expect:
  probe: {items: [default/a]}
  none: {items: []}
)");
  EXPECT_EQ(run.exit_status, 0) << run.report;
}

TEST(AskerTest, WhateverAFaultAnswersIsReadOrIsNoList) {
  for (const char* body : {"{items: [{metadata: {name: 5, namespace: [x]}}]}", "{items: [5]}", "[]",
                           "{items: {}}", "no JSON"}) {
    const RunResult run = RunText(std::string(R"(
name: a test
legal: false
steps: [{at: 2s, do: ask, as: probe, target: /api/v1/namespaces/default/pods}]
faults: [{on: list, client: probe, fault: status, code: 200, body: )") +
                                  body + "}]\n");
    EXPECT_EQ(run.exit_status, 0) << body << run.report;
  }
}

TEST(AskerTest, MistakesAreTold) {
  const std::string head = "name: n\nsteps:\n- {at: 1s, do: ask, ";
  EXPECT_THAT(MistakesIn(head + "target: /a}\n"), HasSubstr("s.yaml:3:3: \"as\" is missing"));
  EXPECT_THAT(MistakesIn(head + "as: p}\n"), HasSubstr("has a \"target\""));
  EXPECT_THAT(MistakesIn(head + "as: p, target: api}\n"), HasSubstr("s.yaml:3:36: an \"ask\""));
  EXPECT_THAT(MistakesIn(head + "as: p, target: \"/a b\"}\n"), HasSubstr("has a \"target\""));
  EXPECT_THAT(MistakesIn(head + "as: run, target: /a}\n"), HasSubstr("it means something else"));
  EXPECT_THAT(MistakesIn(head + "as: client, target: /a}\n"),
              HasSubstr("\"as: client\" is a client of this scenario"));
  EXPECT_THAT(MistakesIn(head + "as: p, target: /a, for: 2h}\n"),
              HasSubstr("\"for\" is at most 1h"));
  EXPECT_THAT(MistakesIn(head + "as: p, target: /a}\nexpect: {q: {lines: []}}\n"),
              HasSubstr("unknown key \"q\" in \"expect\""));
  EXPECT_THAT(MistakesIn(head + "as: p, target: /a}\nexpect: {p: {store: []}}\n"),
              HasSubstr("unknown key \"store\""));
}

}  // namespace
}  // namespace relist
