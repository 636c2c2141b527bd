// Prints deployments of all namespaces by name, as they come, change and go.
//
//   build/dev/reflector/examples/print_deployments --kubeconfig FILE
//   build/dev/reflector/examples/print_deployments --server http://127.0.0.1:8001   # kubectl proxy
//
// A line each: "added default/web", "updated ...", "deleted ...", and "synced" after those that
// were there at first. Until SIGTERM or Ctrl-C.
#include <fmt/core.h>

#include "reflector/examples/example_program.h"
#include "reflector/informers/shared_informer.h"
#include "reflector/rest/rest_lister_watcher.h"

namespace relist::examples {
namespace {

class PrintNames : public ResourceEventHandler {
 public:
  void OnAdd(const ObjectRef& object, bool) override {
    fmt::print("added {}\n", object->key().ToString());
  }
  void OnUpdate(const ObjectRef&, const ObjectRef& object) override {
    fmt::print("updated {}\n", object->key().ToString());
  }
  void OnDelete(const Deleted& deleted) override {
    fmt::print("deleted {}\n", deleted.key.ToString());
  }
};

Task<void> PrintSynced(ExampleProgram& program, Signal& synced) {
  Select which(program.loop, synced, program.stop);
  co_await which;
  if (synced.Ready()) fmt::print("synced\n");
}

int PrintDeployments(const ExampleOptions& options) {
  ExampleProgram program(options);
  RestListerWatcher lister(program.rest, {"apps", "v1", "deployments", "Deployment"}, "", {},
                           nullptr);
  InformerOptions informer_options;
  informer_options.reflector.choices = &program.choices;
  informer_options.reflector.watch_error_handler = [](const Error& error) { Complain(error); };
  SharedInformer informer(program.loop, lister, std::move(informer_options));
  PrintNames handler;
  const auto listener = informer.AddEventHandler(handler);
  TaskScope scope(program.loop);
  scope.Spawn(informer.Run(program.stop));
  scope.Spawn(PrintSynced(program, (*listener)->synced()));
  program.RunUntilStopped(scope);
  return 0;
}

}  // namespace
}  // namespace relist::examples

int main(int argc, char** argv) {
  const auto options = relist::examples::ReadExampleOptions(argc, argv);
  if (!options.ok()) return relist::examples::Complain(options.error());
  return relist::examples::PrintDeployments(*options);
}
