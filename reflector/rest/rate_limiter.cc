#include "reflector/rest/rate_limiter.h"

#include <algorithm>

namespace relist {

Duration RateLimiter::Reserve(TimePoint now) {
  if (qps_ <= 0) return {};
  if (last_ != TimePoint{} && now > last_) {
    const double seconds = static_cast<double>((now - last_).count()) * 1e-9;
    tokens_ = std::min(burst_, tokens_ + seconds * qps_);
  }
  last_ = std::max(last_, now);
  tokens_ -= 1;
  if (tokens_ >= 0) return {};
  return Duration(static_cast<int64_t>(-tokens_ / qps_ * 1e9));
}

}  // namespace relist
