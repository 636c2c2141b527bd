#include "scenarios/report/folding.h"

#include <fmt/core.h>
#include <gmock/gmock.h>

#include "scenarios/checkers/history_text.h"

namespace relist::report {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

bool NothingIsLit(const HistoryEntry&) {
  return false;
}

// "0-1", or "1-4 (what they are)".
std::vector<std::string> BlocksOf(const std::string& text, const IsLit& is_lit = NothingIsLit,
                                  size_t most = 1000) {
  const History history = HistoryOf(text);
  std::vector<std::string> out;
  for (const LaneBlock& block : Fold(LanesOf(history).at(0).rows, is_lit, most)) {
    out.push_back(fmt::format("{}-{}{}{}{}", block.begin, block.end,
                              block.folded.empty() ? "" : " (", block.folded,
                              block.folded.empty() ? "" : ")"));
  }
  return out;
}

std::string Bookmarks(int from, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) {
    text += fmt::format("{0} server event id=1 type=BOOKMARK rv=6\n{0}.001 client position rv=6\n",
                        from + 60 * i);
  }
  return text;
}

const std::string kAsked = "0 server request id=1 conn=1 target=/api agent=client\n";
const std::string kWritten = "1 server commit rv=6 resource=configmaps key=a/b type=ADDED\n";

TEST(Folding, AQuietStretchIsOneLine) {
  EXPECT_THAT(
      BlocksOf(kAsked + kWritten + Bookmarks(60, 3) + "999 run phase name=end\n"),
      ElementsAre("0-1", "1-2", "2-5 (2 min 0 s of quiet: 3 bookmarks, and nothing else)", "5-6"));
}

TEST(Folding, ALoneBookmarkAndTheEndOfAListAreShown) {
  EXPECT_THAT(BlocksOf(kAsked + Bookmarks(60, 1) + kWritten), ElementsAre("0-1", "1-2", "2-3"));
}

TEST(Folding, ALitLineIsShownAndPartsTheQuiet) {
  const auto third_bookmark = [](const HistoryEntry& line) {
    return line.what() == "event" && line.when() == kSimulationEpoch + Seconds(180);
  };
  EXPECT_THAT(BlocksOf(kAsked + Bookmarks(60, 5), third_bookmark),
              ElementsAre("0-1", "1-3 (1 min 0 s of quiet: 2 bookmarks, and nothing else)", "3-4",
                          "4-6 (1 min 0 s of quiet: 2 bookmarks, and nothing else)"));
}

// A client that is refused again and again, in rounds of a request and a wait.
std::string Refused(int rounds) {
  std::string text;
  for (int i = 0; i < rounds; ++i) {
    text += fmt::format(
        "{0} client request n={1} verb=LIST target=/api/v1/configmaps\n"
        "{0} client answer n={1} error=refused message=refused\n"
        "{0}.5 client backoff ms={2}\n",
        10 + 2 * i, i, 800 + i);
  }
  return text;
}

TEST(Folding, WhatComesAgainAndAgainIsShownAtItsEnds) {
  EXPECT_THAT(BlocksOf(Refused(10)),
              ElementsAre("0-1", "1-2", "2-3", "3-4", "4-18 (7 times more the same, in 12.5 s)",
                          "18-19", "19-20"));
  EXPECT_THAT(BlocksOf(Refused(4)), SizeIs(8));
}

TEST(Folding, RoundsMayHoldQuietStretches) {
  std::string text;
  for (int i = 0; i < 6; ++i) {
    text += fmt::format("{0} server end id=1 how=clean\n", 1000 * i + 900);
    text +=
        fmt::format("{0} server request id=1 conn=1 target=/api agent=client\n", 1000 * i + 901);
    text += Bookmarks(1000 * i + 960, 2 + i % 2);
  }
  const std::vector<std::string> blocks = BlocksOf(text);
  ASSERT_THAT(blocks, SizeIs(10));
  EXPECT_THAT(blocks[6], ::testing::HasSubstr("(3 times more the same, in 35 min 20 s)"));
}

TEST(Folding, ALitRoundIsNotFolded) {
  const auto fifth = [](const HistoryEntry& line) { return line.Get("n") == "4"; };
  EXPECT_THAT(BlocksOf(Refused(9), fifth), SizeIs(18));
}

TEST(Folding, OfTooManyRowsTheMiddleIsFoldedButForWhatIsLit) {
  std::string text;
  for (int i = 0; i < 40; ++i) {
    text += fmt::format("{} server commit rv={} resource=configmaps key=a/{} type=ADDED\n", i, i,
                        std::string(static_cast<size_t>(i + 1), 'x'));
  }
  const auto twentieth = [](const HistoryEntry& line) { return line.Get("rv") == "19"; };
  EXPECT_THAT(
      BlocksOf(text, twentieth, 8),
      ElementsAre("0-1", "1-2", "2-3", "3-4", "4-5", "5-6", "6-19 (13 rows more: too many to show)",
                  "19-20", "20-38 (18 rows more: too many to show)", "38-39", "39-40"));
  EXPECT_THAT(BlocksOf(text, twentieth, 40), SizeIs(40));
}

TEST(Folding, EachRowIsInOneBlockInOrder) {
  const std::string text = kAsked + Refused(9) + Bookmarks(100, 4) + kWritten + Refused(5);
  const History history = HistoryOf(text);
  const std::vector<LaneRow> rows = LanesOf(history).at(0).rows;
  size_t at = 0;
  for (const LaneBlock& block : Fold(rows, NothingIsLit, 12)) {
    EXPECT_EQ(block.begin, at);
    EXPECT_LT(block.begin, block.end);
    at = block.end;
  }
  EXPECT_EQ(at, rows.size());
}

TEST(Folding, LengthsAreAsRoughAsTheyAreLong) {
  EXPECT_EQ(RoughLength(Millis(250)), "0.25 s");
  EXPECT_EQ(RoughLength(Millis(4900)), "4.9 s");
  EXPECT_EQ(RoughLength(Millis(59999)), "60 s");
  EXPECT_EQ(RoughLength(Seconds(62)), "1 min 2 s");
  EXPECT_EQ(RoughLength(Seconds(7530)), "2 h 5 min");
}

}  // namespace
}  // namespace relist::report
