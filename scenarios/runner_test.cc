// The fault script, the simulated network and the runner, seen through small scenarios.
#include "scenarios/runner.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "scenarios/expectations.h"
#include "scenarios/histories/timeline.h"
#include "scenarios/script/scenario_test_support.h"

namespace relist {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string kHeadOfRun = R"(
name: a test
clients: [{streaming_list: false, namespace: default}]
objects: [{object: default/a, data: {n: "0"}}]
)";

TEST(RunnerTest, AQuietScenarioIsGood) {
  const RunResult run = RunText(kHeadOfRun);
  EXPECT_EQ(run.exit_status, 0) << run.report;
  EXPECT_EQ(run.report, "a test [sim]: good\n");
  EXPECT_EQ(CallbackTexts(run.history, "client").at("handler").size(), 1u);
}

TEST(RunnerTest, AFaultThatNeverStrikesIsAnErrorOfTheScenario) {
  const RunResult run = RunText(kHeadOfRun + "faults: [{on: list, nth: 7, fault: cut}]\n");
  EXPECT_EQ(run.exit_status, 1);
  EXPECT_THAT(run.report, HasSubstr("s.yaml:5:10: this fault (cut) never struck: there was 1 list, "
                                    "and it waits for the 7th\n"));
}

TEST(RunnerTest, AStepThatChangesNothingHasNotHappened) {
  for (const char* step : {"do: write, object: default/a, data: {n: \"0\"}",
                           "do: patch, object: default/a, data: {n: \"0\"}"}) {
    const RunResult run = RunText(kHeadOfRun + "steps: [{at: 2s, " + step + "}]\n");
    EXPECT_EQ(run.exit_status, 1) << step;
    EXPECT_THAT(run.report, HasSubstr("s.yaml:5:9: this step ("));
    EXPECT_THAT(run.report, HasSubstr(") changed nothing: the object was as it says already"));
  }
}

TEST(RunnerTest, AMisspeltFieldOfAnObjectIsAnErrorWithTheServersWords) {
  const RunResult run = RunText(
      kHeadOfRun + "steps: [{at: 2s, do: write, object: default/b, body: {dta: {n: \"0\"}}}]\n");
  EXPECT_EQ(run.exit_status, 1);
  EXPECT_THAT(run.report, HasSubstr("strict decoding error: unknown field \"dta\""));
  EXPECT_THAT(run.report, Not(HasSubstr("\"kind\":\"Status\"")));
}

TEST(RunnerTest, ANamespaceThatCannotBeIsToldAtItsPart) {
  const RunResult run = RunText("name: n\nclients:\n- {namespace: Foo_Bar}\n");
  EXPECT_EQ(run.exit_status, 1);
  EXPECT_THAT(run.report, HasSubstr("s.yaml:3:3: its namespace: "));
}

TEST(RunnerTest, AStoreIsExpectedInAnyOrder) {
  const RunResult run = RunText(R"(
name: n
objects: [{object: default/a}, {object: default/b}]
expect:
  client: {store: [default/b, default/a]}
)");
  EXPECT_EQ(run.exit_status, 0) << run.report;
  const RunResult patterns = RunText(R"(
name: n
objects: [{object: default/a}, {object: default/b}]
expect:
  client: {store: [default/a, "1-2 x default/*"]}
)");
  EXPECT_EQ(patterns.exit_status, 0) << patterns.report;
}

TEST(RunnerTest, AStepThatNeverHappensAndOneThatFailsAreErrorsOfTheScenario) {
  const RunResult never = RunText(kHeadOfRun + "steps: [{when: {on: watch, nth: 9}, do: evict}]\n");
  EXPECT_EQ(never.exit_status, 1);
  EXPECT_THAT(never.report, HasSubstr("this step (evict) never happened"));
  const RunResult failed = RunText(kHeadOfRun + R"(
steps:
  - {at: 1s, do: delete, object: default/a}
  - {at: 2s, do: delete, object: default/a}
)");
  EXPECT_EQ(failed.exit_status, 1);
  EXPECT_THAT(failed.report, HasSubstr("this step (delete) failed"));
}

