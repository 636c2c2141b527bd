// A controller's queue of things to look at: each of them once, by one worker at a time, later
// where it failed (client-go's rate limiting work queue; catalogue WKQ-01 to WKQ-07).
//
//   WorkQueue<> queue(loop);                              // of ObjectKeys; any ordered T will do
//   queue.Add(object->key());                             // from a handler, on any thread
//
//   Task<void> Worker(WorkQueue<>& queue, Signal& stop) {       // a worker that is a task ...
//     for (;;) {
//       Task<std::optional<ObjectKey>> get = queue.Get(stop);
//       const std::optional<ObjectKey> key = co_await get;
//       if (!key) co_return;
//       ... look at it; then Forget(*key), or AddRateLimited(*key) where it failed ...
//       queue.Done(*key);
//     }
//   }
//   while (auto key = queue.BlockingGet()) { ... queue.Done(*key); }   // ... or has a thread
//
// The rules are WorkQueueCore's; this is a lock around them, and two ways to wait: Get and Drain
// belong to the loop's thread, and in the simulation everything happens there, in virtual time; all
// other methods may be called from any thread, also before the loop runs. Delays pass on the loop,
// which must run. Constructed and destroyed on the loop's thread (or while it does not run); its
// tasks and threads end before it.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "core/check.h"
#include "core/runtime/loop.h"
#include "core/wire/object_key.h"
#include "reflector/work_queues/item_rate_limiter.h"
#include "reflector/work_queues/work_queue_core.h"

namespace relist {

template <class T>
struct WorkQueueOptions {
  std::string name;                             // of the metrics; empty: none
  WorkQueueMetricsProvider* metrics = nullptr;  // outlives the queue
  std::unique_ptr<ItemRateLimiter<T>> limiter;  // null: DefaultControllerRateLimiter
  std::unique_ptr<ItemQueue<T>> order;          // null: first come, first served
};

template <class T = ObjectKey>
class WorkQueue {
 public:
  explicit WorkQueue(Loop& loop, WorkQueueOptions<T> options = {})
      : loop_(loop),
        limiter_(options.limiter ? std::move(options.limiter) : DefaultControllerRateLimiter<T>()),
        core_(std::move(options.order), MetricsOf(options), loop.Now()),
        self_(std::make_shared<WorkQueue*>(this)),
        available_(*this),
        drained_(*this),
        timer_(loop, core_.NextDeadline()),
        scope_(loop) {
    scope_.Spawn(AddWhatIsDue());
  }
  ~WorkQueue() { *self_ = nullptr; }
  WorkQueue(const WorkQueue&) = delete;
  WorkQueue& operator=(const WorkQueue&) = delete;

  // ---- any thread

  // Nothing where it waits already, or the queue shuts down.
  void Add(const T& item) {
    Change([&](TimePoint now) { core_.Add(item, now); });
  }
  // The earliest of an item's times counts.
  void AddAfter(const T& item, Duration delay) {
    Change([&](TimePoint now) { core_.AddAfter(item, delay, now); });
  }
  // When the limiter says so. It counts failures until Forget; Done is needed as well.
  void AddRateLimited(const T& item) {
    Change([&](TimePoint now) {
      const Duration delay = limiter_->When(item, now);
      core_.AddAfter(item, Behaves("WKQ-06") ? delay : Duration{}, now);
    });
  }
  void Forget(const T& item) {
    const std::lock_guard lock(mutex_);
    if (Behaves("WKQ-06b")) limiter_->Forget(item);
  }
  int NumRequeues(const T& item) const {
    const std::lock_guard lock(mutex_);
    return limiter_->NumRequeues(item);
  }
  // For each item that was got, once, when it was looked at.
  void Done(const T& item) {
    Change([&](TimePoint now) { core_.Done(item, now); });
  }
  size_t size() const {
    const std::lock_guard lock(mutex_);
    return core_.size();
  }
  // Adds are ignored from now on, what waits for its time is dropped; workers get what is queued,
  // then nothing. Whoever drains stops waiting.
  void ShutDown() {
    Change([&](TimePoint) { core_.ShutDown(); });
  }
  bool shutting_down() const {
    const std::lock_guard lock(mutex_);
    return core_.shutting_down();
  }

  // ---- tasks of the loop

  // The next item; nothing once the queue shut down and is empty, or `stop` is set.
  Task<std::optional<T>> Get(Signal& stop) {
    const LoopWaits waits(*this);
    for (;;) {
      if (stop.Ready()) co_return std::nullopt;
      std::optional<T> item;
      if (TakeOrEnd(loop_.Now(), &item)) co_return item;
      Select which(loop_, stop, available_);
      co_await which;
    }
  }
  // As ShutDown, and waits until all that is being processed is done; ShutDown or `stop` ends the
  // wait.
  Task<void> ShutDownWithDrain(Signal& stop) {
    const LoopWaits waits(*this);
    Change([&](TimePoint) { core_.ShutDownWithDrain(); });
    Select which(loop_, stop, drained_);
    co_await which;
  }

