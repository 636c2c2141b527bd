// Clients as scenarios describe them, and what each key changes: seen through small scenarios.
#include "scenarios/play/cast.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "scenarios/expectations.h"
#include "scenarios/histories/timeline.h"
#include "scenarios/play/cast_options.h"
#include "scenarios/runner.h"

namespace relist {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

RunResult PlayedBy(const std::string& client, const std::string& more) {
  const Result<Scenario> scenario =
      ParseScenario("name: a test\nclients: [{" + client + "}]\n" + more, "s.yaml");
  if (scenario.ok()) return RunScenario(*scenario);
  ADD_FAILURE() << scenario.error().message();
  return {};
}

// "0.003 added default/a", of a handler, without the sentinel.
std::vector<std::string> TimedCallbacks(const RunResult& run, const std::string& handler) {
  std::vector<std::string> lines;
  for (const HistoryEntry& entry : run.history.entries()) {
    if (entry.what() != "callback" || entry.Get("handler") != handler) continue;
    if (entry.Get("key") == "default/relist-sentinel") continue;
    lines.push_back(FormatSeconds(entry.when() - run.history.start()) + " " + entry.Get("type") +
                    " " + entry.Get("key"));
  }
  return lines;
}

const std::string kTwoObjects = "objects: [{object: default/a}, {object: default/b}]\n";

TEST(CastTest, ASlowHandlerHoldsUpNobodyElse) {
  const RunResult run = PlayedBy("handlers: [{}, {delay: 10s}]", kTwoObjects + R"(
steps: [{at: 5s, do: write, object: default/c}]
)");
  EXPECT_EQ(run.exit_status, 0) << run.report << Timeline(run.history);
  EXPECT_THAT(
      TimedCallbacks(run, "handler"),
      ElementsAre("0.003 added default/a", "0.003 added default/b", "5.001 added default/c"));
  EXPECT_THAT(
      TimedCallbacks(run, "handler2"),
      ElementsAre("0.003 added default/a", "10.003 added default/b", "20.003 added default/c"));
}

TEST(CastTest, TheRunWaitsForAHandlerThatIsVerySlow) {
  const RunResult run = PlayedBy("handlers: [{delay: 60s}]", R"(
objects: [{many: 20, object: "default/o-{n}"}]
steps: [{at: 5s, do: delete, object: default/o-20}]
)");
  EXPECT_EQ(run.exit_status, 0) << run.report;
  EXPECT_THAT(TimedCallbacks(run, "handler").back(), HasSubstr(" deleted default/o-20"));
}

TEST(CastTest, AHandlerThatThrowsIsToldTheNextThingASecondLater) {
  const RunResult run = PlayedBy("handlers: [{fails: 2}, {}]", kTwoObjects + R"(
steps:
  - {at: 5s, do: write, object: default/a, data: {n: "1"}}
)");
  EXPECT_EQ(run.exit_status, 0) << run.report << Timeline(run.history);
  std::vector<std::string> panics, synced;
  for (const HistoryEntry& entry : run.history.entries()) {
    if (entry.what() == "panic")
      panics.push_back(entry.Get("handler") + " " + entry.Get("key") + ": " + entry.Get("message"));
    if (entry.what() == "synced") synced.push_back(entry.Get("handler"));
  }
  EXPECT_THAT(panics, ElementsAre("handler default/b: the scenario lets call 2 fail"));
  EXPECT_THAT(synced, ElementsAre("", "handler2")) << "the other one threw at an initial object";
  EXPECT_THAT(Timeline(run.history), HasSubstr("! handler threw at default/b"));
}

TEST(CastTest, AHandlerThatThrowsAgainAndAgainPausesEachTime) {
  const RunResult run = PlayedBy("handlers: [{fails: every}]", kTwoObjects);
  EXPECT_EQ(run.exit_status, 0) << run.report << Timeline(run.history);
  EXPECT_THAT(TimedCallbacks(run, "handler"),
              ElementsAre("0.003 added default/a", "1.003 added default/b"));
}

TEST(CastTest, AHandlerThatNeverThrewIsAnErrorOfTheScenario) {
  const RunResult run = PlayedBy("handlers: [{}, {fails: 3-9}]", kTwoObjects + R"(
steps: [{at: 1s, do: write, object: default/c}]
)");
  EXPECT_EQ(run.exit_status, 1);
  EXPECT_THAT(run.report,
              HasSubstr("s.yaml:2:27: handler2 of client \"client\" threw 2 of 7 times: "
                        "it was called 4 times, and throws from its call 3 on\n"));
}

TEST(CastTest, AResyncTellsEachHandlerInItsPeriodWhatIsStored) {
  const RunResult run = PlayedBy("resync: 50s, handlers: [{}, {resync: 0s}, {resync: 100s}]",
                                 "objects: [{object: default/a}]\nlength: 10s\n");
  EXPECT_EQ(run.exit_status, 0) << run.report << Timeline(run.history);
  EXPECT_THAT(TimedCallbacks(run, "handler"),
              ElementsAre("0.003 added default/a", "50.003 modified default/a",
                          "100.003 modified default/a"));
  EXPECT_THAT(TimedCallbacks(run, "handler2"), ElementsAre("0.003 added default/a"));
  EXPECT_THAT(TimedCallbacks(run, "handler3"),
              ElementsAre("0.003 added default/a", "100.003 modified default/a"));
  EXPECT_EQ(std::count_if(run.history.entries().begin(), run.history.entries().end(),
                          [](const HistoryEntry& entry) {
                            return entry.what() == "request" && entry.actor() == "client";
                          }),
            1)
      << "a resync asks no server";
}

std::vector<std::string> RequestsOf(const RunResult& run) {
  std::vector<std::string> texts;
  for (const std::string& text : RequestTexts(run.history, "client"))
    texts.push_back(text.substr(0, text.find(' ')) + text.substr(text.rfind(" -> ")));
  return texts;
}

TEST(CastTest, AListDeadlineEndsAListThatHangs) {
  const std::string hangs = kTwoObjects + "faults: [{on: list, fault: stall}]\n";
  const RunResult run = PlayedBy("streaming_list: false, list_deadline: 5s", hangs);
  EXPECT_EQ(run.exit_status, 0) << run.report;
  EXPECT_THAT(RequestsOf(run), ElementsAre("LIST -> timeout", "LIST -> 200", "WATCH -> 200"));
  EXPECT_EQ(PlayedBy("streaming_list: false, list_deadline: none", hangs).exit_status, 3);
}

TEST(CastTest, PatienceEndsAStreamingListThatIsSilent) {
  const std::string silent =
      kTwoObjects + "faults: [{on: streaming-list, events: 1, fault: stall}]\n";
  const RunResult run = PlayedBy("streaming_list_patience: 5s", silent);
  EXPECT_EQ(run.exit_status, 0) << run.report << Timeline(run.history);
  EXPECT_THAT(RequestsOf(run), ElementsAre("WATCH -> 200", "LIST -> 200", "WATCH -> 200"));
  const RunResult faithful =
      PlayedBy("streaming_list_patience: none, watch_deadline: false", silent);
  EXPECT_EQ(faithful.exit_status, 3) << faithful.report;
}

TEST(CastTest, APacedClientDoesNotComeBackAtOnce) {
  const std::string closes = R"(
objects: [{object: default/a}]
steps:
  - {when: {on: watch, nth: 1-6, once: open}, do: delete, object: default/a}
  - {when: {on: watch, nth: 1-6, once: open}, do: write, object: default/a}
faults: [{on: watch, nth: 1-6, events: 1, fault: close}]
)";
  const auto last_request = [](const RunResult& run) {
    EXPECT_EQ(run.exit_status, 0) << run.report << Timeline(run.history);
    TimePoint last;
    for (const HistoryEntry& entry : run.history.entries()) {
      if (entry.what() == "request" && entry.actor() == "client") last = entry.when();
    }
    return last - run.history.start();
  };
  EXPECT_LT(last_request(PlayedBy("streaming_list: false", closes)), Seconds(1));
  EXPECT_GT(last_request(PlayedBy("streaming_list: false, pace_reopening: true", closes)),
            Seconds(20));
}

