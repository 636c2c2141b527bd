// Keeps a map of deployments by namespace, and prints it whenever a line comes on standard input.
//
//   build/dev/reflector/examples/deployment_map --kubeconfig FILE
//   build/dev/reflector/examples/deployment_map --server http://127.0.0.1:8001   # kubectl proxy
//
// "ready" when it holds what there was at first; for each line of input the map, "default: api
// web", a namespace a line, and a line "end". Until SIGTERM or Ctrl-C.
#include <fmt/core.h>
#include <fmt/ranges.h>

#include <map>
#include <set>
#include <string>

#include "reflector/examples/example_program.h"
#include "reflector/informers/shared_informer.h"
#include "reflector/rest/rest_lister_watcher.h"

namespace relist::examples {
namespace {

// Names by namespace, as the handlers have been told. Handlers run on the loop here, and so does
// Print: nothing needs a lock.
class DeploymentMap : public ResourceEventHandler {
 public:
  void OnAdd(const ObjectRef& object, bool) override {
    names_[object->key().ns].insert(object->key().name);
  }
  void OnUpdate(const ObjectRef&, const ObjectRef&) override {}
  void OnDelete(const Deleted& deleted) override {
    const auto found = names_.find(deleted.key.ns);
    if (found == names_.end()) return;
    found->second.erase(deleted.key.name);
    if (found->second.empty()) names_.erase(found);
  }
  void Print() const {
    for (const auto& [ns, names] : names_) fmt::print("{}: {}\n", ns, fmt::join(names, " "));
    fmt::print("end\n");
  }

 private:
  std::map<std::string, std::set<std::string>> names_;
};

Task<void> PrintReady(ExampleProgram& program, Signal& synced) {
  Select which(program.loop, synced, program.stop);
  co_await which;
  if (synced.Ready()) fmt::print("ready\n");
}

int KeepMap(const ExampleOptions& options) {
  DeploymentMap map;
  ExampleProgram program(options, [&map](const std::string&) { map.Print(); });
  RestListerWatcher lister(program.rest, {"apps", "v1", "deployments", "Deployment"}, "", {},
                           nullptr);
  InformerOptions informer_options;
  informer_options.reflector.choices = &program.choices;
  informer_options.reflector.watch_error_handler = [](const Error& error) { Complain(error); };
  SharedInformer informer(program.loop, lister, std::move(informer_options));
  const auto listener = informer.AddEventHandler(map);
  TaskScope scope(program.loop);
  scope.Spawn(informer.Run(program.stop));
  scope.Spawn(PrintReady(program, (*listener)->synced()));
  program.RunUntilStopped(scope);
  return 0;
}

}  // namespace
}  // namespace relist::examples

int main(int argc, char** argv) {
  const auto options = relist::examples::ReadExampleOptions(argc, argv);
  if (!options.ok()) return relist::examples::Complain(options.error());
  return relist::examples::KeepMap(*options);
}
