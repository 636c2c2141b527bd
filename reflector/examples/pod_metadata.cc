// A cache of the metadata of every pod: names, labels, owners, without specs and statuses, which
// are most of what a pod is.
//
//   build/dev/reflector/examples/pod_metadata --kubeconfig FILE
//   build/dev/reflector/examples/pod_metadata --server http://127.0.0.1:8001   # kubectl proxy
//
// "holds 120 pods, 84213 bytes" when it holds what there was at first; then, for each line of
// standard input, "default/web", that pod's metadata as JSON, or "none default/web". Until SIGTERM
// or Ctrl-C.
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "reflector/examples/example_program.h"
#include "reflector/informers/shared_informer.h"
#include "reflector/rest/rest_lister_watcher.h"

namespace relist::examples {
namespace {

void PrintMetadata(const Indexer& pods, const std::string& key) {
  const ObjectRef pod = pods.Get(ObjectKey::Parse(key));
  if (pod) {
    fmt::print("{}\n", pod->json()["metadata"].dump());
  } else {
    fmt::print("none {}\n", key);
  }
}

Task<void> PrintSizes(ExampleProgram& program, SharedInformer& informer) {
  Select which(program.loop, informer.synced(), program.stop);
  co_await which;
  if (!informer.HasSynced()) co_return;
  const std::vector<ObjectRef> pods = informer.indexer().List();
  size_t bytes = 0;
  for (const ObjectRef& pod : pods) bytes += pod->bytes().size();
  fmt::print("holds {} pods, {} bytes\n", pods.size(), bytes);
}

int CachePods(const ExampleOptions& options) {
  const Indexer* held = nullptr;
  ExampleProgram program(options, [&held](const std::string& key) { PrintMetadata(*held, key); });
  RestListerWatcher lister(program.rest, {"", "v1", "pods", "Pod"}, "", {.metadata_only = true},
                           nullptr);
  InformerOptions informer_options;
  informer_options.reflector.choices = &program.choices;
  informer_options.reflector.watch_error_handler = [](const Error& error) { Complain(error); };
  SharedInformer informer(program.loop, lister, std::move(informer_options));
  held = &informer.indexer();
  TaskScope scope(program.loop);
  scope.Spawn(informer.Run(program.stop));
  scope.Spawn(PrintSizes(program, informer));
  program.RunUntilStopped(scope);
  return 0;
}

}  // namespace
}  // namespace relist::examples

int main(int argc, char** argv) {
  const auto options = relist::examples::ReadExampleOptions(argc, argv);
  if (!options.ok()) return relist::examples::Complain(options.error());
  return relist::examples::CachePods(*options);
}
