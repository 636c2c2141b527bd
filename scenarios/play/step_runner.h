// Does the steps of a scenario in a world: by time, at requests that come to a point, and when a
// client tells something of itself.
//
//   StepRunner steps(scenario, world);
//   steps.Begin(world.loop().Now());        // those by time count from here
//   ... run the loop ...
//   steps.NeverHappened();                  // by what clients tell; FaultScript knows of the
//   others steps.Problems();                       // done, and nothing came of them
//
// Belongs to the loop's thread. While it lives the stage's and the cast's moments come to it.
#pragma once

#include <string>
#include <vector>

#include "core/runtime/loop.h"
#include "scenarios/play/step_moments.h"
#include "scenarios/play/world.h"
#include "scenarios/script/scenario.h"

namespace relist {

class StepRunner {
 public:
  // Both outlive it.
  StepRunner(const Scenario& scenario, World& world);
  ~StepRunner();
  StepRunner(const StepRunner&) = delete;
  StepRunner& operator=(const StepRunner&) = delete;

  void Begin(TimePoint start);
  std::vector<std::string> NeverHappened() const { return moments_.NeverHappened(); }
  const std::vector<std::string>& problems() const { return problems_; }

 private:
  Task<void> ByTime(TimePoint start);
  void AtPlace(const StepSpec& step, bool here_and_now, TimePoint now);
  Task<void> Later(const StepSpec& step);
  void Do(const StepSpec& step);
  void DoToClient(const StepSpec& step);

  const Scenario& scenario_;
  World& world_;
  Loop& loop_;
  StepMoments moments_;
  std::vector<std::string> problems_;
  TaskScope scope_;
};

}  // namespace relist
