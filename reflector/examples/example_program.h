// What the examples have in common: where the server is, a loop, a client, and leaving at SIGTERM
// or Ctrl-C. A program of your own needs no more than this.
//
//   Result<ExampleOptions> options = ReadExampleOptions(argc, argv, {"identity"});
//   if (!options.ok()) return Complain(options.error());
//   ExampleProgram program(*options);          // first of all: it blocks the signals
//   ... handlers, informers ...
//   TaskScope scope(program.loop);             // last: its tasks borrow from all of these
//   scope.Spawn(informer.Run(program.stop));
//   program.RunUntilStopped(scope);
#pragma once

#include <functional>
#include <map>
#include <string>
#include <thread>  // tidy: waits for signals and for standard input
#include <vector>

#include "core/choices.h"
#include "core/result.h"
#include "core/runtime/loop.h"
#include "core/runtime/socket_port.h"
#include "reflector/rest/rest_client.h"

namespace relist::examples {

struct ExampleOptions {
  RestClientOptions rest;
  std::string ns = "default";               // --namespace, or the kubeconfig's
  std::map<std::string, std::string> more;  // others that the example takes, by name
};

// --kubeconfig FILE (by default $KUBECONFIG, or ~/.kube/config) or --server URL; --namespace NS;
// and those named in `more`.
Result<ExampleOptions> ReadExampleOptions(int argc, char** argv,
                                          const std::vector<std::string>& more = {});

// A line on standard error; 1, for main to return.
int Complain(const Error& error);

class ExampleProgram {
 public:
  // `on_line`, if given, is called on the loop for each line of standard input.
  explicit ExampleProgram(const ExampleOptions& options,
                          std::function<void(const std::string&)> on_line = {});
  ~ExampleProgram();

  // Runs the loop until `stop` is set and all tasks of `scope` have ended.
  void RunUntilStopped(TaskScope& scope);

  SocketPort port;
  SeededChoices choices;
  Loop loop;
  Signal stop;
  RestClient rest;

 private:
  void WaitForSignals(const std::function<void(const std::string&)>& on_line);
  int signals_, wake_;
  std::thread waiter_;
};

}  // namespace relist::examples
