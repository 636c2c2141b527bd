// Every ten seconds of a streaming list: is it still silent, or without the bookmark that ends it?
// It only warns (catalogue WLM-12).
//
//   InitialEventsTicker ticker(started, loop.Now());
//   ticker.Observe(loop.Now());                     // an event came
//   std::string warning = ticker.Tick(loop.Now());  // at ticker.next(); empty: none
//
// Pure: time is an argument. Not thread-safe.
#pragma once

#include <optional>
#include <string>

#include "core/time.h"

namespace relist {

class InitialEventsTicker {
 public:
  static constexpr Duration kInterval = Seconds(10);

  // `start`: when the stream was asked for; `now`: when it opened, from which the ticks count.
  InitialEventsTicker(TimePoint start, TimePoint now) : start_(start), next_(now + kInterval) {}
  void Observe(TimePoint now) { last_event_ = now; }
  TimePoint next() const { return next_; }
  // Nothing before next(), nor where the last event is younger than an interval.
  std::string Tick(TimePoint now);

 private:
  TimePoint start_, next_;
  std::optional<TimePoint> last_event_;
};

}  // namespace relist
