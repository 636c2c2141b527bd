// Every shipped case in the simulation: its expectations, all checkers, its golden trace, and twice
// the same history.
//
//   RELIST_REWRITE=1 scenarios_test --gtest_filter='*Trace*'   writes the traces anew; look at the
//   difference
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "scenarios/histories/timeline.h"
#include "scenarios/runner.h"

namespace relist {
namespace {

std::vector<std::string> CaseFiles() {
  std::vector<std::string> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(RELIST_SOURCE_DIR "/scenarios/cases")) {
    if (entry.path().extension() == ".yaml") files.push_back(entry.path().stem().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::string CasePath(const std::string& name, const char* extension) {
  return RELIST_SOURCE_DIR "/scenarios/cases/" + name + extension;
}

std::string ReadCaseFile(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

// The first line in which two texts differ, for messages.
std::string FirstDifference(const std::string& expected, const std::string& seen) {
  std::istringstream a(expected), b(seen);
  std::string left, right;
  for (int line = 1;; ++line) {
    const bool more_left = static_cast<bool>(std::getline(a, left));
    const bool more_right = static_cast<bool>(std::getline(b, right));
    if (!more_left && !more_right) return "";
    if (!more_left) left = "(the trace ends)";
    if (!more_right) right = "(the run ends)";
    if (left != right)
      return "line " + std::to_string(line) + "\n  trace " + left + "\n  seen  " + right;
  }
}

class CaseTest : public ::testing::TestWithParam<std::string> {};

TEST_P(CaseTest, TheSimulationDoesWhatItSaysAndIsTheSameTwice) {
  const Result<Scenario> scenario = LoadScenario(CasePath(GetParam(), ".yaml"));
  ASSERT_TRUE(scenario.ok()) << scenario.error().message();
  if (!scenario->RunsIn(WorldKind::kSim)) GTEST_SKIP() << "not for the simulation";
  const RunResult first = RunScenario(*scenario);
  if (std::getenv("RELIST_SHOW")) std::cout << Timeline(first.history);
  EXPECT_EQ(first.exit_status, 0) << first.report
                                  << (first.exit_status ? Timeline(first.history) : "");
  const RunResult second = RunScenario(*scenario);
  EXPECT_EQ(first.history.Hash(), second.history.Hash())
      << FirstDifference(first.history.ToText(), second.history.ToText());
}

TEST_P(CaseTest, TheTraceIsTheGoldenOne) {
  const Result<Scenario> scenario = LoadScenario(CasePath(GetParam(), ".yaml"));
  ASSERT_TRUE(scenario.ok()) << scenario.error().message();
  const std::string path = CasePath(GetParam(), ".trace");
  const std::string seen = RunScenario(*scenario).history.ToText();
  if (std::getenv("RELIST_REWRITE")) std::ofstream(path, std::ios::binary) << seen;
  EXPECT_EQ(FirstDifference(ReadCaseFile(path), seen), "")
      << "if this is meant: RELIST_REWRITE=1 scenarios_test --gtest_filter='*Trace*'";
}

INSTANTIATE_TEST_SUITE_P(Shipped, CaseTest, ::testing::ValuesIn(CaseFiles()),
                         [](const auto& each) { return each.param; });

TEST(CasesTest, AtLeastTwelveCasesAreShippedAndAtMostThreeAreForTheSimulationOnly) {
  int all = 0, simulation_only = 0;
  for (const std::string& name : CaseFiles()) {
    const Result<Scenario> scenario = LoadScenario(CasePath(name, ".yaml"));
    ASSERT_TRUE(scenario.ok()) << scenario.error().message();
    ++all;
    if (!scenario->RunsIn(WorldKind::kHttp)) ++simulation_only;
    EXPECT_FALSE(scenario->about.empty()) << name;
    EXPECT_FALSE(scenario->expect.empty()) << name << " says nothing of what must be seen";
  }
  EXPECT_GE(all, 12);
  EXPECT_LE(simulation_only, 3);
}

// The wire's bytes of a MODIFIED line: size, type, object, newline.
std::string ChunkOf(const Object& stored) {
  const std::string line =
      "{\"type\":\"MODIFIED\",\"object\":{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\"," +
      stored.bytes().substr(1) + "}\n";
  std::ostringstream chunk;
  chunk << std::hex << line.size() << "\r\n" << line << "\r\n";
  return chunk.str();
}

TEST(CasesTest, TheCutsThatAreSaidToFallInsideACharacterDo) {
  const Result<Scenario> scenario = LoadScenario(CasePath("cut_in_character", ".yaml"));
  ASSERT_TRUE(scenario.ok());
  const RunResult run = RunScenario(*scenario);
  std::vector<std::string> chunks;
  for (const HistoryEntry& entry : run.history.entries()) {
    if (entry.what() == "commit" && entry.Get("type") == "MODIFIED")
      chunks.push_back(ChunkOf(*entry.object()));
  }
  ASSERT_EQ(chunks.size(), 4u);
  int inside = 0;
  for (size_t i = 0; i < chunks.size(); ++i) {
    const auto next = static_cast<unsigned char>(chunks[i].at(scenario->faults[i].bytes));
    if ((next & 0xc0) == 0x80) ++inside;  // the first byte that was not sent continues a character
  }
  EXPECT_EQ(inside, 3);
}

}  // namespace
}  // namespace relist