TEST(RunnerTest, AStepWhoseDelayDoesNotElapseNeverHappened) {
  for (const char* nth : {"1", "every"}) {
    const RunResult run = RunText(kHeadOfRun + "steps: [{when: {on: watch, nth: " + nth +
                                  ", after: 20h}, do: evict}]\n");
    EXPECT_EQ(run.exit_status, 1) << run.report;
    EXPECT_THAT(run.report,
                HasSubstr("s.yaml:5:9: this step (evict) never happened: it became due"));
  }
}

TEST(RunnerTest, TheCalmWaitsForADelayedStep) {
  const RunResult run =
      RunText(kHeadOfRun + "steps: [{when: {on: watch, nth: 1, after: 5m}, do: evict}]\n");
  EXPECT_EQ(run.exit_status, 0) << run.report;
}

TEST(RunnerTest, AFaultWhoseTimeDoesNotElapseNeverStruck) {
  for (const char* fault : {"on: list, fault: delay, for: 20h",
                            "on: watch, events: 0, bytes: 5, fault: hold, for: 20h"}) {
    const RunResult run = RunText(kHeadOfRun + R"(
steps: [{at: 5s, do: write, object: default/a, data: {n: "1"}}]
faults: [{)" + fault + "}]\n");
    EXPECT_EQ(run.exit_status, 1) << run.report;
    EXPECT_THAT(run.report, HasSubstr("never struck: the run was over before its 72000.000 s"));
  }
  const RunResult elapsed = RunText(kHeadOfRun + "faults: [{on: list, fault: delay, for: 150s}]\n");
  EXPECT_EQ(elapsed.exit_status, 0) << elapsed.report;
}

TEST(RunnerTest, AFaultAfterMoreBytesThanWereSentNeverStruck) {
  for (const char* fault :
       {"on: list, bytes: 100000, fault: cut", "on: list, bytes: 100000, fault: stall",
        "on: list, bytes: 100000, fault: split, every: 1",
        "on: list, bytes: 100000, fault: hold, for: 1s",
        "on: watch, events: 0, bytes: 100000, fault: reset"}) {
    const RunResult run = RunText(kHeadOfRun + R"(
steps: [{at: 5s, do: write, object: default/a, data: {n: "1"}}]
faults: [{)" + fault + "}]\n");
    EXPECT_EQ(run.exit_status, 1) << run.report;
    EXPECT_THAT(run.report, HasSubstr("never struck: fewer than its 100000 bytes were sent"));
  }
}

TEST(RunnerTest, ARunThatGoesRoundAndRoundIsStopped) {
  const RunResult run = RunText(kHeadOfRun + R"(
calm: 5h
steps:
  - {when: {on: watch, nth: every, once: open}, do: delete, object: default/a}
  - {when: {on: watch, nth: every, once: open}, do: write, object: default/a}
faults: [{on: watch, nth: every, events: 1, fault: close}]
)");
  EXPECT_EQ(run.exit_status, 1);
  EXPECT_THAT(run.report, HasSubstr("s.yaml:1:1: stopped in its second "));
}

TEST(RunnerTest, AVirtualDayEndsSoon) {
  const RunResult run = RunText(R"(
name: a day
worlds: [sim]
why_sim: it is long
clients: [{name: a}, {name: b, watch_deadline: false}]
objects: [{object: default/a, data: {n: "0"}}]
steps: [{at: 23h, do: write, object: default/a, data: {n: "1"}}]
calm: 24h
)");
  EXPECT_EQ(run.exit_status, 0) << run.report;
}

TEST(RunnerTest, AnObjectThatTheServerRefusesIsToldWithItsPlace) {
  const RunResult run = RunText("name: x\nobjects:\n  - {object: default/a, data: {\"a b\": x}}\n");
  EXPECT_EQ(run.exit_status, 1);
  EXPECT_THAT(run.report, HasSubstr("s.yaml:3:5: this object could not be written: "));
}

