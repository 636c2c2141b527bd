// How long the dispatch of events may wait, in all, for watches that do not read: what is not used
// grows back (SRV-29).
//
//   TimeBudget budget({.max = Millis(100), .a_second = Millis(50)}, now);
//   const Duration grace = budget.Take(now);   // all there is
//   budget.Return(unused);
#pragma once

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/time.h"

namespace relist::fakeapi {

class TimeBudget {
 public:
  struct Rules {
    Duration max = Millis(100);
    Duration a_second = Millis(50);  // grows back
  };

  // There is nothing to begin with.
  TimeBudget(const Rules& rules, TimePoint now) : rules_(rules), last_(now) {}

  Duration Take(TimePoint now) {
    const double seconds = std::chrono::duration<double>(std::max(now - last_, Duration{})).count();
    const auto grown = std::chrono::duration_cast<Duration>(rules_.a_second * seconds);
    last_ = std::max(last_, now);
    return std::min(std::exchange(left_, Duration{}) + grown, rules_.max);
  }
  void Return(Duration unused) {
    if (unused > Duration{}) left_ = std::min(left_ + unused, rules_.max);
  }

 private:
  const Rules rules_;
  TimePoint last_;
  Duration left_{};
};

}  // namespace relist::fakeapi
