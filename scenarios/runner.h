// Runs a scenario in a world: chaos, then calm, then it must have converged; and judges what
// happened.
//
//   RunResult result = RunScenario(*scenario, {.world = WorldKind::kSim});
//   std::cout << result.report;
//   return result.exit_status;   // 0 good, 1 usage or environment, 2 safety, 3 liveness
//
// The calm lasts at least as long as the scenario says, and goes on until every fault has struck
// and every client has converged, at most as long as the largest deadline of a client that can be
// open, plus 60 s. Then a last object is written into each client's scope, which must come through,
// too: a lost tail shows. Over HTTP, a run that is not good and was late is done again at a
// slower rate (slower_rates.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/history.h"
#include "reflector/planted_bugs.h"
#include "scenarios/checkers/violation.h"
#include "scenarios/expectations.h"
#include "scenarios/script/scenario.h"

namespace relist {

// Virtual time by which what a scenario waits for may come late: steps are seconds apart.
inline constexpr Duration kLateMax = Millis(500);

struct RunOptions {
  WorldKind world = WorldKind::kSim;
  std::optional<uint64_t> seed;  // instead of the scenario's
  PlantedBugs bugs;              // in our clients, to see that they are found
  Duration late_max = kLateMax;  // a bad run that was later than this proves nothing
  std::string again_options;     // what else its command needs: " --client-option ..."
};

struct RunResult {
  History history;
  std::vector<Violation> violations;  // point into `history`; excused ones, too
  // Of what the scenario expects: requests, callbacks, store, verdicts; they point likewise.
  std::vector<Mismatch> mismatches;
  std::vector<std::string>
      problems;  // of the scenario or its surroundings: a step that never happened
  int exit_status = 0;
  // How late, at most, came what was due: over HTTP, of a machine that was too busy for the rate.
  Duration lateness{};
  std::string again;   // the command that runs it once more
  std::string report;  // all of the above for people; one line where all is good

  RunResult() = default;
  RunResult(RunResult&&) noexcept = default;  // a deque's elements stay where they are
  RunResult& operator=(RunResult&&) = default;
};

RunResult RunScenario(const Scenario& scenario, const RunOptions& options = {});

// How long a calm may have to last before a client is sure to have noticed a dead connection.
Duration LargestDeadline(const Scenario& scenario);

}  // namespace relist
