// Standard input, line by line, and the signals that ask a program to leave, on a thread of its
// own.
//
//   BlockLeaveSignals();                // before any thread
//   Console console({.on_line = ..., .on_leave = ...});
//
// Callbacks come from the console's thread; the destructor ends it, also while it waits for input.
#pragma once

#include <csignal>
#include <functional>
#include <string>
#include <thread>

namespace relist::command {

// SIGTERM, SIGINT, SIGQUIT and SIGHUP; a SIGHUP that whoever started us ignores (nohup) stays
// ignored, and is none of them.
sigset_t LeaveSignalSet();
// They are waited for, never handled. For commands that stay; elsewhere they end the process as
// they always do.
void BlockLeaveSignals();

class Console {
 public:
  struct Callbacks {
    std::function<void(const std::string&)> on_line;  // without its newline
    std::function<void()> on_leave;                   // once: input ended, or a signal came
  };
  explicit Console(Callbacks callbacks);
  ~Console();
  Console(const Console&) = delete;
  Console& operator=(const Console&) = delete;

 private:
  void Run();
  // False at the end of input.
  bool ReadLines(std::string* pending);
  Callbacks callbacks_;
  int signals_;
  int wake_;
  std::thread thread_;
};

}  // namespace relist::command
