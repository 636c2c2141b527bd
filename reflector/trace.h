// How long each step of something took, in one line, if the whole took long: client-go traces lists
// of ten seconds and more.
//
//   Trace trace("Reflector ListAndWatch", loop.Now());
//   trace.Step("Objects listed", loop.Now());
//   Say(log, LogLevel::kInfo, trace.LineIfLong(Seconds(10), loop.Now()));
//   // Trace "Reflector ListAndWatch" (total time: 12000ms): "Objects listed" 12000ms
//
// Pure: time is an argument. Not thread-safe.
#pragma once

#include <string>
#include <vector>

#include "core/time.h"

namespace relist {

class Trace {
 public:
  Trace(std::string name, TimePoint now) : name_(std::move(name)), start_(now), last_(now) {}
  // A step ended now; it began when the one before ended. `details` may be empty.
  void Step(std::string what, TimePoint now, std::string details = "");
  // Empty if less than `threshold` went by.
  std::string LineIfLong(Duration threshold, TimePoint now) const;

 private:
  std::string name_;
  TimePoint start_, last_;
  std::vector<std::string> steps_;
};

}  // namespace relist