TEST(RunnerTest, AConnectionThatNeverCameIsToldWithHowManyDid) {
  const RunResult run = RunText(kHeadOfRun + "faults: [{on: connection, nth: 9, fault: reset}]\n");
  EXPECT_EQ(run.exit_status, 1);
  EXPECT_THAT(run.report, HasSubstr("there was 1 connection, and it waits for the 9th\n"));
}

TEST(RunnerTest, AnExpectationThatIsNotMetIsASafetyFailureWithWhatWasSeen) {
  const RunResult run =
      RunText(kHeadOfRun + "expect: {client: {callbacks: [added default/a 1 initial]}}\n");
  EXPECT_EQ(run.exit_status, 2);
  EXPECT_THAT(run.report, testing::StartsWith("s.yaml:5:31: client's callbacks (of \"handler\"): "
                                              "number 1 differs\n"));
  EXPECT_THAT(run.report, HasSubstr("expected added default/a 1 initial"));
  EXPECT_THAT(run.report, HasSubstr("again: relist replay s.yaml --world sim"));
}

TEST(RunnerTest, AClientWithoutADeadlineHangsOnAHalfOpenConnection) {
  const RunResult run = RunText(R"(
name: client-go over HTTP/1.1
clients: [{streaming_list: false, namespace: default, watch_deadline: false}]
objects: [{object: default/a, data: {n: "0"}}]
steps: [{at: 5s, do: write, object: default/a, data: {n: "1"}}]
faults: [{on: watch, events: 0, fault: stall}]
)");
  EXPECT_EQ(run.exit_status, 3) << run.report;
  EXPECT_THAT(run.report, HasSubstr("C1: "));
  EXPECT_THAT(run.report, HasSubstr("C16: a watch over which nothing comes is given up"));
}

// C16 waits as long as the client was told to.
TEST(RunnerTest, AClientWithALargeMarginMayWaitForSoLong) {
  const RunResult run = RunText(R"(
name: patience
clients: [{streaming_list: false, namespace: default, deadline_margin: 10m}]
objects: [{object: default/a, data: {n: "0"}}]
steps: [{at: 5s, do: write, object: default/a, data: {n: "1"}}]
faults: [{on: watch, events: 0, fault: stall}]
)");
  EXPECT_EQ(run.exit_status, 0) << run.report;
}

TEST(RunnerTest, AServerThatSendsALineTwiceIsNotLegalAndIsSeen) {
  const RunResult run = RunText(kHeadOfRun + R"(
legal: false
steps: [{at: 5s, do: write, object: default/a, data: {n: "1"}}]
faults: [{on: watch, events: 0, fault: duplicate}]
)");
  const auto seen = CallbackTexts(run.history, "client").at("handler");
  ASSERT_EQ(seen.size(), 3u) << Timeline(run.history);
}

// The track record of README.md: a shipped case notices a bug of the client.
TEST(RunnerTest, ShippedCasesNoticeTheBugsThatTheyAreFor) {
  struct Planted {
    const char* file;
    PlantedBugs bugs;
    std::vector<std::string> found_by;  // properties; what the script expects differs as well
  };
  const Planted all[] = {
      {"empty_collection", {.delete_keeps_position = true}, {"C8"}},
      {"delete_while_away", {.lose_tombstones = true}, {"C5"}},
      {"bookmark_saves_relist", {.bookmark_is_object = true}, {"C2", "C10"}},
      {"cut_in_character", {.resume_from_partial_line = true}, {"C7", "C8"}},
      {"silent_expiry", {.ignore_silent_expiry = true}, {}},
  };
  for (const Planted& planted : all) {
    const Result<Scenario> scenario =
        LoadScenario(std::string(RELIST_SOURCE_DIR "/scenarios/cases/") + planted.file + ".yaml");
    ASSERT_TRUE(scenario.ok()) << scenario.error().message();
    const RunResult run = RunScenario(*scenario, {.bugs = planted.bugs});
    EXPECT_EQ(run.exit_status, 2) << planted.file << "\n" << run.report;
    EXPECT_FALSE(run.mismatches.empty()) << planted.file;
    std::set<std::string> properties;
    for (const Violation& violation : run.violations) {
      if (violation.excuse.empty()) properties.insert(violation.property);
    }
    EXPECT_THAT(properties, testing::IsSupersetOf(planted.found_by)) << planted.file;
  }
}