TEST(CastTest, AnInternalErrorIsAskedForAgainWhereThatIsWanted) {
  const std::string error = kTwoObjects + R"(
steps: [{at: 5s, do: write, object: default/c}]
faults: [{on: watch, events: 1, fault: error, code: 500}]
)";
  EXPECT_THAT(RequestsOf(PlayedBy("streaming_list: false", error)),
              ElementsAre("LIST -> 200", "WATCH -> 200", "LIST -> 200", "WATCH -> 200"));
  EXPECT_THAT(RequestsOf(PlayedBy("streaming_list: false, internal_error_retry: 30s", error)),
              ElementsAre("LIST -> 200", "WATCH -> 200", "WATCH -> 200"));
}

TEST(CastTest, TheDelayIsWhatItIsToldToBe) {
  const RunResult run = PlayedBy(
      "streaming_list: false, backoff: {initial: 3s, cap: 5s, jitter: false}", kTwoObjects + R"(
faults: [{on: list, nth: 1-3, fault: status, code: 403}]
)");
  EXPECT_EQ(run.exit_status, 0) << run.report << Timeline(run.history);
  std::vector<std::string> delays;
  for (const HistoryEntry& entry : run.history.entries()) {
    if (entry.what() == "backoff") delays.push_back(entry.Get("ms"));
  }
  EXPECT_THAT(delays, ElementsAre("3000", "5000", "5000"));
}

