#include "core/choices.h"

#include <gtest/gtest.h>

#include <set>

#include "core/check.h"

namespace relist::choices_test {

TEST(SeededChoices, GiveTheSameNumbersOnEveryMachineForEver) {
  SeededChoices one(1);
  std::vector<uint64_t> drawn;
  for (int i = 0; i < 8; ++i) drawn.push_back(one.Below(1000, "x"));
  EXPECT_EQ(drawn, (std::vector<uint64_t>{519, 590, 235, 761, 48, 45, 533, 520}));
}

TEST(SeededChoices, DifferBySeedAndStayInBounds) {
  std::set<uint64_t> firsts;
  for (uint64_t seed = 0; seed < 100; ++seed)
    firsts.insert(SeededChoices(seed).Below(1u << 30, "x"));
  EXPECT_EQ(firsts.size(), 100u);
  SeededChoices choices(7);
  std::set<uint64_t> seen;
  for (int i = 0; i < 1000; ++i) {
    const uint64_t n = choices.Below(6, "die");
    ASSERT_LT(n, 6u);
    seen.insert(n);
  }
  EXPECT_EQ(seen.size(), 6u);
}

TEST(SeededChoices, AQuestionWithOneAnswerDrawsNothing) {
  SeededChoices a(3), b(3);
  EXPECT_EQ(a.Below(1, "x"), 0u);
  EXPECT_EQ(a.Below(1000, "x"), b.Below(1000, "x"));
}

TEST(Choices, ZeroAnswersIsABug) {
  SeededChoices seeded(1);
  TapeChoices tape({});
  ExhaustiveChoices all(1);
  EXPECT_THROW(seeded.Below(0, "x"), CheckFailed);
  EXPECT_THROW(tape.Below(0, "x"), CheckFailed);
  EXPECT_THROW(all.Below(0, "x"), CheckFailed);
}

TEST(Choices, OneInIsBoringAtZeroAndUnitStaysBelowOne) {
  BoringChoices boring;
  EXPECT_FALSE(boring.OneIn(10, "fault"));
  EXPECT_EQ(boring.Unit("jitter"), 0.0);
  TapeChoices tape({9, 0x0F, 0xFF, 0xFF});
  EXPECT_TRUE(tape.OneIn(10, "fault"));
  const double unit = tape.Unit("jitter");
  EXPECT_LT(unit, 1.0);
  EXPECT_GT(unit, 0.999);
}

TEST(TapeChoices, TakeAsManyBytesAsTheBoundNeeds) {
  TapeChoices tape({5, 1, 2, 200});
  EXPECT_EQ(tape.Below(1, "x"), 0u);
  EXPECT_EQ(tape.used(), 0u);
  EXPECT_EQ(tape.Below(256, "x"), 5u);
  EXPECT_EQ(tape.used(), 1u);
  EXPECT_EQ(tape.Below(257, "x"), (1u << 8 | 2u) % 257);
  EXPECT_EQ(tape.used(), 3u);
  EXPECT_EQ(tape.Below(7, "x"), 200u % 7);
}

TEST(TapeChoices, PastTheEndAreBoring) {
  TapeChoices tape({1});
  EXPECT_EQ(tape.Below(2, "x"), 1u);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(tape.Below(1000000, "x"), 0u);
  EXPECT_EQ(tape.used(), 1u);
}

TEST(ExhaustiveChoices, TakeEveryPathOnce) {
  ExhaustiveChoices all(10);
  std::vector<std::string> paths;
  do {
    std::string path;
    const uint64_t first = all.Below(3, "first");
    path += static_cast<char>('a' + first);
    // The tree is not regular: the second question depends on the first answer.
    if (first != 1) {
      const uint64_t second = all.Below(first + 2, "second");
      path += static_cast<char>('a' + second);
    }
    paths.push_back(path);
  } while (all.Next());
  EXPECT_EQ(paths, (std::vector<std::string>{"aa", "ab", "b", "ca", "cb", "cc", "cd"}));
}

TEST(ExhaustiveChoices, BeyondTheirDepthAreBoring) {
  ExhaustiveChoices all(2);
  int runs = 0;
  do {
    all.Below(2, "x");
    all.Below(2, "x");
    EXPECT_EQ(all.Below(2, "x"), 0u);
    ++runs;
  } while (all.Next());
  EXPECT_EQ(runs, 4);
}

TEST(ExhaustiveChoices, NoticeABodyThatIsNotDeterministic) {
  ExhaustiveChoices all(3);
  all.Below(2, "x");
  ASSERT_TRUE(all.Next());
  EXPECT_THROW(all.Below(3, "x"), CheckFailed);
}

TEST(Tape, GoesToHexAndBack) {
  const std::vector<uint8_t> tape = {0x01, 0xFF, 0x20};
  EXPECT_EQ(TapeToHex(tape), "01ff20");
  std::vector<uint8_t> back;
  EXPECT_TRUE(TapeFromHex("01fF20", &back));
  EXPECT_EQ(back, tape);
  EXPECT_TRUE(TapeFromHex("", &back));
  EXPECT_TRUE(back.empty());
  for (const char* bad : {"0", "0g", "0x01", "01 ff"}) EXPECT_FALSE(TapeFromHex(bad, &back)) << bad;
}

}  // namespace relist::choices_test
