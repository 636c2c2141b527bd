// Stands for election on a lease, and works while it leads.
//
//   build/dev/reflector/examples/leader --kubeconfig FILE --identity one --lease my-controller
//   build/dev/reflector/examples/leader --kubeconfig FILE --identity two --lease my-controller
//
// Start several, and stop or kill the one that leads: another takes over, at once where it was
// stopped (it gives the lease back), after 15 seconds where it was killed. --namespace says where
// the lease is. A line each: "the leader is one", "leading", "no longer leading"; SIGTERM or Ctrl-C
// ends it, as does the loss of the lease.
#include <fmt/core.h>

#include "reflector/election/leader_elector.h"
#include "reflector/election/lease_lock.h"
#include "reflector/examples/example_program.h"

namespace relist::examples {
namespace {

// What only one may do.
Task<void> Lead(ExampleProgram& program, Signal& lost) {
  fmt::print("leading\n");
  Select which(program.loop, lost);
  co_await which;
  fmt::print("no longer leading\n");
}

int Elect(ExampleOptions options) {
  ExampleProgram program(options);
  LeaseLock lock(program.rest,
                 {.ns = options.ns,
                  .name = options.more.contains("lease") ? options.more["lease"] : "relist-example",
                  .identity = options.more["identity"]});
  LeaderElectionOptions election;
  election.choices = &program.choices;
  election.release_on_cancel = true;
  election.log = StderrLog();
  election.on_started_leading = [&program](Signal& lost) { return Lead(program, lost); };
  election.on_stopped_leading = [&program] { program.stop.Set(); };
  election.on_new_leader = [](const std::string& who) {
    fmt::print("the leader is {}\n", who.empty() ? "nobody" : who);
  };
  const auto elector = LeaderElector::Make(program.loop, lock, std::move(election));
  if (!elector.ok()) return Complain(elector.error());
  TaskScope scope(program.loop);
  scope.Spawn((*elector)->Run(program.stop));
  program.RunUntilStopped(scope);
  return 0;
}

}  // namespace
}  // namespace relist::examples

int main(int argc, char** argv) {
  const auto options = relist::examples::ReadExampleOptions(argc, argv, {"identity", "lease"});
  if (!options.ok()) return relist::examples::Complain(options.error());
  return relist::examples::Elect(*options);
}
