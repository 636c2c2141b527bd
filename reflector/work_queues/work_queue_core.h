// The rules of a work queue, without threads, tasks or a clock (client-go's workqueue.Typed and its
// delaying queue; catalogue WKQ-01 to WKQ-05, metrics of WKQ-07).
//
//   WorkQueueCore<ObjectKey> core;
//   core.Add(key, now);
//   std::optional<ObjectKey> item = core.Take(now);   // nothing else gets it ...
//   core.Done(*item, now);                            // ... until here
//
// An item that is added is dirty until it is taken; what is taken is being processed until Done. An
// item that is both waits outside the queue and comes back at Done. T is ordered and copyable.
// WorkQueue puts two faces on this; not thread-safe by itself.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "core/time.h"
#include "reflector/parity_switch.h"
#include "reflector/work_queues/item_queue.h"
#include "reflector/work_queues/work_queue_metrics.h"

namespace relist {

template <class T>
class WorkQueueCore {
 public:
  // Null: first come, first served; no metrics. The first figures of unfinished work are due a
  // period after `now`.
  explicit WorkQueueCore(std::unique_ptr<ItemQueue<T>> order = nullptr,
                         std::unique_ptr<WorkQueueMetrics> metrics = nullptr, TimePoint now = {})
      : queue_(order ? std::move(order) : std::make_unique<FifoItemQueue<T>>()),
        metrics_(std::move(metrics)),
        metrics_due_(metrics_ ? now + kUnfinishedWorkPeriod : kNever) {}

  // Nothing where the item is dirty already, or the queue shuts down.
  void Add(const T& item, TimePoint now) {
    if (shutting_down_ && Behaves("WKQ-03")) return;
    if (Behaves("WKQ-01") && dirty_.contains(item)) {
      if (Behaves("WKQ-01b") && !processing_.contains(item)) queue_->Touch(item);
      return;
    }
    dirty_.insert(item);
    if (metrics_) {
      metrics_->Added();
      metrics_->Depth(dirty_.size());
      added_.emplace(item, now);
    }
    if (Behaves("WKQ-02") && processing_.contains(item)) return;
    queue_->Push(item);
  }

  // Adds it at now + delay, or at once where there is no delay. Of several times for an item the
  // earliest counts. What waits when the queue shuts down is dropped.
  void AddAfter(const T& item, Duration delay, TimePoint now) {
    if (shutting_down_) return;
    if (metrics_) metrics_->Retried();
    if (delay <= Duration{} && Behaves("WKQ-05")) {
      Add(item, now);
      return;
    }
    const TimePoint due = delay < kNever - now ? now + delay : kNever;
    const auto known = due_of_.find(item);
    if (known != due_of_.end()) {
      if (Behaves("WKQ-05b") && known->second.first <= due) return;
      waiting_.erase(known->second);
    }
    const Due place{due, ++sequence_};
    due_of_.insert_or_assign(item, place);
    waiting_.emplace(place, item);
  }

  // Whether Take would give an item.
  bool HasItem() const { return queue_->size() > 0; }
  // True when nothing will ever come again: workers go home. Items that are still being processed
  // may yet come back (WKQ-03), so who drains asks again after Done.
  bool IsOver() const { return shutting_down_ && !HasItem(); }

  std::optional<T> Take(TimePoint now) {
    if (!HasItem()) return std::nullopt;
    T item = queue_->Pop();
    processing_.insert(item);
    dirty_.erase(item);
    if (metrics_) {
      metrics_->Depth(dirty_.size());
      started_.insert_or_assign(item, now);
      if (const auto added = added_.find(item); added != added_.end()) {
        metrics_->Latency(now - added->second);
        added_.erase(added);
      }
    }
    return item;
  }

  void Done(const T& item, TimePoint now) {
    if (metrics_) {
      if (const auto started = started_.find(item); started != started_.end()) {
        metrics_->WorkDuration(now - started->second);
        started_.erase(started);
      }
    }
    processing_.erase(item);
    if (Behaves("WKQ-01c") && dirty_.contains(item)) queue_->Push(item);
  }

  // No adds from now on; what is queued is still given out.
  void ShutDown() { StopAdding(/*drain=*/false); }
  // The same, and IsDrained waits for what is being processed.
  void ShutDownWithDrain() { StopAdding(/*drain=*/true); }
  bool shutting_down() const { return shutting_down_; }
  // True unless somebody who called ShutDownWithDrain has to wait; ShutDown makes it true.
  bool IsDrained() const { return !drain_ || !Behaves("WKQ-03b") || processing_.empty(); }

  // When Tick has something to do.
  TimePoint NextDeadline() const {
    if (shutting_down_) return kNever;
    return waiting_.empty() ? metrics_due_ : std::min(metrics_due_, waiting_.begin()->first.first);
  }
  // Adds what is due by now; tells the figures of unfinished work.
  void Tick(TimePoint now) {
    if (shutting_down_) return;
    while (!waiting_.empty() && waiting_.begin()->first.first <= now) {
      const T item = std::move(waiting_.begin()->second);
      waiting_.erase(waiting_.begin());
      due_of_.erase(item);
      Add(item, now);
    }
    if (metrics_due_ <= now) TellUnfinishedWork(now);
  }

  // Items that can be taken.
  size_t size() const { return queue_->size(); }
  // Items of AddAfter whose time is to come.
  size_t waiting() const { return waiting_.size(); }

 private:
  using Due = std::pair<TimePoint, uint64_t>;  // ties go in the order in which they were added

  void StopAdding(bool drain) {
    shutting_down_ = true;
    drain_ = drain;
    waiting_.clear();
    due_of_.clear();
  }
  void TellUnfinishedWork(TimePoint now) {
    metrics_due_ = now + kUnfinishedWorkPeriod;
    Duration total{}, longest{};
    for (const auto& [item, since] : started_) {
      total += now - since;
      longest = std::max(longest, now - since);
    }
    metrics_->UnfinishedWork(total);
    metrics_->LongestRunning(longest);
  }

  std::unique_ptr<ItemQueue<T>> queue_;  // each of these is dirty and not being processed
  std::set<T> dirty_, processing_;
  std::map<Due, T> waiting_;
  std::map<T, Due> due_of_;
  uint64_t sequence_ = 0;
  bool shutting_down_ = false, drain_ = false;

  std::unique_ptr<WorkQueueMetrics> metrics_;  // may be null
  TimePoint metrics_due_;
  std::map<T, TimePoint> added_, started_;  // for the metrics only
};

}  // namespace relist
