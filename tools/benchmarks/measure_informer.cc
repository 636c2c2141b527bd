// What our informer costs: 100,000 objects from a server in another process into its store.
#include "core/check.h"
#include "core/choices.h"
#include "core/runtime/loop.h"
#include "core/runtime/socket_port.h"
#include "reflector/informers/shared_informer.h"
#include "reflector/rest/rest_client.h"
#include "reflector/rest/rest_lister_watcher.h"
#include "tools/benchmarks/figures.h"
#include "tools/benchmarks/plain_client.h"
#include "tools/benchmarks/server_process.h"

namespace relist::benchmarks {
namespace {

constexpr int kObjects = 100000;

class CountingHandler : public ResourceEventHandler {
 public:
  void OnAdd(const ObjectRef&, bool) override { ++added; }
  void OnUpdate(const ObjectRef&, const ObjectRef&) override {}
  void OnDelete(const Deleted&) override {}
  std::atomic<int> added = 0;
};

// One informer's life, from nothing until its handler has seen everything.
void IngestOnce(int port_number, bool streaming) {
  SocketPort port;
  SeededChoices choices(1);
  Loop loop(port);
  RestClient rest(loop, {.endpoint = {.host = "127.0.0.1", .port = port_number, .tls = nullptr}});
  RestListerWatcher lister(rest, {"", "v1", "configmaps", "ConfigMap", true}, "", {}, nullptr);
  CountingHandler handler;
  InformerOptions options;
  options.reflector.choices = &choices;
  options.reflector.streaming_list = streaming;
  options.handler_threads = HandlerThreads::kOwnThread;
  SharedInformer informer(loop, lister, std::move(options));
  const auto listener = informer.AddEventHandler(handler);
  Signal stop;
  TaskScope scope(loop);
  scope.Spawn(informer.Run(stop));
  loop.RunUntil([&] { return (*listener)->HasSynced(); });
  CHECK(handler.added == kObjects, "the handler saw {} objects", handler.added.load());
  stop.Set();
  loop.RunUntil([&] { return scope.empty(); });
}

void MeasureIngestOf(Figures& figures, int port, bool streaming, const std::string& name) {
  int rounds = 0;
  const double cpu = OwnCpuSeconds();
  while (OwnCpuSeconds() - cpu < 1) {
    IngestOnce(port, streaming);
    ++rounds;
  }
  figures.Add({name, rounds * kObjects / (OwnCpuSeconds() - cpu), "objects/CPU s", {}});
}

}  // namespace

void MeasureIngest(Figures& figures) {
  ServerProcess server({"--history", "none", "--watch-window", "1000000"});
  CreateConfigMaps(server.address(), {.count = kObjects});
  MeasureIngestOf(figures, server.address().port, true,
                  "informer ingest of 100,000 objects of 1 KB, streaming list");
  MeasureIngestOf(figures, server.address().port, false,
                  "informer ingest of 100,000 objects of 1 KB, list");
}

}  // namespace relist::benchmarks
