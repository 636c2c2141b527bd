// A stop signal that is set by another one, or by a deadline: client-go's context with a timeout.
//
//   StopOrDeadline limit(loop, &stop, loop.Now() + Seconds(10));
//   Task<Result<HttpAnswer>> get = rest.Do(request, limit.signal());
//
// `parent` may be null: the deadline alone. Belongs to the loop's thread; outlives what waits for
// it.
#pragma once

#include "core/runtime/loop.h"

namespace relist {

class StopOrDeadline {
 public:
  StopOrDeadline(Loop& loop, Signal* parent, TimePoint deadline)
      : loop_(loop), timer_(loop, deadline), scope_(loop) {
    scope_.Spawn(Wait(parent ? *parent : never_));
  }
  Signal& signal() { return signal_; }

 private:
  Task<void> Wait(Signal& parent) {
    Select which(loop_, parent, timer_);
    co_await which;
    signal_.Set();
  }

  Loop& loop_;
  Timer timer_;
  Signal never_, signal_;
  TaskScope scope_;
};

}  // namespace relist
