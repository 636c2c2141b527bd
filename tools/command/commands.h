// The commands. Each returns the exit status (ExitStatus in command_line.h) and says on standard
// error, in one line, why it is not 0.
#pragma once

#include "tools/command/command_line.h"

namespace relist::command {

// The fake apiserver, until a signal (leave_signals.h). Prints where it is when, and only when, it
// can be reached.
int Serve(const ServeOptions& options);
// Our informer, speaking the client protocol, until standard input ends, or one of
// these signals.
int Watch(const WatchOptions& options);
// Scenarios, one after another, with a line for each; 0 only if all kept what they promise. Signals
// end it as they end any program; a report is there as a whole, or not at all.
int Run(const RunOptions& options);
// One scenario, or a saved tape, with its history on the screen.
int Replay(const ReplayOptions& options);
// A server's history and clients' logs, by all checkers; what broke, and what was not judged.
int Check(const CheckOptions& options);
// The smallest script that fails as this one does; 0 if there is one.
int Shrink(const ShrinkOptions& options);

}  // namespace relist::command
