// relist: see README.md.
#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <variant>

#include "tools/command/command_line.h"
#include "tools/command/commands.h"

namespace relist::command {
namespace {

struct Dispatch {
  const ParsedCommandLine& parsed;
  int operator()(std::monostate) const {
    fmt::print(parsed.exit_status == kGood ? stdout : stderr, "{}", parsed.message);
    return parsed.exit_status;
  }
  int operator()(const ServeOptions& options) const { return Serve(options); }
  int operator()(const WatchOptions& options) const { return Watch(options); }
  int operator()(const RunOptions& options) const { return Run(options); }
  int operator()(const ReplayOptions& options) const { return Replay(options); }
};

int Main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader that goes away is an error of write()
  const ParsedCommandLine parsed = ParseCommandLine(argc, argv);
  return std::visit(Dispatch{parsed}, parsed.command);
}

}  // namespace
}  // namespace relist::command

int main(int argc, char** argv) {
  try {
    return relist::command::Main(argc, argv);
  } catch (const std::exception& failure) {
    // A CHECK: what a peer or a user can cause is an Error and never comes here.
    fmt::print(stderr, "relist: a bug in relist: {}\n", failure.what());
    return relist::command::kUsage;
  }
}
