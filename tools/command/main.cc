// relist: see README.md.
#include <fmt/format.h>

#include <exception>
#include <variant>

#include "tools/command/command_line.h"
#include "tools/command/commands.h"
#include "tools/command/output.h"

namespace relist::command {
namespace {

struct Dispatch {
  const ParsedCommandLine& parsed;
  int operator()(std::monostate) const {
    if (parsed.exit_status != kGood) {
      SayError(parsed.message);
      return parsed.exit_status;
    }
    const Result<void> said = Say(parsed.message);
    return said.ok() ? kGood : Fail(said.error());
  }
  int operator()(const ServeOptions& options) const { return Serve(options); }
  int operator()(const WatchOptions& options) const { return Watch(options); }
  int operator()(const RunOptions& options) const { return Run(options); }
  int operator()(const ReplayOptions& options) const { return Replay(options); }
  int operator()(const CheckOptions& options) const { return Check(options); }
  int operator()(const ShrinkOptions& options) const { return Shrink(options); }
};

int Main(int argc, char** argv) {
  HoldStandardStreams();
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
    relist::command::Complain(fmt::format("a bug in relist: {}", failure.what()));
    return relist::command::kUsage;
  }
}