  // ---- threads, but not the loop's

  // The next item; nothing once the queue shut down and is empty.
  std::optional<T> BlockingGet() {
    CHECK(Loop::Current() != &loop_, "BlockingGet would stop its own loop");
    std::unique_lock lock(mutex_);
    has_work_.wait(lock, [&] { return core_.HasItem() || core_.IsOver(); });
    return core_.Take(Now());
  }
  void BlockingShutDownWithDrain() {
    CHECK(Loop::Current() != &loop_, "BlockingShutDownWithDrain would stop its own loop");
    Change([&](TimePoint) { core_.ShutDownWithDrain(); });
    std::unique_lock lock(mutex_);
    is_drained_.wait(lock, [&] { return core_.IsDrained(); });
  }

 private:
  // What tasks wait for; asked under the lock.
  class Available : public Source {
   public:
    explicit Available(const WorkQueue& queue) : queue_(queue) {}
    bool Ready() const override {
      const std::lock_guard lock(queue_.mutex_);
      return queue_.core_.HasItem() || queue_.core_.IsOver();
    }
    void Raise() { Notify(); }

   private:
    const WorkQueue& queue_;
  };
  class Drained : public Source {
   public:
    explicit Drained(const WorkQueue& queue) : queue_(queue) {}
    bool Ready() const override {
      const std::lock_guard lock(queue_.mutex_);
      return queue_.core_.IsDrained();
    }
    void Raise() { Notify(); }

   private:
    const WorkQueue& queue_;
  };
  // While tasks wait, other threads have to tell the loop what they changed.
  class LoopWaits {
   public:
    explicit LoopWaits(WorkQueue& queue) : queue_(queue) { Count(1); }
    ~LoopWaits() { Count(-1); }
    LoopWaits(const LoopWaits&) = delete;
    LoopWaits& operator=(const LoopWaits&) = delete;

   private:
    void Count(int n) {
      const std::lock_guard lock(queue_.mutex_);
      queue_.loop_waits_ += n;
    }
    WorkQueue& queue_;
  };

  static std::unique_ptr<WorkQueueMetrics> MetricsOf(const WorkQueueOptions<T>& options) {
    if (options.name.empty() || !options.metrics || !Behaves("WKQ-07e")) return nullptr;
    return options.metrics->ForQueue(options.name);
  }
  bool OnLoop() const { return Loop::Current() == &loop_; }
  // Within a turn time stands still; elsewhere the port's clock is read, which any thread may.
  TimePoint Now() { return OnLoop() ? loop_.Now() : loop_.port().Now(); }

  // Changes the core, and wakes whoever that concerns.
  template <class F>
  void Change(const F& change) {
    if (!ChangeCore(change)) return;
    if (OnLoop()) {
      Announce();
    } else {
      loop_.PostFromThread([self = self_] {
        if (*self) (*self)->Announce();
      });
    }
  }
  // Wakes threads; true if the loop has to be told.
  template <class F>
  bool ChangeCore(const F& change) {
    const std::lock_guard lock(mutex_);
    const size_t size = core_.size();
    const TimePoint deadline = core_.NextDeadline();
    change(Now());
    for (size_t i = size; i < core_.size(); ++i) has_work_.notify_one();
    if (core_.shutting_down()) {
      has_work_.notify_all();
      is_drained_.notify_all();
    }
    if (loop_waits_ == 0 && core_.NextDeadline() == deadline) return false;
    return OnLoop() || !std::exchange(told_, true);
  }
  // On the loop: its tasks look again, and the timer stands where the next item is due.
  void Announce() {
    TimePoint next;
    {
      const std::lock_guard lock(mutex_);
      told_ = false;
      next = core_.NextDeadline();
    }
    if (next != timer_.when()) timer_.Reset(next);
    available_.Raise();
    drained_.Raise();
  }
  // client-go's waiting loop, and its loop of unfinished work.
  Task<void> AddWhatIsDue() {
    for (;;) {
      Select which(loop_, timer_);
      co_await which;
      ChangeCore([&](TimePoint now) { core_.Tick(now); });
      Announce();
    }
  }
  // True if there is an item, or never will be.
  bool TakeOrEnd(TimePoint now, std::optional<T>* item) {
    const std::lock_guard lock(mutex_);
    *item = core_.Take(now);
    return item->has_value() || core_.IsOver();
  }

  Loop& loop_;
  mutable std::mutex mutex_;
  std::condition_variable has_work_, is_drained_;
  std::unique_ptr<ItemRateLimiter<T>> limiter_;  // this and the next two under mutex_
  WorkQueueCore<T> core_;
  int loop_waits_ = 0;
  bool told_ = false;  // the loop has been told, and has not looked yet; under mutex_
  // What was posted looks through this; null when we are gone. The loop's.
  std::shared_ptr<WorkQueue*> self_;
  Available available_;
  Drained drained_;
  Timer timer_;
  TaskScope scope_;
};

}  // namespace relist
