#include "scenarios/report/lanes.h"

#include <fmt/core.h>
#include <gmock/gmock.h>

#include <set>
#include <tuple>

#include "scenarios/checkers/history_text.h"
#include "scenarios/report/lane_table.h"

namespace relist::report {
namespace {

using ::testing::ElementsAre;
using ::testing::IsSupersetOf;
using ::testing::SizeIs;

// "Truth: configmaps default/a changed at 7", in the order of the row.
std::vector<std::string> TextsOf(const LaneRow& row) {
  std::vector<std::string> texts;
  for (const LaneEntry& entry : row.entries)
    texts.push_back(row.across ? entry.text
                               : fmt::format("{}: {}", TitleOf(entry.lane), entry.text));
  return texts;
}

std::vector<LaneRow> RowsOf(const History& history) {
  return LanesOf(history).at(0).rows;
}

const std::string kListAndWatch = R"(
  0 server commit rv=2 resource=namespaces key=default type=ADDED
  0 server commit rv=3 resource=namespaces key=kube-system type=ADDED
  0 run phase name=chaos
  0 server commit rv=5 resource=configmaps key=default/a type=ADDED
  0 client request n=1 verb=LIST target=/api/v1/configmaps?resourceVersion=0
  0.002 server request id=1 conn=1 method=GET target=/api/v1/configmaps?resourceVersion=0 agent=client
  0.002 server answer id=1 status=200 rv=5 items=1
  0.003 client answer n=1 status=200 rv=5 items=1
  0.003 client relist why=list:_start
  0.003 client position rv=5
  0.003 client request n=2 verb=WATCH target=/api/v1/configmaps?resourceVersion=5&watch=true
  0.003 client callback handler=handler type=added key=default/a rv=5 initial=true
  0.004 server request id=2 conn=1 method=GET target=/api/v1/configmaps?resourceVersion=5&watch=true agent=client
  0.004 server open id=2 status=200
)";

TEST(Lanes, ARequestBeginsARowAndEachLineIsInItsLane) {
  const History history = HistoryOf(kListAndWatch);
  const std::vector<LaneRow> rows = RowsOf(history);
  ASSERT_THAT(rows, SizeIs(5));
  EXPECT_THAT(TextsOf(rows[0]), ElementsAre("Truth: 2 namespaces are there from the start"));
  EXPECT_TRUE(rows[1].across);
  EXPECT_THAT(TextsOf(rows[1]), ElementsAre("chaos: the steps and faults of the script"));
  EXPECT_THAT(TextsOf(rows[2]),
              ElementsAre("Truth: configmaps default/a is there from the start, at 5"));
  EXPECT_THAT(
      TextsOf(rows[3]),
      ElementsAre("Reflector: lists",
                  "Wire: LIST configmaps: any version will do (resourceVersion=0)",
                  "Replica: #1 LIST configmaps", "Replica: #1 200: 1 object, as of version 5",
                  "Wire: 200: 1 object, as of version 5",
                  "Reflector: the store is now what the list says: it is the first one",
                  "Reflector: is at 5", "Queue: 0 → 1"));
  EXPECT_EQ(rows[3].phase, Phase::kLists);
  EXPECT_THAT(
      TextsOf(rows[4]),
      ElementsAre("Reflector: watches", "Wire: WATCH configmaps: what comes after 5",
                  "Handlers: added default/a at 5 (initial)", "Replica: #2 WATCH configmaps",
                  "Replica: #2 200: the watch is open", "Queue: 1 → 0", "Store: default/a at 5"));
  EXPECT_EQ(rows[4].phase, Phase::kWatches);
}

TEST(Lanes, AChangeIsOneRowFromTheTruthToTheHandlers) {
  const History history = HistoryOf(kListAndWatch + R"(
    5 server commit rv=6 resource=configmaps key=default/a type=MODIFIED
    5 server event id=2 type=MODIFIED key=default/a rv=6
    5.001 client position rv=6
    5.001 client callback handler=handler type=modified key=default/a rv=6 old_rv=5
    5.002 server commit rv=7 resource=configmaps key=default/a type=DELETED
  )");
  const std::vector<LaneRow> rows = RowsOf(history);
  ASSERT_THAT(rows, SizeIs(7)) << "what is written after it was heard of begins a row";
  EXPECT_THAT(
      TextsOf(rows[5]),
      ElementsAre("Truth: configmaps default/a changed at 6", "Wire: #2 MODIFIED default/a at 6",
                  "Reflector: is at 6", "Handlers: modified default/a at 6, was at 5",
                  "Queue: 0 → 1 → 0", "Store: default/a at 6"));
  EXPECT_THAT(TextsOf(rows[6]), ElementsAre("Truth: configmaps default/a deleted at 7"));
}

TEST(Lanes, FaultsErrorsAndWhatIsDoneToTheServerAreTold) {
  const History history = HistoryOf(kListAndWatch + R"(
    5 server control action=evict rv=6 replica=1
    5 server fault id=2 point=event verdict=stall
    5 server event id=2 type=ERROR code=410
    5 client error message=too_old_resource_version:_5_(6)
    5 client backoff ms=1500
  )");
  const LaneRow row = RowsOf(history).back();
  EXPECT_THAT(
      TextsOf(row),
      ElementsAre(
          "Replica: replica 1: evict: the server forgets its events, older watches than 6 "
          "expire",
          "Wire: #2 nothing more is sent, but the connection stays open (half-open), before "
          "the next line",
          "Wire: #2 ERROR 410 (expired: the server no longer has that version)",
          "Reflector: its version has expired (410), so it will list again [too old "
          "resource version: 5 (6)]",
          "Reflector: waits 1.500 s"));
  std::vector<LaneEntry::Tone> tones;
  for (const LaneEntry& entry : row.entries) tones.push_back(entry.tone);
  using enum LaneEntry::Tone;
  EXPECT_THAT(tones, ElementsAre(kStep, kFault, kError, kError, kPhase));
}

TEST(Lanes, PositionsInARowAndAStoreAsItWasReadAreOneEntryEach) {
  const History history = HistoryOf(kListAndWatch + R"(
    5 client position rv=6
    5 client position rv=7
    5 client position rv=9
    9 client dump items=6
    9 client store key=default/a rv=5
    9 client store key=default/b rv=6
    9 client store key=default/c rv=7
    9 client store key=default/d rv=8
    9 client store key=default/e rv=9
    9 client store key=default/f rv=9
  )");
  const std::vector<LaneRow> rows = RowsOf(history);
  const LaneRow& positions = rows[rows.size() - 2];
  EXPECT_THAT(TextsOf(positions), ElementsAre("Reflector: is at 6, then at 9"));
  EXPECT_THAT(positions.entries[0].lines, SizeIs(3));
  EXPECT_THAT(TextsOf(rows.back()),
              ElementsAre("Store: holds 6 objects: default/a at 5, default/b at 6, default/c at 7, "
                          "default/d at 8, and more"));
  EXPECT_THAT(rows.back().entries[0].lines, SizeIs(7));
}

TEST(Lanes, EachClientHasItsOwnAndTheTruthIsInAll) {
  const History history = HistoryOf(R"(
    1 web request n=1 verb=LIST target=/api/v1/configmaps
    1 server request id=1 conn=1 method=GET target=/api/v1/configmaps agent=web
    1 all request n=1 verb=LIST target=/api/v1/pods
    1 server request id=2 conn=2 method=GET target=/api/v1/pods agent=all
    2 server commit rv=7 resource=configmaps key=default/a type=ADDED
  )");
  const std::vector<SwimLanes> lanes = LanesOf(history);
  ASSERT_THAT(lanes, SizeIs(2));
  for (const auto& [index, name, resource] :
       {std::tuple(0, "web", "configmaps"), std::tuple(1, "all", "pods")}) {
    EXPECT_EQ(lanes[index].client, name);
    ASSERT_THAT(lanes[index].rows, SizeIs(2));
    EXPECT_THAT(TextsOf(lanes[index].rows[0]),
                IsSupersetOf({fmt::format("Wire: LIST {}: the newest state", resource),
                              fmt::format("Replica: #{} LIST {}", index + 1, resource)}));
    EXPECT_THAT(TextsOf(lanes[index].rows[0]), SizeIs(3));
    EXPECT_THAT(TextsOf(lanes[index].rows[1]),
                ElementsAre("Truth: configmaps default/a created at 7"));
  }
}

TEST(Lanes, EveryLineOfAHistoryIsSomewhere) {
  const History history = HistoryOf(kListAndWatch + R"(
    5 server end id=2 how=FIN
    5 server something id=2
    6 client something else=true
    7 client synced
    7 client synced handler=handler
    8 run mark client=client rv=9
    9 run phase name=end
  )");
  std::set<const HistoryEntry*> told;
  for (const LaneRow& row : RowsOf(history)) {
    for (const LaneEntry& entry : row.entries) told.insert(entry.lines.begin(), entry.lines.end());
  }
  EXPECT_EQ(told.size(), history.entries().size());
}

TEST(Lanes, AHistoryWithoutClientsHasTheTruth) {
  const History history = HistoryOf("1 server commit rv=5 resource=configmaps key=a/b type=ADDED");
  const std::vector<SwimLanes> lanes = LanesOf(history);
  ASSERT_THAT(lanes, SizeIs(1));
  EXPECT_EQ(lanes[0].client, "");
  EXPECT_THAT(lanes[0].rows, SizeIs(1));
  EXPECT_THAT(LanesOf(History()).at(0).rows, SizeIs(0));
}

}  // namespace
}  // namespace relist::report
