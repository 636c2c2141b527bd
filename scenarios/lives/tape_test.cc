#include "scenarios/lives/tape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace relist {
namespace {

using testing::HasSubstr;

std::string MistakeIn(const std::string& text) {
  const Result<Tape> tape = Tape::Parse(text, "t");
  return tape.ok() ? "none" : tape.error().message();
}

TEST(TapeTest, ComesBackAsItWasWritten) {
  Tape tape;
  tape.schedule = {1};
  tape.faults = {3, 0, 255};
  tape.workload = {0, 7};
  tape.planted_bug = "lose_tombstones";
  const Result<Tape> back = Tape::Parse(tape.ToText(), "t");
  ASSERT_TRUE(back.ok()) << back.error().message();
  EXPECT_EQ(*back, tape);
  EXPECT_EQ(*Tape::Parse(Tape{}.ToText(), "t"), Tape{});
  EXPECT_TRUE(Tape::LooksLikeOne(tape.ToText()));
  EXPECT_FALSE(Tape::LooksLikeOne("name: a scenario\n"));
}

TEST(TapeTest, TellsTheLineThatIsWrongAndWhatWouldBeRight) {
  EXPECT_THAT(MistakeIn(""), HasSubstr("t:1: want \"relist tape 1\""));
  EXPECT_THAT(MistakeIn("relist tape 2\n"), HasSubstr("t:1: "));
  EXPECT_THAT(MistakeIn("relist tape 1\nfault 00\n"), HasSubstr("t:2: unknown key \"fault\""));
  EXPECT_THAT(MistakeIn("relist tape 1\n\nfaults 0\n"), HasSubstr("t:3: \"faults\" wants pairs"));
  EXPECT_THAT(MistakeIn("relist tape 1\nfaults\n"), HasSubstr("pairs of hex digits"));
  EXPECT_THAT(MistakeIn("relist tape 1\nplanted_bug none\n"), HasSubstr("lose_tombstones"));
}

TEST(TapeTest, WantsEachStreamOnce) {
  const std::string all = Tape{}.ToText();
  EXPECT_EQ(MistakeIn(all), "none");
  EXPECT_THAT(MistakeIn("relist tape 1\n"),
              HasSubstr("t:1: the tape ends here, and its stream \"schedule\" is missing"));
  for (const char* name : {"schedule", "latency", "faults", "workload"}) {
    const std::string line = std::string(name) + " -\n";
    std::string without = all;
    without.erase(without.find(line), line.size());
    EXPECT_THAT(MistakeIn(without), HasSubstr("t:4: the tape ends here, and its stream \"" +
                                              std::string(name) + "\" is missing"));
    EXPECT_THAT(MistakeIn(all + line),
                HasSubstr("t:6: \"" + std::string(name) + "\" stands in line "));
  }
  const std::string bug = "planted_bug lose_tombstones\n";
  EXPECT_THAT(MistakeIn(all + bug + bug), HasSubstr("t:7: \"planted_bug\" stands in line 6, too"));
}

TEST(TapeTest, MayHaveTheLineEndsOfWindows) {
  Tape tape;
  tape.faults = {3, 0, 255};
  std::string text;
  for (const char c : tape.ToText()) text += c == '\n' ? std::string("\r\n") : std::string(1, c);
  const Result<Tape> back = Tape::Parse(text, "t");
  ASSERT_TRUE(back.ok()) << back.error().message();
  EXPECT_EQ(*back, tape);
}

TEST(TapeTest, EachNamePlantsItsOwnBug) {
  const auto flags = [](const PlantedBugs& bugs) {
    return std::vector<bool>{bugs.delete_keeps_position, bugs.lose_tombstones,
                             bugs.bookmark_is_object, bugs.resume_from_partial_line,
                             bugs.ignore_silent_expiry};
  };
  for (size_t i = 0; i < PlantedBugNames().size(); ++i) {
    std::vector<bool> alone(PlantedBugNames().size(), false);
    alone[i] = true;
    EXPECT_EQ(flags(*PlantBug(PlantedBugNames()[i])), alone) << PlantedBugNames()[i];
  }
  EXPECT_EQ(flags(*PlantBug("")), std::vector<bool>(PlantedBugNames().size(), false));
}

}  // namespace
}  // namespace relist
