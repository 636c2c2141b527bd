// The same work for client-go's informers and for ours, against one server of ours, in turns on one
// machine: CPU seconds of the client, read from outside.
#include <poll.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/check.h"
#include "tools/benchmarks/child_process.h"
#include "tools/benchmarks/figures.h"
#include "tools/benchmarks/plain_client.h"
#include "tools/benchmarks/server_process.h"

namespace relist::benchmarks {
namespace {

constexpr int kTurnsBesideGo = 3;
constexpr int kHeld = 100000;
constexpr int kLive = 20000, kBurst = 20000;
constexpr char kHeldTarget[] = "/api/v1/configmaps";

// Which informers are measured; the first two are client-go's.
enum Face { kGoTyped, kGoDynamic, kRaw, kFaces };
constexpr const char* kFaceNames[] = {"client-go typed", "client-go dynamic", "raw"};

class InformerProcess {
 public:
  InformerProcess(Face face, bool streaming, const std::string& client, const ServerAddress& server)
      : child_(Words(face, streaming, client, server), SIGKILL) {
    const std::string line = child_.ReadLine();
    CHECK(line.starts_with("synced "), "{} said: {}", kFaceNames[face], line);
    calls_ = std::stoll(line.substr(7));
  }
  int64_t calls() const { return calls_; }
  double CpuSeconds() const { return child_.CpuSeconds(); }
  double ResidentMegabytes() const { return child_.ResidentMegabytes(); }
  // Returns when the handler was called so often, since the start.
  void Await(int64_t calls) {
    child_.WriteLine(std::to_string(calls));
    const std::string line = child_.ReadLine();
    CHECK(line.starts_with("count "), "an informer said: {}", line);
    calls_ = std::stoll(line.substr(6));
  }

