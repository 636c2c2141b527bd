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
#include "reflector/informers/informer.h"
#include "reflector/informers/shared_informer.h"
#include "reflector/objects/config_map.h"
#include "reflector/rest/kubeconfig.h"
#include "reflector/rest/rest_client.h"
#include "reflector/rest/rest_lister_watcher.h"

namespace relist::benchmarks {
namespace {

constexpr int kGlanceMs = 2;

template <class Ref>
class CallCounter : public EventHandlerOf<Ref> {
 public:
  void OnAdd(const Ref&, bool) override { ++calls; }
  void OnUpdate(const Ref&, const Ref&) override { ++calls; }
  void OnDelete(const DeletedOf<Ref>&) override { ++calls; }
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

// Runs an informer, and answers the lines of standard input, until that ends.
template <class AnInformer, class Ref>
void Serve(const std::vector<std::string>& words) {
  SocketPort port;
  SeededChoices choices(1);
  Loop loop(port);
  RestClient rest(loop, OptionsFrom(words[2], words[3]));
  RestListerWatcher lister(rest, {"", "v1", "configmaps", "ConfigMap", true}, "", {}, nullptr);
  CallCounter<Ref> handler;
  InformerOptions options;
  options.reflector.choices = &choices;
  options.reflector.streaming_list = words[1] == "stream";
  options.handler_threads = HandlerThreads::kOwnThread;
  AnInformer informer(loop, lister, std::move(options));
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
}

}  // namespace

int RunInformer(const std::vector<std::string>& words) {
  CHECK(words.size() == 4, "--informer raw|typed list|stream --server URL");
  if (words[0] == "typed") {
    Serve<Informer<objects::ConfigMap>, TypedRef<objects::ConfigMap>>(words);
  } else {
    CHECK(words[0] == "raw", "--informer raw|typed, not {}", words[0]);
    Serve<SharedInformer, ObjectRef>(words);
  }
  return 0;
}

}  // namespace relist::benchmarks
