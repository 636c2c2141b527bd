#include "reflector/backoff.h"

#include <algorithm>

#include "reflector/parity_switch.h"

namespace relist {

Backoff::Backoff(BackoffOptions options, Choices* choices, TimePoint now)
    : options_(options), choices_(choices), last_reset_(now), base_(options.initial) {
  CHECK(choices_, "a backoff draws its jitter from Choices");
  CHECK(options_.initial > Duration{} && options_.cap >= options_.initial, "0 < initial <= cap");
}

Duration Backoff::Next(TimePoint now) {
  if (Behaves("RFL-05") && now - last_reset_ > options_.reset_after) {
    base_ = options_.initial;
    last_reset_ = now;
  }
  const Duration base = base_;
  base_ =
      std::min(Duration(static_cast<int64_t>(static_cast<double>(base.count()) * options_.factor)),
               options_.cap);
  const double unit = choices_->Unit("backoff");
  return base +
         Duration(static_cast<int64_t>(static_cast<double>(base.count()) * options_.jitter * unit));
}

}  // namespace relist
