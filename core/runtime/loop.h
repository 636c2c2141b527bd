// The one event loop of both worlds: tasks, timers, and a Port at its rim.
//
//   SimPort port;                      // or SocketPort port;
//   Loop loop(port, &choices);
//   TaskScope scope(loop);             // last member of whatever the tasks borrow from
//   scope.Spawn(Story(loop));
//   loop.RunUntil([&] { return done; }, loop.Now() + Seconds(60));
//
// Time stands still within a turn. In the simulation the next of several ready tasks is a choice
// ("schedule"; 0 is first come, first served). One thread runs the loop; only PostFromThread and
// Stop may be called from others.
#pragma once

#include <coroutine>
#include <deque>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <set>
#include <utility>
#include <vector>

#include "core/choices.h"
#include "core/runtime/port.h"
#include "core/runtime/source.h"
#include "core/runtime/task.h"
#include "core/time.h"

namespace relist {

class Loop {
 public:
  // `choices` may be null: first come, first served. Both must outlive the loop.
  explicit Loop(Port& port, Choices* choices = nullptr);
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  TimePoint Now() const { return now_; }
  Port& port() { return port_; }
  Choices* choices() { return choices_; }

  // Runs turns until `done` (asked at the end of each, when no task is ready), `deadline`, or
  // nothing can ever happen again. True if done. A CHECK that failed in a task is thrown here. A
  // turn: the port moves the world, what was posted, timers, then tasks until none is ready; a
  // deadline of Now() runs what is ready and lets no time pass.
  bool RunUntil(const std::function<bool()>& done, TimePoint deadline = kNever);
  // Runs until Stop(): the real world's thread. Once stopped it stays so.
  void Run();
  void Stop();  // any thread
  // Runs `action` on the loop's thread, soon. Any thread.
  void PostFromThread(std::function<void()> action);

  // The loop that runs on this thread now; null outside a turn.
  static Loop* Current();

 private:
  friend class Waiter;
  friend class Timer;
  friend class TaskScope;
  friend class internal::PromiseBase;
  struct TimerOrder {
    bool operator()(const Timer* a, const Timer* b) const;
  };

  bool WaitForWorld(TimePoint deadline);  // false if nothing was left to wait for
  void RunReady();
  void RunNext();
  bool RunPosted();  // false if there was nothing
  void FireTimers();
  void Enqueue(Waiter* waiter);
  void Forget(Waiter* waiter);
  void Fail(std::exception_ptr failure);

  Port& port_;
  Choices* choices_;
  TimePoint now_;
  std::deque<Waiter*> ready_;
  std::deque<internal::PromiseBase*> next_;
  std::set<Timer*, TimerOrder> timers_;
  uint64_t timer_sequence_ = 0;
  std::exception_ptr failure_;
  std::mutex inbox_mutex_;
  std::vector<std::function<void()>> inbox_;
  bool stopped_ = false;  // under inbox_mutex_
};

// Owns root tasks. Its destruction destroys them, wherever they wait: so it is the last member of
// whatever they borrow.
class TaskScope {
 public:
  explicit TaskScope(Loop& loop) : loop_(loop) {}
  ~TaskScope() { Clear(); }
  TaskScope(const TaskScope&) = delete;
  TaskScope& operator=(const TaskScope&) = delete;

  // Starts at once, inline, up to its first wait.
  void Spawn(Task<void> task);
  // Destroys all that is left; not to be called from one of its own tasks.
  void Clear();
  bool empty();

 private:
  struct Root {
    explicit Root(Task<void> t) : task(std::move(t)) {}
    Task<void> task;
    bool finished = false;
  };
  void Reap();
  Loop& loop_;
  std::list<std::unique_ptr<Root>> roots_;
};

// Waits for `d`.
Task<void> Sleep(Loop& loop, Duration d);
// Waits for `d`, or until `stop`; true if stopped.
Task<bool> SleepUnless(Loop& loop, Duration d, Signal& stop);

}  // namespace relist
