// Points and lengths of time, the same type in the simulated and in the real world.
//
//   TimePoint deadline = now + Seconds(3);
//   FormatRfc3339(now);   // "2026-01-01T00:00:00Z"
//
// A TimePoint counts nanoseconds since the Unix epoch. There is deliberately no Now() here: whoever
// needs the time is given it (sans-IO classes as an argument, tasks through Loop::Now()). Only
// runtime/socket_port reads a clock.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace relist {

using Duration = std::chrono::nanoseconds;

// A clock in name only: it gives TimePoint a type of its own and cannot be read.
struct VirtualClock {
  using duration = Duration;
  using rep = Duration::rep;
  using period = Duration::period;
  using time_point = std::chrono::time_point<VirtualClock>;
  static constexpr bool is_steady = true;
};
using TimePoint = VirtualClock::time_point;

constexpr Duration Seconds(int64_t n) {
  return std::chrono::seconds(n);
}
constexpr Duration Millis(int64_t n) {
  return std::chrono::milliseconds(n);
}
constexpr TimePoint kNever = TimePoint::max();

// Where every simulation starts: 2026-01-01T00:00:00Z.
constexpr TimePoint kSimulationEpoch = TimePoint(std::chrono::seconds(1767225600));

// "2026-01-01T00:00:00Z": whole seconds, UTC, as Kubernetes writes metav1.Time.
std::string FormatRfc3339(TimePoint t);

// Seconds as a decimal number with three digits, "12.345", for messages and timelines.
std::string FormatSeconds(Duration d);

}  // namespace relist
