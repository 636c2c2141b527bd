// Standard input, line by line, and the signals that ask a program to leave, on a thread of its
// own.
//
//   BlockSignals();                     // in main, before any thread
//   Console console({.on_line = ..., .on_leave = ...});
//
// Callbacks come from the console's thread; the destructor ends it, also while it waits for input.
#pragma once

#include <functional>
#include <string>
#include <thread>

namespace relist::command {

// SIGTERM and SIGINT are waited for, never handled; a reader that goes away is an error of write().
void BlockSignals();
// Waits for SIGTERM or SIGINT.
void WaitForSignal();

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
