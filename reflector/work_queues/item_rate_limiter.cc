#include "reflector/work_queues/item_rate_limiter.h"

namespace relist::internal {

Duration ExponentialDelay(Duration base, Duration most, int failures) {
  Duration delay = base;
  for (int i = 0; i < failures && delay > Duration{}; ++i) {
    if (delay > most / 2) return most;
    if (Behaves("WKQ-07")) delay *= 2;
  }
  return std::min(delay, most);
}

}  // namespace relist::internal
