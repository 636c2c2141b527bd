// A program that is run for what it prints, without holding up the loop.
//
//   ProcessSpec spec{.command = "aws", .args = {"eks", "get-token"}, .environment =
//   {"HOME=/root"}}; Task<Result<ProcessOutput>> run = RunProcess(loop, spec, stop);
//   Result<ProcessOutput> done = co_await run;
//
// The loop looks after it every few milliseconds: no thread, and no SIGCHLD handler of the
// process's that would have to be ours. Standard error is inherited; standard input is the
// terminal's where it is interactive, else empty. It is killed, with all that it started (unless
// interactive), when `stop` is set, when the deadline passes, when it prints too much, and when the
// task is destroyed.
//
// Errors, each a line: IsNoSuchProgram where it is not there ("executable aws not found"),
// kTimeout at the deadline, kStopped, kOther. A program that fails is no error: look at exit_code.
#pragma once

#include <string>
#include <vector>

#include "core/result.h"
#include "core/runtime/loop.h"
#include "core/time.h"

namespace relist {

struct ProcessSpec {
  std::string command;  // with a slash: that file; without: looked for in PATH
  std::vector<std::string> args;
  std::vector<std::string> environment;  // all of it, "NAME=value"
  bool interactive = false;
  Duration deadline = Seconds(60);      // of the loop's time
  size_t output_max = size_t{1} << 20;  // bytes
};

struct ProcessOutput {
  int exit_code = 0;  // -1: a signal ended it
  int signal = 0;
  std::string text;  // its standard output
};

Task<Result<ProcessOutput>> RunProcess(Loop& loop, ProcessSpec spec, Signal& stop);

// The program of a spec cannot be started because it is not there.
bool IsNoSuchProgram(const Error& error);

}  // namespace relist
