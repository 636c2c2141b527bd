// For any workload and any faults that a legal server may show, after the calm every checker holds.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>

#include "property_tests/tapes.h"
#include "scenarios/lives/life.h"

namespace relist {
namespace {

constexpr int kLives = 1500;

rc::detail::TestParams ParamsOf(int lives) {
  rc::detail::TestParams params =
      rc::detail::configuration().testParams;  // a new seed each run, or RC_PARAMS'
  params.maxSuccess = lives;
  return params;
}

TEST(LivesProperty, EveryCheckerHoldsAfterAnyLegalLife) {
  int relists = 0, watches = 0, lives = 0, faults = 0;
  const auto count = [&](const LifeResult& life) {
    ++lives;
    relists += life.relists;
    watches += life.watches;
    faults += life.faults;
    return true;
  };
  const rc::detail::TestParams params = ParamsOf(LivesToRun(kLives));
  const std::string failure = SearchLives(params, "", count);
  std::cout << "seed " << params.seed << ": " << lives << " lives, " << faults << " faults, "
            << relists << " relists, " << watches << " watches\n";
  ASSERT_EQ(failure, "");
  // A search among quiet lives would find nothing.
  EXPECT_GT(relists, lives);
  EXPECT_GT(watches, 2 * lives);
}

TEST(LivesProperty, AFailureSavesTheSmallestTapeAndNamesTheCommandThatReplaysIt) {
  int bad = 0;
  constexpr int kEnough = 300;  // of shrinking: how small it gets is another test's
  const std::string failure =
      SearchLives(ParamsOf(kLives), "delete_keeps_position", [&bad](const LifeResult& life) {
        bad += !life.violations.empty();
        return bad < kEnough;
      });
  const std::string command = "see it again: relist replay ";
  const size_t at = failure.find(command);
  ASSERT_NE(at, std::string::npos) << failure;
  const std::string path =
      failure.substr(at + command.size(), failure.find('\n', at) - at - command.size());
  std::ifstream in(path);
  std::stringstream text;
  text << in.rdbuf();
  const Result<Tape> tape = Tape::Parse(text.str(), path);
  ASSERT_TRUE(tape.ok()) << tape.error().message();
  EXPECT_EQ(tape->planted_bug, "delete_keeps_position");
  EXPECT_FALSE(RunLife(*tape).violations.empty()) << path;
  std::filesystem::remove(path);
}

TEST(LivesProperty, TheSameTapeGivesTheSameHistory) {
  const auto property = [] {
    const Tape tape = *AnyTape();
    RC_ASSERT(RunLife(tape).history_hash == RunLife(tape).history_hash);
  };
  const auto result =
      rc::detail::checkTestable(property, rc::detail::TestMetadata(), ParamsOf(LivesToRun(100)));
  rc::detail::SuccessResult success;
  std::ostringstream text;
  rc::detail::printResultMessage(result, text);
  EXPECT_TRUE(result.match(success)) << text.str();
}

TEST(LivesProperty, ATapeOfZerosIsAQuietLife) {
  const LifeResult life = RunLife(Tape{});
  EXPECT_EQ(ReportOf(life, "").substr(0, 19), "every property held");
  EXPECT_EQ(life.faults, 0);
  EXPECT_EQ(life.relists, 1);
}

}  // namespace
}  // namespace relist
