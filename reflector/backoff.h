// The reflector's one delay state: 0.8 s, doubled up to 30 s, each drawn from [d, 2d), back to
// 0.8 s two minutes after the last *reset* even in the middle of an outage (catalogue RFL-04,
// RFL-05).
//
//   Backoff backoff({}, &choices, loop.Now());
//   co_await SleepUnless(loop, backoff.Next(loop.Now()), stop);
//
// Pure: time is an argument, chance comes from Choices ("backoff"). Not thread-safe.
#pragma once

#include "core/check.h"
#include "core/choices.h"
#include "core/time.h"

namespace relist {

struct BackoffOptions {
  Duration initial = Millis(800);
  Duration cap = Seconds(30);
  double factor = 2.0;
  double jitter = 1.0;  // the delay is d * (1 + jitter * U[0, 1))
  Duration reset_after = Seconds(120);
};

class Backoff {
 public:
  // Construction counts as a reset. `choices` must outlive the object.
  Backoff(BackoffOptions options, Choices* choices, TimePoint now);
  // The next delay; advances the state.
  Duration Next(TimePoint now);

 private:
  BackoffOptions options_;
  Choices* choices_;
  TimePoint last_reset_;
  Duration base_;
};

}  // namespace relist
