// The fake apiserver against a plain model of one: any sequence of writes, deletes, compactions,
// evictions, restarts, lists of every kind and watches with any start, selector and reader.
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>

#include "property_tests/search/search.h"

namespace relist::search {
namespace {

// Under a sanitizer one in so many: it looks for other things, and is ten times slower.
#ifdef __SANITIZE_ADDRESS__
constexpr int kSlower = 10;
#else
constexpr int kSlower = 1;
#endif

// RELIST_COMMANDS=1000000 is the long run.
uint64_t CommandsToRun() {
  const char* given = std::getenv("RELIST_COMMANDS");
  return given != nullptr ? std::strtoull(given, nullptr, 10) : 40000 / kSlower;
}

// Each has to come this often in a million commands.
constexpr const char* kRare[] = {"expired list",
                                 "expired page",
                                 "expired watch",
                                 "504 of a list",
                                 "504 of a list, by etcd",
                                 "504 of a get",
                                 "504 of a get, by etcd",
                                 "504 in a watch",
                                 "429 of a list",
                                 "429 of a watch",
                                 "newest list from etcd",
                                 "came into a selection",
                                 "changed within a selection",
                                 "left a selection",
                                 "was deleted in a selection",
                                 "page of an exact list",
                                 "page at the newest",
                                 "page without items",
                                 "watch of the future",
                                 "step back between replicas"};
constexpr uint64_t kMillion = 1000000, kInAMillion = 1000, kEnoughToBeLucky = 30000;

// Runs sequences until one differs, or `commands` were done; what differs, shrunk.
struct Found {
  std::string difference;  // of the smallest sequence
  std::vector<Command> smallest;
  bool shrunk = true;  // as far as it goes; false: until patience was over
  uint64_t commands = 0;
  uint64_t seed = 0;
  Counts counts;
};

Found SearchFor(uint64_t commands, fakeapi::ServerBug bug) {
  Found found;
  int sequences_left_to_shrink = 3000;
  const auto property = [&] {
    const std::vector<Command> sequence = *AnyCommands();
    if (found.difference.empty() && found.commands >= commands) return;
    if (!found.difference.empty() && --sequences_left_to_shrink < 0) {
      found.shrunk = false;
      return;
    }
    const Outcome outcome = RunCommands(sequence, bug);
    if (found.difference.empty()) {
      found.commands += sequence.size();
      for (const auto& [what, count] : outcome.counts) found.counts[what] += count;
    }
    if (outcome.difference.empty()) return;
    found.difference = outcome.difference;
    found.smallest = sequence;
    RC_FAIL("differs");
  };
  rc::detail::TestParams params = rc::detail::configuration().testParams;
  params.maxSize = 300;  // commands of the longest sequence
  found.seed = params.seed;
  // RapidCheck's sizes grow from 0 to the largest within a round.
  while (found.commands < commands && found.difference.empty()) {
    params.maxSuccess = 200;
    rc::detail::checkTestable(property, rc::detail::TestMetadata(), params);
    params.seed = params.seed * 6364136223846793005ULL + 1442695040888963407ULL;
  }
  return found;
}

std::string Told(const Found& found) {
  std::string text =
      found.difference + "\nthe commands, seed " + std::to_string(found.seed) + ":\n";
  for (const Command& command : found.smallest) text += "  " + Describe(command) + "\n";
  return text;
}

TEST(ServerSearch, FindsNoDifferenceFromTheModel) {
  const Found found = SearchFor(CommandsToRun(), fakeapi::ServerBug::kNone);
  std::cout << "seed " << found.seed << ": " << found.commands << " commands\n";
  for (const auto& [what, count] : found.counts) std::cout << "  " << what << ": " << count << "\n";
  ASSERT_EQ(found.difference, "") << Told(found);
  // A search that never comes to the rare things would find nothing there.
  if (found.commands < kEnoughToBeLucky) return;
  for (const char* what : kRare) {
    const auto count = found.counts.find(what);
    ASSERT_NE(count, found.counts.end()) << what;
    // A short run need not be lucky with each.
    const uint64_t due = kInAMillion * found.commands / kMillion;
    EXPECT_GE(count->second, found.commands < kMillion ? due / 3 : due) << what;
  }
}

class PlantedServerBug : public testing::TestWithParam<int> {};

TEST_P(PlantedServerBug, IsFoundAndShrunk) {
  const auto bug = static_cast<fakeapi::ServerBug>(GetParam());
  const Found found = SearchFor(200000, bug);
  ASSERT_NE(found.difference, "") << "not found in " << found.commands << " commands";
  std::cout << "found after " << found.commands << " commands: " << Told(found);
  // What shows only at the end of much may take more patience to shrink than a test has.
  if (found.shrunk) {
    EXPECT_LE(found.smallest.size(), 12u) << "small enough to read";
  }
  EXPECT_EQ(search::RunCommands(found.smallest).difference, "") << "and without the bug it is good";
}

INSTANTIATE_TEST_SUITE_P(All, PlantedServerBug,
                         testing::Range(1, static_cast<int>(fakeapi::ServerBug::kLast) + 1,
                                        kSlower));

}  // namespace
}  // namespace relist::search