// What each fault does to the client, by the requests that follow.
std::vector<std::string> OutcomesUnder(const std::string& fault) {
  const RunResult run = RunText(kHeadOfRun + R"(
steps:
  - {at: 5s, do: write, object: default/a, data: {n: "1"}}
  - {at: 10s, do: write, object: default/a, data: {n: "2"}}
faults: [)" + fault + "]\n");
  EXPECT_EQ(run.exit_status, 0) << run.report << Timeline(run.history);
  std::vector<std::string> outcomes;
  for (const std::string& text : RequestTexts(run.history, "client")) {
    outcomes.push_back(text.substr(0, text.find(' ')) + text.substr(text.rfind(" -> ") + 3));
  }
  return outcomes;
}

TEST(FaultScriptTest, EachFaultStrikesWhereItSays) {
  EXPECT_THAT(OutcomesUnder("{on: list, fault: reset}"),
              ElementsAre("LIST reset", "LIST 200", "WATCH 200"));
  EXPECT_THAT(OutcomesUnder("{on: list, bytes: 200, fault: cut}"),
              ElementsAre("LIST unexpected eof", "LIST 200", "WATCH 200"));
  EXPECT_THAT(OutcomesUnder("{on: list, fault: delay, for: 3s}"),
              ElementsAre("LIST 200", "WATCH 200"));
  EXPECT_THAT(OutcomesUnder("{on: watch, events: 1, bytes: 50, fault: hold, for: 2s}"),
              ElementsAre("LIST 200", "WATCH 200"));
  EXPECT_THAT(OutcomesUnder("{on: watch, events: 1, fault: error, code: 500}"),
              ElementsAre("LIST 200", "WATCH 200", "LIST 200", "WATCH 200"));
  EXPECT_THAT(OutcomesUnder("{on: watch, fault: status, code: 403}"),
              ElementsAre("LIST 200", "WATCH 403", "LIST 200", "WATCH 200"));
  EXPECT_THAT(OutcomesUnder("{on: watch, events: 1, bytes: 3, every: 2, fault: split}"),
              ElementsAre("LIST 200", "WATCH 200"));
}

TEST(FaultScriptTest, StepsHappenBeforeTheRequestOnceItIsOpenOrLater) {
  const auto commits_at = [](const std::string& trigger) {
    const RunResult run =
        RunText(kHeadOfRun + "steps: [{when: " + trigger + ", do: write, object: default/b}]\n");
    EXPECT_EQ(run.exit_status, 0) << run.report;
    const auto callbacks = CallbackTexts(run.history, "client");
    for (const std::string& text : callbacks.at("handler")) {
      if (text.starts_with("added default/b")) return text.substr(text.find_last_of(' ') + 1);
    }
    return std::string("never");
  };
  EXPECT_EQ(commits_at("{on: list}"), "initial") << "the list that it precedes holds it";
  EXPECT_THAT(commits_at("{on: list, once: open}"), Not("initial"));
  EXPECT_THAT(commits_at("{on: watch, once: open, after: 3s}"), Not("initial"));
}

