#include "scenarios/tape.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace relist {
namespace {

using testing::HasSubstr;

std::string MistakeIn(const std::string& text) {
  const Result<Tape> tape = Tape::Parse(text);
  return tape.ok() ? "none" : tape.error().message();
}

TEST(TapeTest, ComesBackAsItWasWritten) {
  Tape tape;
  tape.schedule = {1};
  tape.faults = {3, 0, 255};
  tape.workload = {0, 7};
  tape.planted_bug = "lose_tombstones";
  const Result<Tape> back = Tape::Parse(tape.ToText());
  ASSERT_TRUE(back.ok()) << back.error().message();
  EXPECT_EQ(*back, tape);
  EXPECT_EQ(*Tape::Parse(Tape{}.ToText()), Tape{});
  EXPECT_TRUE(Tape::LooksLikeOne(tape.ToText()));
  EXPECT_FALSE(Tape::LooksLikeOne("name: a scenario\n"));
}

TEST(TapeTest, TellsTheLineThatIsWrongAndWhatWouldBeRight) {
  EXPECT_THAT(MistakeIn(""), HasSubstr("line 1: want \"relist tape 1\""));
  EXPECT_THAT(MistakeIn("relist tape 2\n"), HasSubstr("line 1"));
  EXPECT_THAT(MistakeIn("relist tape 1\nfault 00\n"), HasSubstr("line 2: unknown key \"fault\""));
  EXPECT_THAT(MistakeIn("relist tape 1\n\nfaults 0\n"),
              HasSubstr("line 3: \"faults\" wants pairs"));
  EXPECT_THAT(MistakeIn("relist tape 1\nfaults\n"), HasSubstr("pairs of hex digits"));
  EXPECT_THAT(MistakeIn("relist tape 1\nplanted_bug none\n"), HasSubstr("lose_tombstones"));
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
