// One handler's registration, and its queue, without a bound, so that a slow handler holds up
// nobody (client-go's processorListener; catalogue LSN-01 to LSN-07).
//
// In the simulation it is a task on the loop; in the real world it has a thread, and is fed a batch
// at a time. A user holds a shared_ptr, to ask HasSynced and to remove the handler again. Methods
// belong to the loop's thread unless they say otherwise.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/runtime/loop.h"
#include "reflector/informers/resource_event_handler.h"
#include "reflector/recorder.h"

namespace relist {

enum class HandlerThreads { kOnLoop, kOwnThread };

class Listener : public std::enable_shared_from_this<Listener> {
 public:
  // `handler` must live until stopped(). `recorder` may be null; with a thread of its own the
  // callbacks are recorded after they returned, a batch at a time.
  Listener(Loop& loop, ResourceEventHandler& handler, std::string name, HandlerThreads threads,
           std::shared_ptr<Recorder> recorder);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  const std::string& name() const { return name_; }
  // True when the informer has synced and OnAdd has returned for every initial object (INF-04). Any
  // thread.
  bool HasSynced() const { return has_synced_.load(); }
  Signal& synced() { return synced_; }
  // Notifications that wait. Any thread.
  size_t backlog() const;
  // Set when no callback will come any more.
  Signal& stopped() { return stopped_; }

  // ---- for the informer
  void Start(TaskScope& scope);
  void Add(const Notification& notification);
  void Flush();  // hands over what was added since the last Flush
  void UpstreamSynced();
  // What waits is dropped (LSN-04); a callback in progress finishes. Does not wait.
  void Stop();
  // Waits for its thread: not from the handler, not while the handler needs the loop.
  void Join();
  // The period that it gets, where the informer checks every `check_period` (INF-05).
  void SetResync(Duration check_period, TimePoint now);

  Duration requested_resync{}, resync_period{};
  TimePoint next_resync;
  // Whether notifications that change nothing are for it; recomputed at each resync (INF-07).
  bool syncing = true;

 private:
  Task<void> RunOnLoop();
  void RunThread();
  void Deliver(const Notification& notification);
  void CheckSynced();
  void Announce();

  Loop& loop_;
  ResourceEventHandler& handler_;
  const std::string name_;
  const HandlerThreads threads_;
  const std::shared_ptr<Recorder> recorder_;

  Event wake_;                        // of the task
  std::vector<Notification> staged_;  // not yet flushed
  mutable std::mutex mutex_;
  std::condition_variable has_work_;  // of the thread
  std::deque<Notification> pending_;  // under mutex_
  std::atomic<bool> stopping_ = false;
  bool started_ = false, announced_ = false;
  std::thread thread_;
  std::atomic<int64_t> initial_left_ = 0;
  int64_t initial_untold_ = 0;  // initial adds that the loop has not heard of; the loop's
  std::atomic<bool> upstream_synced_ = false;
  std::atomic<bool> has_synced_ = false;
  Signal synced_, stopped_;
};

}  // namespace relist
