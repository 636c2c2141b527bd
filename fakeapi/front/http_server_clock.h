// The front's clock: the wall clock's time at the start, then the steady clock times a rate.
//
//   ServerClock clock(60);
//   clock.Now();                   // an hour later each minute
//   clock.RealTime(Seconds(60));   // one second
//
// Immutable after construction: any thread may ask.
#pragma once

#include <chrono>
#include <functional>
#include <utility>

#include "core/time.h"

namespace relist::fakeapi {

class ServerClock {
 public:
  explicit ServerClock(double rate, std::function<TimePoint()> shared = {})
      : rate_(rate), shared_(std::move(shared)) {}

  TimePoint Now() const {
    if (shared_) return shared_();
    const auto passed = std::chrono::steady_clock::now() - steady_start_;
    return start_ + Duration(static_cast<int64_t>(static_cast<double>(passed.count()) * rate_));
  }
  // How long a virtual duration takes, rounded up.
  Duration RealTime(Duration d) const {
    return Duration(static_cast<int64_t>(static_cast<double>(d.count()) / rate_) + 1);
  }
  // What passes on this clock in so much real time.
  Duration FromReal(Duration d) const {
    return Duration(static_cast<int64_t>(static_cast<double>(d.count()) * rate_));
  }

 private:
  const double rate_;
  const std::function<TimePoint()> shared_;
  const std::chrono::steady_clock::time_point steady_start_ = std::chrono::steady_clock::now();
  const TimePoint start_{std::chrono::system_clock::now().time_since_epoch()};
};

}  // namespace relist::fakeapi
