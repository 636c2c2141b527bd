#include "scenarios/checkers/same_callbacks.h"

#include <fmt/core.h>
#include <gmock/gmock.h>

#include "scenarios/checkers/history_text.h"
#include "scenarios/runner.h"

namespace relist {
namespace {

std::vector<std::string> Compared(const std::string& whole, const std::string& broken,
                                  const char* property) {
  const History first = HistoryOf(whole), second = HistoryOf(broken);
  std::vector<std::string> found;
  for (const Violation& violation :
       CheckSameCallbacks(HistoryView(first), HistoryView(second), property))
    found.push_back(violation.property + ": " + violation.sentence);
  return found;
}

const std::string kToldTwiceC13 = R"(
  1 client callback handler=h type=added key=default/a uid=ua rv=5
  2 client callback handler=h type=modified key=default/a uid=ua rv=6 old_rv=5
)";

TEST(SameCallbacksTest, TimesAndUidsMayDiffer) {
  EXPECT_TRUE(Compared(kToldTwiceC13, R"(
    7 client callback handler=h type=added key=default/a uid=ux rv=5
    9 client callback handler=h type=modified key=default/a uid=ux rv=6 old_rv=5
  )",
                       "C13")
                  .empty());
}

TEST(SameCallbacksTest, AListThatChangesNothingIsNoDifference) {
  EXPECT_TRUE(Compared(kToldTwiceC13,
                       "1 client callback handler=h type=added key=default/a rv=5\n"
                       "1 client callback handler=h type=modified key=default/a rv=5 old_rv=5\n"
                       "2 client callback handler=h type=modified key=default/a rv=6 old_rv=5\n",
                       "C14")
                  .empty());
}

TEST(SameCallbacksTest, TheFirstDifferenceIsTold) {
  const std::string once = "1 client callback handler=h type=added key=default/a uid=ua rv=5\n";
  EXPECT_THAT(
      Compared(kToldTwiceC13, once, "C13"),
      testing::ElementsAre(
          "C13: the same bytes in other pieces are told as the same callbacks, but as number "
          "2 client's \"h\" was told of nothing more, and not of modified default/a at 6 "
          "(was 5)"));
  EXPECT_THAT(
      Compared(once, kToldTwiceC13, "C14"),
      testing::ElementsAre(testing::StartsWith(
          "C14: a stream that is cut and resumed is told as one that is not, but as number 2 "
          "client's \"h\" was told of modified default/a at 6 (was 5), and not of nothing more")));
  EXPECT_EQ(Compared(kToldTwiceC13, "0 run phase name=end\n", "C14").size(), 1u);
}

// One script, whose writes are seconds apart, with a fault or without one. The text has characters
// of one to four bytes.
RunResult RunWith(const std::string& on, const std::string& fault, const PlantedBugs& bugs = {}) {
  const std::string text = R"(
name: the same bytes
clients: [{namespace: default, streaming_list: )" +
                           std::string(on == "streaming-list" ? "true" : "false") + R"(}]
objects: [{object: default/a, data: {text: "aé€😀"}}]
calm: 1s
server: {bookmark_period: 24h}
steps:
  - {at: 10s, do: write, object: default/a, data: {text: "é€😀a"}}
  - {at: 20s, do: write, object: default/b, data: {text: "€"}}
  - {at: 30s, do: delete, object: default/a}
)" + (fault.empty() ? "" : fmt::format("faults: [{{on: {}, nth: 1, {}}}]\n", on, fault));
  const Result<Scenario> scenario = ParseScenario(text, "s.yaml");
  if (!scenario.ok()) {
    ADD_FAILURE() << scenario.error().message();
    return {};
  }
  return RunScenario(*scenario, {.bugs = bugs});
}

bool NeverStruck(const RunResult& run) {
  return run.report.find("bytes were sent") != std::string::npos;
}

// For each byte (or each of so many) of the first answer: how often a difference was seen, and how
// many bytes there are.
std::pair<int, int> EachByte(const std::string& on, const std::string& fault, const char* property,
                             int step = 1, const PlantedBugs& bugs = {}) {
  const RunResult whole = RunWith(on, "");
  EXPECT_EQ(whole.exit_status, 0) << whole.report;
  const HistoryView expected(whole.history);
  int different = 0;
  for (int at = 1;; at += step) {
    const RunResult run = RunWith(on, fmt::format("bytes: {}, {}", at, fault), bugs);
    if (NeverStruck(run)) return {different, at - 1};
    const auto found = CheckSameCallbacks(expected, HistoryView(run.history), property);
    different += !found.empty();
    if (!bugs.resume_from_partial_line) {
      EXPECT_TRUE(found.empty()) << at << ": " << found.front().sentence;
    }
    if (at > 10000) return {different, 0};
  }
}

// Every byte of a watch, and some of the rest: what lies in them is the same.
int StepOf(const std::string& on) {
  return on == "watch" ? 1 : 7;
}

// C13, over the whole of an answer: cut into two at each byte, and into single bytes.
TEST(SameCallbacksTest, OurClientTellsTheSameHoweverItsBytesAreCutIntoPieces) {
  for (const char* on : {"list", "watch", "streaming-list"}) {
    EXPECT_GT(EachByte(on, "fault: split", "C13", StepOf(on)).second, 300) << on;
    const RunResult whole = RunWith(on, "");
    const RunResult bytes = RunWith(on, "bytes: 1, every: 1, fault: split");
    EXPECT_EQ(bytes.exit_status, 0) << bytes.report;
    EXPECT_TRUE(
        CheckSameCallbacks(HistoryView(whole.history), HistoryView(bytes.history), "C13").empty());
  }
}

// C14, for every byte and each way to end there.
TEST(SameCallbacksTest, OurClientTellsTheSameWhereverItsStreamIsCut) {
  for (const char* fault : {"fault: cut", "fault: reset"}) {
    for (const char* on : {"list", "watch", "streaming-list"})
      EXPECT_GT(EachByte(on, fault, "C14", StepOf(on)).second, 300) << on;
  }
}

TEST(SameCallbacksTest, AClientThatTakesHalfALineForAWholeOneIsFound) {
  const auto [different, bytes] =
      EachByte("watch", "fault: cut", "C14", 1, {.resume_from_partial_line = true});
  EXPECT_GT(bytes, 300);
  EXPECT_GT(different, 0);
}

}  // namespace
}  // namespace relist
