#include "scenarios/report/lane_state.h"

#include <fmt/core.h>
#include <gmock/gmock.h>

#include "scenarios/checkers/history_text.h"

namespace relist::report {
namespace {

using ::testing::ElementsAre;

// After each line of the client: what waits.
std::vector<size_t> WaitingAfterEach(const std::string& text) {
  const History history = HistoryOf(text);
  LaneState state(history, "client");
  std::vector<size_t> waiting;
  for (const HistoryEntry& line : history.entries()) {
    if (line.actor() != "client") continue;
    state.Take(line);
    waiting.push_back(state.waiting());
  }
  return waiting;
}

TEST(LaneState, WhatWasTakenInWaitsUntilItIsTold) {
  EXPECT_THAT(WaitingAfterEach(R"(
    1 client relist why=list:_start
    1 client position rv=6
    1 client callback handler=h type=added key=default/a rv=5 initial=true
    1 client callback handler=h type=added key=default/b rv=6 initial=true
    2 client position rv=7
    2 client position rv=8
    2 client callback handler=h type=modified key=default/a rv=7 old_rv=5
    2 client position rv=9
    2 client callback handler=h type=deleted key=default/b rv=8
  )"),
              ElementsAre(2, 2, 1, 0, 1, 2, 1, 1, 0))
      << "9 is a bookmark: no handler is told";
}

TEST(LaneState, WhatNothingTookInNeverWaited) {
  EXPECT_THAT(WaitingAfterEach(R"(
    1 client relist why=list:_start
    1 client position rv=6
    2 client callback handler=h type=deleted key=default/b rv=8
  )"),
              ElementsAre(0, 0, 0));
}

TEST(LaneState, OfSeveralHandlersTheSlowestCounts) {
  EXPECT_THAT(WaitingAfterEach(R"(
    2 client position rv=7
    2 client position rv=8
    2 client callback handler=h type=modified key=default/a rv=7 old_rv=5
    2 client callback handler=h type=modified key=default/a rv=8 old_rv=7
    2 client callback handler=slow type=modified key=default/a rv=7 old_rv=5
    2 client callback handler=slow type=modified key=default/a rv=8 old_rv=7
  )"),
              ElementsAre(1, 2, 2, 2, 1, 0));
}

TEST(LaneState, WhatIsToldASecondTimeDidNotWait) {
  EXPECT_THAT(WaitingAfterEach(R"(
    1 client relist why=list:_start
    1 client position rv=6
    1 client callback handler=h type=added key=default/a rv=5 initial=true
    1 client callback handler=h type=added key=default/b rv=6 initial=true
    2 client position rv=7
    2 client callback handler=h type=modified key=default/a rv=7 old_rv=5
    9 client callback handler=h type=modified key=default/a rv=7 old_rv=7
    9 client callback handler=h type=modified key=default/b rv=6 old_rv=6
  )"),
              ElementsAre(2, 2, 1, 0, 1, 0, 0, 0))
      << "a resync";
}

TEST(LaneState, WhoIsStoppedHoldsNothingAndKnowsNothing) {
  const History history = HistoryOf(R"(
    1 client request n=1 verb=WATCH target=/api/v1/configmaps?resourceVersion=6&watch=true
    1 client position rv=7
    2 client callback handler=h type=added key=default/a rv=7
    3 client position rv=8
    4 client stop
    5 client callback handler=h type=modified key=default/a rv=8 old_rv=7
    5 client position rv=9
    6 client stopped
    7 client started
    8 client callback handler=h type=added key=default/a rv=9
  )");
  LaneState state(history, "client");
  std::vector<std::string> phases;
  std::vector<size_t> held, waiting;
  for (const HistoryEntry& line : history.entries()) {
    state.Take(line);
    phases.emplace_back(Name(state.phase()));
    held.push_back(state.store().size());
    waiting.push_back(state.waiting());
  }
  EXPECT_THAT(phases, ElementsAre("watches", "watches", "watches", "watches", "stops", "stops",
                                  "stops", "", "", ""));
  EXPECT_THAT(held, ElementsAre(0, 0, 1, 1, 1, 1, 1, 0, 0, 1));
  EXPECT_THAT(waiting, ElementsAre(0, 1, 0, 1, 1, 0, 0, 0, 0, 0));
}

TEST(LaneState, TheStoreIsWhatTheFirstHandlerWasTold) {
  const History history = HistoryOf(R"(
    1 client callback handler=h type=added key=default/a rv=5
    1 client callback handler=h type=added key=default/b rv=6
    2 client callback handler=slow type=added key=default/c rv=7
    3 client callback handler=h type=modified key=default/a rv=8 old_rv=5
    3 client callback handler=h type=deleted key=default/b rv=9
  )");
  LaneState state(history, "client");
  for (const HistoryEntry& line : history.entries()) state.Take(line);
  EXPECT_THAT(state.store(),
              ElementsAre(std::pair<const std::string, std::string>("default/a", "8")));
}

TEST(LaneState, ThePhaseGoesFromRequestToRequest) {
  const History history = HistoryOf(R"(
    1 client request n=1 verb=LIST target=/api/v1/configmaps?resourceVersion=0
    1 client relist why=list:_start
    1 client request n=2 verb=WATCH target=/api/v1/configmaps?resourceVersion=6&watch=true
    2 client backoff ms=800
    3 client request n=3 verb=WATCH target=/api/v1/configmaps?sendInitialEvents=true&watch=true
    3 client position rv=6
    4 client relist why=streaming_list:_start
  )");
  LaneState state(history, "client");
  std::vector<std::string> phases;
  for (const HistoryEntry& line : history.entries()) {
    state.Take(line);
    phases.emplace_back(Name(state.phase()));
  }
  EXPECT_THAT(phases, ElementsAre("lists", "lists", "watches", "waits", "streams its list",
                                  "streams its list", "watches"));
}

}  // namespace
}  // namespace relist::report
