// The tests of the tests: each bug planted in the client is found by the default generators, and
// shrunk.
#include <gtest/gtest.h>

#include <iostream>
#include <sstream>

#include "core/choices.h"
#include "property_tests/tapes.h"
#include "scenarios/lives/life.h"

namespace relist {
namespace {

constexpr int kLivesToFindABug = 10000;
// Shrinking stops after so many lives: what is left by then is small enough to read.
constexpr int kLivesToShrink = 2500;
constexpr size_t kBytesToRead = 40;  // of hundreds; ten or so as a rule

class PlantedBug : public testing::TestWithParam<std::string> {};

size_t BytesThatMatter(const Tape& tape) {
  size_t count = 0;
  for (const auto* stream : {&tape.schedule, &tape.latency, &tape.faults, &tape.workload}) {
    for (uint8_t byte : *stream) count += byte != 0;
  }
  return count;
}

TEST_P(PlantedBug, IsFoundAndShrunk) {
  Tape first, smallest;
  int lives = 0, shrinking = 0;
  const auto property = [&] {
    Tape tape = *AnyTape();
    tape.planted_bug = GetParam();
    if (!(first == Tape{}) && ++shrinking > kLivesToShrink) return;
    ++lives;
    const bool good = RunLife(tape).violations.empty();
    if (good) return;
    if (first == Tape{}) first = tape;
    smallest = tape;
    RC_FAIL("found");
  };
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSuccess = kLivesToFindABug;
  const auto result = rc::detail::checkTestable(property, rc::detail::TestMetadata(), params);
  rc::detail::FailureResult failure;
  ASSERT_TRUE(result.match(failure))
      << GetParam() << " was not found in " << lives << " lives, seed " << params.seed;
  std::cout << GetParam() << ": found after " << failure.numSuccess << " good lives (seed "
            << params.seed << "), shrunk from " << BytesThatMatter(first) << " to "
            << BytesThatMatter(smallest) << " bytes that matter, in " << lives << " lives\n"
            << smallest.ToText() << "see it: relist replay " << SaveTape(smallest) << "\n";
  EXPECT_LE(BytesThatMatter(smallest), kBytesToRead);
  // It is the bug that was found, and nothing else: without it the same life is good.
  Tape healthy = smallest;
  healthy.planted_bug.clear();
  EXPECT_TRUE(RunLife(healthy).violations.empty());
  EXPECT_FALSE(RunLife(smallest).violations.empty());
}

INSTANTIATE_TEST_SUITE_P(All, PlantedBug, testing::ValuesIn(PlantedBugNames()),
                         [](const testing::TestParamInfo<std::string>& bug) { return bug.param; });

}  // namespace
}  // namespace relist
