// Hands notifications to handlers: each has a queue of its own, without a bound, so that a slow one
// holds up nobody (client-go's sharedProcessor and processorListener; catalogue LSN-01 to LSN-07).
//
// In the simulation a listener is a task on the loop; in the real world it has a thread, and is fed
// a batch at a time. Methods belong to the loop's thread unless they say otherwise.
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
#include "reflector/recorder.h"
#include "reflector/resource_event_handler.h"

namespace relist {

enum class HandlerThreads { kOnLoop, kOwnThread };

// One handler's registration. Kept by the informer; a user holds a shared_ptr to ask HasSynced.
class Listener : public std::enable_shared_from_this<Listener> {
 public:
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
  size_t backlog() const;  // notifications that wait; any thread

  // ---- for the processor
  void Start(TaskScope& scope);
  void Add(Notification notification);
  void Flush();  // what was added since the last Flush becomes visible to a thread of its own
  void UpstreamSynced();
  // What waits is dropped (LSN-04); a callback in progress finishes.
  void Stop();
  // Ready when its task or thread has ended.
  Signal& stopped() { return stopped_; }

  // Resync (INF-05 to INF-07).
  Duration requested_resync{}, resync_period{};
  TimePoint next_resync;
  bool syncing = true;

 private:
  Task<void> RunOnLoop();
  void RunThread();
  void Deliver(const Notification& notification);
  void CheckSynced();

  Loop& loop_;
  ResourceEventHandler& handler_;
  const std::string name_;
  const HandlerThreads threads_;
  const std::shared_ptr<Recorder> recorder_;

  Event wake_;  // on-loop mode
  std::vector<Notification> staged_;
  mutable std::mutex mutex_;
  std::condition_variable has_work_;
  std::deque<Notification> pending_;  // under mutex_ with a thread, else the loop's
  bool stopping_ = false;             // the same
  bool started_ = false;
  std::thread thread_;
  std::atomic<int64_t> initial_left_ = 0;
  std::atomic<bool> upstream_synced_ = false;
  std::atomic<bool> has_synced_ = false;
  Signal synced_, stopped_;
};

class Processor {
 public:
  void Add(std::shared_ptr<Listener> listener, TaskScope* scope);  // null scope: started later
  void StartAll(TaskScope& scope);
  // False if it is not (or no longer) one of ours.
  bool Remove(const std::shared_ptr<Listener>& listener);
  // To every listener; "sync" notifications only to those that are marked as syncing (LSN-03).
  void Distribute(const Notification& notification, bool sync);
  void Flush();
  void UpstreamSynced();
  void StopAll();
  // Decides who takes part in a resync now; false if nobody does (INF-06).
  bool ShouldResync(TimePoint now);
  void ResyncPeriodChanged(Duration check_period, TimePoint now);
  const std::vector<std::shared_ptr<Listener>>& listeners() const { return listeners_; }
  // Listeners that were removed and may still be finishing.
  const std::vector<std::shared_ptr<Listener>>& retired() const { return retired_; }

 private:
  std::vector<std::shared_ptr<Listener>> listeners_;
  std::vector<std::shared_ptr<Listener>> retired_;
};

}  // namespace relist