 private:
  static std::vector<std::string> Words(Face face, bool streaming, const std::string& client,
                                        const ServerAddress& server) {
    const std::string url = "http://127.0.0.1:" + std::to_string(server.port);
    const std::string mode = streaming ? "stream" : "list";
    if (face == kRaw)
      return {std::filesystem::read_symlink("/proc/self/exe"),
              "--informer",
              "raw",
              mode,
              "--server",
              url};
    return {client, face == kGoTyped ? "typed" : "dynamic", mode, "--server", url};
  }
  ChildProcess child_;
  int64_t calls_ = 0;
};

double MedianOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

using Rates = std::map<Face, std::vector<double>>;

// What a figure has to be, in times client-go's typed and dynamic informers.
struct Least {
  double typed = 0, dynamic = 0;
};

void AddTimes(Figures& figures, const std::string& what, const std::string& unit, Rates& rates,
              Face ours, Least least) {
  const double go_typed = MedianOf(rates[kGoTyped]), go_dynamic = MedianOf(rates[kGoDynamic]);
  const double value = MedianOf(rates[ours]);
  figures.Add({what + ", client-go typed", go_typed, unit, {}});
  figures.Add({what + ", client-go dynamic", go_dynamic, unit, {}});
  figures.Add({what + ", " + kFaceNames[ours], value, unit, {}});
  figures.Add({what + ", " + kFaceNames[ours] + ": times client-go typed",
               value / go_typed,
               "",
               {.least = least.typed}});
  if (least.dynamic > 0)
    figures.Add({what + ", " + kFaceNames[ours] + ": times client-go dynamic",
                 value / go_dynamic,
                 "",
                 {.least = least.dynamic}});
}

// From nothing to synced; and what is resident then, beside the JSON that is held.
void AddIngest(Figures& figures, const std::string& client, const ServerAddress& server,
               bool streaming) {
  Rates rates, memory;
  for (int round = 0; round < kTurnsBesideGo; ++round) {
    for (int face = 0; face < kFaces; ++face) {
      InformerProcess informer(static_cast<Face>(face), streaming, client, server);
      CHECK(informer.calls() >= kHeld, "only {} objects", informer.calls());
      rates[static_cast<Face>(face)].push_back(static_cast<double>(informer.calls()) /
                                               informer.CpuSeconds());
      memory[static_cast<Face>(face)].push_back(informer.ResidentMegabytes());
    }
  }
  const std::string mode = streaming ? " by streaming list" : " by list";
  AddTimes(figures, "ingest of 100,000" + mode, "objects/CPU s", rates, kRaw, {13, 16});
  PlainConnection connection(server);
  connection.Exchange(GetRequest(server, std::string(kHeldTarget) + "?resourceVersion=0"));
  const double json = static_cast<double>(connection.answer().size()) / 1e6;
  figures.Add({"JSON of 100,000 objects", json, "MB", {}});
  for (int face = 0; face < kFaces; ++face) {
    const double resident = MedianOf(memory[static_cast<Face>(face)]);
    Bound bound;
    if (face == kRaw) bound.most = 1.6;
    figures.Add({std::string("resident then") + mode + ", " + kFaceNames[face] + ": times the JSON",
                 resident * 1.048576 / json, "", bound});
  }
}

// Live events through to the handler: `pace` a second, or as fast as they are written.
double LiveRate(InformerProcess& informer, const ServerAddress& server, int first, int count,
                double pace) {
  const double start = informer.CpuSeconds();
  const int64_t wanted = informer.calls() + count;
  if (pace <= 0) {
    CreateConfigMaps(server, {.first = first, .count = count});
  } else {
    constexpr int kSlice = 100;
    const double begin = WallSeconds();
    for (int done = 0; done < count; done += kSlice) {
      CreateConfigMaps(server, {.first = first + done, .count = kSlice, .writers = 4});
      while (WallSeconds() - begin < (done + kSlice) / pace) poll(nullptr, 0, 1);
    }
  }
  informer.Await(wanted);
  return count / (informer.CpuSeconds() - start);
}

void AddLive(Figures& figures, const std::string& client) {
  Rates paced, burst;
  for (int round = 0; round < kTurnsBesideGo; ++round) {
    for (int face = 0; face < kFaces; ++face) {
      ServerProcess server({"--history", "none"});
      InformerProcess informer(static_cast<Face>(face), true, client, server.address());
      LiveRate(informer, server.address(), 0, 2000, 0);  // what is done for the first time is done
      burst[static_cast<Face>(face)].push_back(
          LiveRate(informer, server.address(), kBurst, kBurst, 0));
      paced[static_cast<Face>(face)].push_back(
          LiveRate(informer, server.address(), 4 * kBurst, kLive, 2000));
    }
  }
  AddTimes(figures, "live events at 2,000 a second", "events/CPU s", paced, kRaw, {.typed = 4});
  AddTimes(figures, "live events in a burst", "events/CPU s", burst, kRaw, {.typed = 8});
}

// The watch is broken and its version is too old: every object comes again, unchanged.
void AddRelist(Figures& figures, const std::string& client, const ServerAddress& server) {
  Rates rates;
  for (int face = 0; face < kFaces; ++face) {
    InformerProcess informer(static_cast<Face>(face), false, client, server);
    for (int round = 0; round < kTurnsBesideGo; ++round) {
      const double start = informer.CpuSeconds();
      PlainConnection connection(server);
      connection.Exchange(PostRequest(server, "/relist/v1/restart", ""));
      informer.Await(informer.calls() + kHeld);
      rates[static_cast<Face>(face)].push_back(kHeld / (informer.CpuSeconds() - start));
    }
  }
  AddTimes(figures, "relist of 100,000 that are unchanged", "objects/CPU s", rates, kRaw,
           {.typed = 10});
}

}  // namespace

void MeasureBesideClientGo(Figures& figures, const std::string& client) {
  ServerProcess server({"--history", "none"});
  CreateConfigMaps(server.address(), {.count = kHeld});
  AddIngest(figures, client, server.address(), false);
  AddIngest(figures, client, server.address(), true);
  AddRelist(figures, client, server.address());
  AddLive(figures, client);
}

}  // namespace relist::benchmarks
