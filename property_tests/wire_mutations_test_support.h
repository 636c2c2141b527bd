// Spoils many good lives, and wants to be told.
//
//   ExpectTold({"an event is dropped"}, [](const MutableLife& from, Choices&, Tallies* tallies) {
//     from.Count(changes, {"W4"}, "line 7", &(*tallies)["an event is dropped"]);
//   });
#pragma once

#include <gtest/gtest.h>

#include <iostream>
#include <string>
#include <vector>

#include "core/choices.h"
#include "property_tests/mutable_life.h"
#include "property_tests/tapes.h"

namespace relist {

// `mutate` does each of the mutations of these names to one life, where it finds a place, and
// counts. Fails where one was missed, or seldom found a place.
template <class Mutate>
void ExpectTold(const std::vector<std::string>& names, Mutate mutate) {
  Tallies tallies;
  for (const std::string& name : names) tallies[name];
  SeededChoices choices(1);
  for (int seed = 1; seed <= LivesToRun(kLivesToMutate); ++seed) {
    const MutableLife from(static_cast<uint64_t>(seed));
    ASSERT_TRUE(from.Blamed({}).empty()) << "life " << seed << " is not good";
    mutate(from, choices, &tallies);
  }
  for (const auto& [name, tally] : tallies) {
    std::cout << TextOf(name, tally) << "\n";
    EXPECT_EQ(tally.missed, 0) << name << ": " << tally.first_miss;
    EXPECT_GE(tally.tried, kMutationsAtLeast) << name;
  }
}

}  // namespace relist
