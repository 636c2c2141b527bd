// What a work queue tells about itself, for whatever collects figures (client-go's MetricsProvider;
// catalogue WKQ-07).
//
//   struct Mine : WorkQueueMetrics { void Depth(size_t items) override { gauge.Set(items); } ... };
//   struct Provider : WorkQueueMetricsProvider { ... return std::make_unique<Mine>(name); };
//   WorkQueue<> queue(loop, {.name = "pods", .metrics = &provider});
//
// A queue without a name tells nothing, as in client-go. There is no provider for the whole
// process: each queue is given its own. Methods are called one at a time, under the queue's lock,
// by whoever changed it: they must not call the queue. The names behind the comments are
// client-go's.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "core/time.h"

namespace relist {

class WorkQueueMetrics {
 public:
  virtual ~WorkQueueMetrics() = default;
  // Items that wait to be taken, those that come back at Done among them (depth).
  virtual void Depth(size_t items) = 0;
  virtual void Added() = 0;                           // one more add that counted (adds_total)
  virtual void Latency(Duration waited) = 0;          // from add to get (queue_duration_seconds)
  virtual void WorkDuration(Duration took) = 0;       // from get to done (work_duration_seconds)
  virtual void UnfinishedWork(Duration total) = 0;    // all that is being worked on, twice a second
  virtual void LongestRunning(Duration longest) = 0;  // the oldest of these
  virtual void Retried() = 0;                         // AddAfter, AddRateLimited (retries_total)
};

class WorkQueueMetricsProvider {
 public:
  virtual ~WorkQueueMetricsProvider() = default;
  // Null: this queue tells nothing.
  virtual std::unique_ptr<WorkQueueMetrics> ForQueue(const std::string& name) = 0;
};

// How often the last two are told (client-go's unfinished-work period).
inline constexpr Duration kUnfinishedWorkPeriod = Millis(500);

}  // namespace relist
