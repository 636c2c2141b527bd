// What the server costs, seen from another process: start, memory, lists, fan-out.
#include <algorithm>
#include <string>
#include <vector>

#include "tools/benchmarks/figures.h"
#include "tools/benchmarks/plain_client.h"
#include "tools/benchmarks/server_process.h"

namespace relist::benchmarks {
namespace {

constexpr char kCollection[] = "/api/v1/namespaces/default/configmaps";

}  // namespace

void MeasureStart(Figures& figures) {
  std::vector<double> times;
  double memory = 0;
  for (int i = 0; i < 21; ++i) {
    const double start = WallSeconds();
    ServerProcess server({});
    PlainConnection connection(server.address());
    connection.Exchange(GetRequest(server.address(), "/version"));
    times.push_back((WallSeconds() - start) * 1000);
    memory = std::max(memory, server.ResidentMegabytes());
  }
  std::sort(times.begin(), times.end());
  figures.Add({"process start to first 200, median of 21", times[10], "ms", {.most = 20}});
  figures.Add({"idle memory", memory, "MB", {.most = 15}});
}

void MeasureMemory(Figures& figures) {
  ServerProcess server({});
  std::vector<PlainConnection> silent;
  silent.reserve(5000);
  for (int i = 0; i < 5000; ++i) silent.emplace_back(server.address());
  const double start = WallSeconds();
  WatchCrowd watches(server.address(), 1000, std::string(kCollection) + "?watch=true");
  figures.Add({"opening 1,000 watches beside 5,000 silent connections",
               WallSeconds() - start,
               "s",
               {.most = 2}});
  figures.Add({"memory with 5,000 silent connections and 1,000 watches",
               server.ResidentMegabytes(),
               "MB",
               {.most = 30}});
  figures.Add({"threads then", static_cast<double>(server.Threads()), "", {.most = 3}});
}

void MeasureList(Figures& figures) {
  constexpr int kObjects = 10000;
  ServerProcess server({"--history", "none"});
  CreateConfigMaps(server.address(), {.count = kObjects});
  PlainConnection connection(server.address());
  const std::string request =
      GetRequest(server.address(), std::string(kCollection) + "?resourceVersion=0");
  connection.Exchange(request);
  int lists = 0;
  const double cpu = server.CpuSeconds();
  const double wall = WallSeconds();
  while (server.CpuSeconds() - cpu < 1) {
    connection.Exchange(request);
    ++lists;
  }
  const double used = server.CpuSeconds() - cpu;
  figures.Add({"list of 10,000 objects of 1 KB: objects a CPU second",
               lists * kObjects / used,
               "objects/CPU s",
               {}});
  figures.Add({"the same list, from request to last byte",
               (WallSeconds() - wall) / lists * 1000,
               "ms",
               {}});
  figures.Add({"its size", static_cast<double>(connection.answer().size()) / 1e6, "MB", {}});
}

void MeasureFanOut(Figures& figures) {
  constexpr int kWatchers = 300;
  constexpr int kBurst = 20;
  ServerProcess server({"--history", "none"});
  WatchCrowd watches(server.address(), kWatchers, std::string(kCollection) + "?watch=true");
  PlainConnection writer(server.address());
  uint64_t events = 0;
  int writes = 0;
  const double cpu = server.CpuSeconds();
  const double wall = WallSeconds();
  while (server.CpuSeconds() - cpu < 1) {
    for (int i = 0; i < kBurst; ++i) {
      writer.Exchange(PostRequest(server.address(), kCollection,
                                  ConfigMapOf("c" + std::to_string(writes++), 1300)));
    }
    watches.ReadEvents(kBurst * kWatchers);
    events += kBurst * kWatchers;
  }
  const double used = server.CpuSeconds() - cpu;
  figures.Add({"live fan-out of 1.3 KB to 300 watchers: events a CPU second",
               static_cast<double>(events) / used,
               "events/CPU s",
               {}});
  figures.Add({"the same, events a second with writer and readers on this machine",
               static_cast<double>(events) / (WallSeconds() - wall),
               "events/s",
               {}});
}

}  // namespace relist::benchmarks