TEST(ExpectationsTest, PatternsBindNumbersAndSkipText) {
  PatternNames names;
  EXPECT_TRUE(
      MatchPattern("WATCH rv={L}&timeout=*&x -> 200", "WATCH rv=12&timeout=345&x -> 200", &names));
  EXPECT_EQ(names.at("L"), 12);
  EXPECT_TRUE(MatchPattern("rv={L+3}", "rv=15", &names));
  EXPECT_FALSE(MatchPattern("rv={L+3}", "rv=16", &names));
  EXPECT_FALSE(MatchPattern("rv={M+1}", "rv=16", &names)) << "nothing is known of M";
  EXPECT_FALSE(MatchPattern("a=*", "a=1&b=2", &names)) << "a star ends where the parameter ends";
  EXPECT_FALSE(MatchPattern("a", "ab", &names));
}

TEST(TimelineTest, EachLineSaysWhenWhoAndWhat) {
  const RunResult run = RunText(kHeadOfRun + R"(
steps: [{at: 5s, do: write, object: default/a, data: {n: "1"}}]
faults: [{on: watch, events: 0, fault: cut}]
)");
  const std::string timeline = Timeline(run.history);
  EXPECT_THAT(timeline,
              HasSubstr("     0.000  client  > LIST configmaps in default: any version will do"));
  EXPECT_THAT(timeline, HasSubstr("+ default/a at 6 (initial)"));
  EXPECT_THAT(timeline, HasSubstr("! #2 the connection is cut (FIN), before the next line"));
  EXPECT_THAT(timeline, HasSubstr("configmaps default/a is there from the start, at 6"));
  EXPECT_THAT(timeline, HasSubstr("configmaps default/a changed at 7"));
  EXPECT_THAT(timeline, HasSubstr("the store is now what the list says: it is the first one"));
  EXPECT_THAT(timeline, HasSubstr("---- calm: time to recover"));
  EXPECT_THAT(Timeline(run.history, {.server_events = false}), Not(HasSubstr("~ #")));
}

TEST(TimelineTest, AnExpiryIsToldInWords) {
  const RunResult run = RunText(kHeadOfRun + R"(
steps: [{when: {on: watch, nth: 2}, do: evict}, {at: 5s, do: write, object: default/b}]
faults: [{on: watch, nth: 1, events: 0, fault: close}]
)");
  const std::string timeline = Timeline(run.history);
  EXPECT_THAT(timeline, HasSubstr("evict: the server forgets its events"));
  EXPECT_THAT(timeline, HasSubstr("ERROR 410 (expired: the server no longer has that version)"));
  EXPECT_THAT(timeline, HasSubstr("! its version has expired (410), so it will list again"));
  EXPECT_THAT(timeline, HasSubstr("its version had expired (410), so it lists again"));
}

// Whether or not an object can be made that the client sees: one that hangs is found.
TEST(RunnerTest, AClientThatHangsIsFoundWhateverItSelects) {
  for (const char* scope :
       {"selector: app=web", "selector: 'app in (web)'", "selector: app", "selector: '!app'",
        "selector: app!=web", "selector: 'a=1,a=2'", "selector: 'n>3,n<5'",
        "fields: metadata.name=a", "fields: metadata.name!=a",
        "resource: pods, fields: status.phase=Pending", "resource: secrets, fields: type=Opaque",
        "resource: nodes, fields: metadata.name=n"}) {
    const std::string clients = fmt::format(
        "name: a test\nclients:\n- {{{}, streaming_list: false, watch_deadline: false}}\n", scope);
    EXPECT_EQ(RunText(clients).exit_status, 0) << scope;
    const RunResult hung = RunText(clients + "faults: [{fault: stall, on: watch, nth: 1}]\n");
    EXPECT_EQ(hung.exit_status, 3) << scope << "\n" << hung.report;
  }
}

// client-go's watch hears of its end by its deadline, which is minutes away.
TEST(RunnerTest, AFaultThatStrikesTheSentinelItselfIsWaitedFor) {
  const RunResult run = RunText(R"(
name: a test
server: {bookmark_period: 24h}
objects: [{object: default/a}]
clients: [{streaming_list: false}]
faults: [{fault: stall, on: watch, nth: 2, events: 0}]
)");
  EXPECT_EQ(run.exit_status, 0) << run.report;
}

}  // namespace
}  // namespace relist
