// A life: one informer and its handler in a simulated world, a minute of writes under faults drawn by chance, then calm,
// then it must have converged. What property tests search in, by the thousand a second.
//
//   SeededChoices schedule(1), latency(2), faults(3), workload(4);      // or a TapeChoices each
//   LifeResult life = RunLife({}, schedule, latency, faults, workload);
//   if (!life.violations.empty()) std::cout << Describe(life.history, life.violations[0], "...");
//
// The four streams are apart so that shrinking one does not reshuffle the others; four that are all 0 are a boring life:
// first come first served, a millisecond for everything, no fault, the same few writes. Every byte travels as on a wire.
// Pure: the same streams give the same history.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/choices.h"
#include "core/history.h"
#include "reflector/planted_bugs.h"
#include "scenarios/checkers/violation.h"

namespace relist {

struct LifeOptions {
  int objects = 10;
  int writes = 60;
  Duration chaos = Seconds(60);
  Duration calm = Seconds(120);  // at least; goes on while a client's deadline may be open
  size_t watch_window = 12;      // small: what the client misses may have left it
  // Drawn from the workload where they are not given.
  std::optional<bool> streaming_list, selector;
  PlantedBugs bugs;
  bool hash = true;  // a benchmark may leave it out
};

struct LifeResult {
  History history;
  uint64_t hash = 0;
  std::vector<Violation> violations;  // point into `history`; excused ones are left out
  bool converged = false;
  int relists = 0, watches = 0, lists = 0, callbacks = 0, faults = 0;
  uint64_t bytes = 0;  // that travelled from the server
  Duration length{};

  LifeResult() = default;
  LifeResult(LifeResult&&) = default;
  LifeResult& operator=(LifeResult&&) = default;
};

LifeResult RunLife(const LifeOptions& options, Choices& schedule, Choices& latency, Choices& faults,
                   Choices& workload);

}  // namespace relist
