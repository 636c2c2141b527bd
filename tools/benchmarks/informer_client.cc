#include "tools/benchmarks/informer_client.h"

#include <fmt/core.h>
#include <poll.h>

#include <atomic>
#include <cstdio>
#include <iostream>
#include <thread>

#include "core/check.h"
#include "core/choices.h"
#include "core/runtime/loop.h"
#include "core/runtime/socket_port.h"
#include "reflector/informers/shared_informer.h"
#include "reflector/rest/kubeconfig.h"
#include "reflector/rest/rest_client.h"
#include "reflector/rest/rest_lister_watcher.h"

namespace relist::benchmarks {
namespace {

constexpr int kGlanceMs = 2;

class CallCounter : public ResourceEventHandler {
 public:
  void OnAdd(const ObjectRef&, bool) override { ++calls; }
  void OnUpdate(const ObjectRef&, const ObjectRef&) override { ++calls; }
  void OnDelete(const Deleted&) override { ++calls; }
  std::atomic<int64_t> calls = 0;
};

RestClientOptions OptionsFrom(const std::string& option, const std::string& value) {
  if (option == "--kubeconfig") {
    Result<Kubeconfig> config = LoadKubeconfig(value);
    CHECK(config.ok(), "{}", config.error().message());
    config->rest.qps = 0;
    return config->rest;
  }
  CHECK(option == "--server", "{}: --server URL, or --kubeconfig FILE", option);
  const Result<ServerUrl> url = ParseServerUrl(value);
  CHECK(url.ok(), "{}", url.error().message());
  return {.endpoint = {.host = url->host, .port = url->port, .tls = nullptr}, .qps = 0};
}

void Print(const char* word, int64_t calls) {
  fmt::print("{} {}\n", word, calls);
  std::fflush(stdout);
}

}  // namespace

int RunInformer(const std::vector<std::string>& words) {
  CHECK(words.size() == 4 && words[0] == "raw", "--informer raw list|stream --server URL");
  SocketPort port;
  SeededChoices choices(1);
  Loop loop(port);
  RestClient rest(loop, OptionsFrom(words[2], words[3]));
  RestListerWatcher lister(rest, {"", "v1", "configmaps", "ConfigMap", true}, "", {}, nullptr);
  CallCounter handler;
  InformerOptions options;
  options.reflector.choices = &choices;
  options.reflector.streaming_list = words[1] == "stream";
  options.handler_threads = HandlerThreads::kOwnThread;
  SharedInformer informer(loop, lister, std::move(options));
  const auto listener = informer.AddEventHandler(handler);
  Signal stop;
  TaskScope scope(loop);
  scope.Spawn(informer.Run(stop));
  loop.RunUntil([&] { return (*listener)->HasSynced(); });
  Print("synced", handler.calls);
  std::atomic<bool> over = false;
  std::thread reader([&] {
    for (std::string line; std::getline(std::cin, line);) {
      while (handler.calls < std::stoll(line)) poll(nullptr, 0, kGlanceMs);
      Print("count", handler.calls);
    }
    over = true;
    loop.PostFromThread([] {});
  });
  loop.RunUntil([&] { return over.load(); });
  reader.join();
  stop.Set();
  loop.RunUntil([&] { return scope.empty(); });
  return 0;
}

}  // namespace relist::benchmarks
