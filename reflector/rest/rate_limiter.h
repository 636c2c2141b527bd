// A token bucket: `burst` requests at once, then `qps` a second (NET-06). Pure; time is an
// argument.
//
//   Duration wait = limiter.Reserve(loop.Now());   // zero: go ahead
#pragma once

#include "core/time.h"

namespace relist {

class RateLimiter {
 public:
  // qps 0: no limit.
  RateLimiter(double qps, int burst) : qps_(qps), burst_(burst), tokens_(burst) {}
  // Takes a token, from the future if need be, and says how long to wait for it.
  Duration Reserve(TimePoint now);

 private:
  double qps_;
  double burst_;
  double tokens_;
  TimePoint last_;
};

}  // namespace relist
