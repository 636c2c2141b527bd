// One handler's registration, and its queue, without a bound, so that a slow handler holds up
// nobody (client-go's processorListener; catalogue LSN-01 to LSN-07).
//
// In the simulation it is a task on the loop; in the real world it has a thread, and is fed a batch
// at a time. The loop hears of the thread's callbacks only where somebody waits for them: until the
// listener has synced, or where they are recorded; a handler for whose work Loop::RunUntil waits
// calls Loop::PostFromThread. A user holds a shared_ptr, to ask HasSynced and to remove the handler
// again. Methods belong to the loop's thread unless they say otherwise.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "core/runtime/loop.h"
#include "reflector/informers/resource_event_handler.h"
#include "reflector/informers/wait_for.h"
#include "reflector/log.h"
#include "reflector/recorder.h"

namespace relist {

enum class HandlerThreads { kOnLoop, kOwnThread };

struct ListenerOptions {
  std::string name = "handler";             // in history and log
  std::string informer = "SharedInformer";  // whose handler it is, in the log
  HandlerThreads threads = HandlerThreads::kOnLoop;
  std::shared_ptr<Recorder> recorder;  // may be null
  std::shared_ptr<Log> log;            // may be null
  bool crash_on_panic = true;          // see InformerOptions
  Duration call_takes{};               // see HandlerOptions
};

class Listener : public std::enable_shared_from_this<Listener> {
 public:
  // With a thread of its own the callbacks are recorded after they returned, a batch at a time.
  // `handler` is kept until nobody has the listener any more.
  Listener(Loop& loop, std::shared_ptr<ResourceEventHandler> handler, ListenerOptions options);
  // `handler` must live until stopped().
  Listener(Loop& loop, ResourceEventHandler& handler, ListenerOptions options);
  ~Listener();
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  const std::string& name() const { return options_.name; }
  // True when the informer has synced and OnAdd has returned for every initial object (INF-04). Any
  // thread.
  bool HasSynced() const { return has_synced_.load(); }
  Signal& synced() { return synced_; }
  // For WaitFor; as long as the listener lives.
  DoneChecker synced_checker() {
    return {options_.informer + " + event handler " + options_.name, &synced_};
  }
  // Notifications that wait. Any thread.
  size_t backlog() const;
  // Set when no callback will come any more.
  Signal& stopped() { return stopped_; }

  // ---- for the informer
  void Start(TaskScope& scope);
  void Add(Notification notification);
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
  // The next batch of the thread; false if it is to end.
  bool TakeBatch(std::deque<Notification>* batch);
  // What a handler threw; nothing: it returned.
  using Thrown = std::optional<std::string>;
  // The thread waits, on the loop's clock; false if it is to end.
  bool PauseThread(Duration length);
  static Task<void> EndPause(std::shared_ptr<Listener> listener, Duration length);
  void Report(std::vector<Notification> told, int64_t initial, Thrown thrown);
  // Where the handler throws, the notification counts as never delivered (LSN-06). `waiting`: how
  // many come after it.
  Thrown Deliver(const Notification& notification, size_t waiting);
  void Call(const Notification& notification);
  // The call is over.
  void Returned(const Notification& notification);
  void Panicked(const Notification& notification, const std::string& why);
  void CheckSynced();
  void Announce();

  Loop& loop_;
  const std::shared_ptr<ResourceEventHandler> handler_;
  const ListenerOptions options_;
  TaskScope* scope_ = nullptr;

  Event wake_;                        // of the task
  Signal stop_;                       // the same as stopping_, for the task
  std::vector<Notification> staged_;  // not yet flushed
  mutable std::mutex mutex_;
  std::condition_variable has_work_;  // of the thread
  std::deque<Notification> pending_;  // under mutex_
  bool paused_ = false;               // under mutex_
  std::atomic<size_t> in_batch_ = 0;  // taken out of pending_, not yet delivered (or returned)
  std::atomic<size_t> queued_ = 0;    // the size of pending_
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
