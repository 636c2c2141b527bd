#include "reflector/trace.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

namespace relist {

void Trace::Step(std::string what, TimePoint now, std::string details) {
  steps_.push_back(fmt::format("\"{}\" {}{}{}ms", what, details, details.empty() ? "" : " ",
                               (now - last_) / Millis(1)));
  last_ = now;
}

std::string Trace::LineIfLong(Duration threshold, TimePoint now) const {
  if (now - start_ < threshold) return "";
  std::string line =
      fmt::format("Trace \"{}\" (total time: {}ms)", name_, (now - start_) / Millis(1));
  if (!steps_.empty()) line += fmt::format(": {}", fmt::join(steps_, ", "));
  return line;
}

}  // namespace relist