TEST(CastTest, OptionsAreWhatTheKeysSay) {
  ClientSpec spec;
  const PlantedBugs bugs;
  const Endpoint endpoint{"sim", 80, nullptr};
  EXPECT_FALSE(
      InformerOptionsOf(spec, HandlerThreads::kOnLoop, nullptr, nullptr, bugs).crash_on_panic)
      << "it would end the run";
  spec.fresh_relists = true;
  spec.in_order_informers = spec.atomic_fifo = spec.in_order_informers_batch_process = false;
  spec.watch_deadline = false;
  spec.handlers.resize(2);
  spec.handlers[1].delay = Seconds(2);
  spec.handlers[1].resync = Seconds(9);
  const InformerOptions options =
      InformerOptionsOf(spec, HandlerThreads::kOwnThread, nullptr, nullptr, bugs);
  EXPECT_TRUE(options.reflector.fresh_relists);
  EXPECT_FALSE(options.in_order_informers || options.atomic_fifo ||
               options.in_order_informers_batch_process);
  EXPECT_EQ(options.handler_threads, HandlerThreads::kOwnThread);
  EXPECT_FALSE(RestOptionsOf(spec, endpoint, bugs).watch_deadline_margin.has_value());
  const HandlerOptions second = HandlerOptionsOf(spec, 1);
  EXPECT_EQ(second.name, "handler2");
  EXPECT_EQ(second.call_takes, Seconds(2));
  EXPECT_EQ(second.resync_period, Seconds(9));
  EXPECT_EQ(HandlerOptionsOf(spec, 0).name, "handler");
}

TEST(CastTest, FreshRelistsComeOutOfAnExpiryThatGoesRound) {
  const std::string expires = R"(
objects: [{object: default/a}, {object: default/b}, {object: default/c}]
steps: [{when: {on: watch, nth: 1, once: open}, do: write, object: default/d}, {when: {on: watch, nth: 2}, do: evict}]
faults: [{on: watch, nth: 1, events: 0, fault: close}]
)";
  const RunResult faithful = PlayedBy("streaming_list: false, page_size: 2", expires);
  EXPECT_THAT(faithful.violations, testing::Not(IsEmpty()));
  const RunResult better =
      PlayedBy("streaming_list: false, page_size: 2, fresh_relists: true", expires);
  EXPECT_EQ(better.exit_status, 0) << better.report << Timeline(better.history);
  EXPECT_THAT(better.violations, IsEmpty());
}

TEST(CastTest, EachHandlerMayBeExpectedToBeToldSomethingElse) {
  const std::string text =
      "objects: [{object: default/a}]\nlength: 10s\nexpect:\n  client:\n    callbacks:\n";
  const std::string first = "      handler: [\"added default/a {L} initial\"]\n";
  const auto status = [&](const std::string& second) {
    return PlayedBy("resync: 50s, handlers: [{resync: 0s}, {}]",
                    text + first + "      handler2: " + second)
        .exit_status;
  };
  EXPECT_EQ(status("[\"added default/a {L} initial\", \"2-2 x modified default/a {L} -> {L}\"]\n"),
            0);
  EXPECT_EQ(status("[\"added default/a {L} initial\"]\n"), 2);
  EXPECT_EQ(status("[]\n"), 2);
}

}  // namespace
}  // namespace relist
