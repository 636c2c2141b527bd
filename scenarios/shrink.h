// Makes a script that fails small: parts are dropped and simplified as long as it fails in the same
// way, until nothing can go.
//
//   Result<Shrunk> small = ShrinkScenario(text, "bug.yaml", {});
//   if (small.ok()) std::cout << small->text;     // a scenario that fails as bug.yaml does
//
// The same way: every property that was broken is broken still (others may be, too), and so is the
// first expectation that was not met, by the same line that was seen (numbers aside). Steps and
// faults that never happen may go, and must not come. It runs in the simulation, so that the same
// text shrinks to the same text. An Error where the script is none, or breaks nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "core/result.h"
#include "reflector/planted_bugs.h"

namespace relist {

struct ShrinkOptions {
  std::optional<uint64_t> seed;  // instead of the scenario's
  int runs_max = 5000;           // then it is as small as it got
  PlantedBugs bugs;              // in our clients, to see that what they do shrinks
  std::function<void(int runs, size_t size)> on_progress;  // each time that it got smaller
};

struct Shrunk {
  std::string text;                  // YAML, without comments
  std::string failure;               // "C1, C5 and client's store: expected a, seen b"
  size_t size_before = 0, size = 0;  // keys and values
  int runs = 0;
  bool complete = true;  // nothing can go; false: the runs were used up
};

Result<Shrunk> ShrinkScenario(const std::string& text, const std::string& file,
                              const ShrinkOptions& options);

}  // namespace relist
