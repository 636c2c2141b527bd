// Ten thousand open watches of one server, whose other ends are in this process.
#include <algorithm>
#include <string>
#include <vector>

#include "tools/benchmarks/figures.h"
#include "tools/benchmarks/plain_client.h"
#include "tools/benchmarks/server_process.h"

namespace relist::benchmarks {
namespace {

constexpr int kWatches = 10000;
constexpr int kUpdates = 9;
constexpr char kWatched[] = "/api/v1/namespaces/default/configmaps";

void MeasurePumpOf(Figures& figures, const std::vector<std::string>& options,
                   const std::string& how, double most_megabytes, double most_seconds) {
  ServerProcess server(options);
  const double start = WallSeconds();
  WatchCrowd watches(server.address(), kWatches, std::string(kWatched) + "?watch=true");
  const double opening = WallSeconds() - start;
  PlainConnection writer(server.address());
  std::vector<double> times;
  for (int i = 0; i < kUpdates; ++i) {
    const double written = WallSeconds();
    writer.Exchange(
        PostRequest(server.address(), kWatched, ConfigMapOf("c" + std::to_string(i), 1024)));
    watches.ReadEvents(kWatches);
    times.push_back(WallSeconds() - written);
  }
  std::sort(times.begin(), times.end());
  figures.Add({"opening 10,000 watches" + how, opening, "s", {}});
  figures.Add({"memory with 10,000 watches" + how,
               server.ResidentMegabytes(),
               "MB",
               {.most = most_megabytes}});
  figures.Add({"one update reaches all 10,000" + how + ", median of 9",
               times[kUpdates / 2],
               "s",
               {.most = most_seconds}});
}

}  // namespace

void MeasurePump(Figures& figures) {
  MeasurePumpOf(figures, {"--history", "none"}, ", plain", 60, 0.3);
  MeasurePumpOf(figures, {"--tls", "--history", "none"}, " over TLS", 400, 1);
}

}  // namespace relist::benchmarks
