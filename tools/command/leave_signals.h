// The signals that ask a server to leave, taken on a thread of its own from its first moment on, so
// that nothing it waits for makes it deaf.
//
//   LeaveSignals signals;                   // before any other thread
//   ...                                     // a signal ends the process as it ends any program
//   signals.Take([](int nth) { ... });      // from here on it comes to us: the first, the second
//
// SIGTERM, SIGINT, SIGQUIT and SIGHUP (console.h). The destructor ends the thread; the signals stay
// blocked.
#pragma once

#include <functional>
#include <mutex>
#include <thread>

namespace relist::command {

class LeaveSignals {
 public:
  LeaveSignals();
  ~LeaveSignals();
  LeaveSignals(const LeaveSignals&) = delete;
  LeaveSignals& operator=(const LeaveSignals&) = delete;

  // `on_signal` comes from the thread, with how many there were; once.
  void Take(std::function<void(int nth)> on_signal);

 private:
  void Run();

  int signals_, wake_;
  std::mutex mutex_;
  std::function<void(int)> on_signal_;  // guarded by mutex_; empty: nobody takes them yet
  std::thread thread_;
};

}  // namespace relist::command
