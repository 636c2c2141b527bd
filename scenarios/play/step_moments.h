// The steps that wait for what a client tells of itself: which are due, and which never were.
//
//   StepMoments moments(scenario);
//   for (const StepSpec* step : moments.DueAt(moment)) ...   // and once it was done:
//   moments.Did(*step);
//   moments.NeverHappened();   // "s.yaml:9:5: this step (evict) never happened: ..."
//
// Belongs to the loop's thread.
#pragma once

#include <string>
#include <vector>

#include "scenarios/play/cast.h"
#include "scenarios/script/scenario.h"

namespace relist {

class StepMoments {
 public:
  // `scenario` must outlive it.
  explicit StepMoments(const Scenario& scenario);

  // In the order of the file. They point into the scenario.
  std::vector<const StepSpec*> DueAt(const Moment& moment);
  // It was done, or its dice left it out.
  void Did(const StepSpec& step);
  // A line for each step that was not done as often as it says.
  std::vector<std::string> NeverHappened() const;

 private:
  struct Counter {
    int seen = 0, due = 0, done = 0;
  };
  std::string WhyNot(const StepSpec& step, const Counter& counter) const;

  const Scenario& scenario_;
  std::vector<Counter> counters_;  // by step
};

}  // namespace relist
