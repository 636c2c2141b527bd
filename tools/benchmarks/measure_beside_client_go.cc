// The same work for client-go's informers and for ours, against one server of ours, in turns on one
// machine: CPU seconds of the client, read from outside. What is promised is promised of streaming
// lists, the default on both sides; a plain list, which client-go reads three times as fast, is
// measured as well.
#include <poll.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
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
constexpr int kSettleMs = 3000;
constexpr int kHeld = 100000;
constexpr int kLive = 20000, kBurst = 20000;
constexpr char kHeldTarget[] = "/api/v1/configmaps";

// Which informers are measured; the first two are client-go's.
enum Face { kGoTyped, kGoDynamic, kRaw, kTyped, kFaces, kGoProtobuf };
constexpr const char* kFaceNames[] = {"client-go typed",   "client-go dynamic", "raw", "typed", "",
                                      "client-go protobuf"};

class InformerProcess {
 public:
  InformerProcess(Face face, bool streaming, const std::string& client, const ServerAddress& server)
      : InformerProcess(face, Words(face, streaming, client, server)) {}
  InformerProcess(Face face, std::vector<std::string> words) : child_(std::move(words), SIGKILL) {
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

  static std::vector<std::string> Words(Face face, bool streaming, const std::string& client,
                                        const ServerAddress& server) {
    const std::string url = "http://127.0.0.1:" + std::to_string(server.port);
    const std::string mode = streaming ? "stream" : "list";
    if (face == kRaw || face == kTyped)
      return {std::filesystem::read_symlink("/proc/self/exe"),
              "--informer",
              kFaceNames[face],
              mode,
              "--server",
              url};
    return {client, face == kGoTyped ? "typed" : "dynamic", mode, "--server", url};
  }

 private:
  ChildProcess child_;
  int64_t calls_ = 0;
};

double MedianOf(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

using Rates = std::map<Face, std::vector<double>>;

// What a figure of ours has to be, in times client-go's typed and dynamic informers; 0: anything.
struct Least {
  double typed = 0, dynamic = 0;
};
void AddTime(Figures& figures, const std::string& what, double value, double go, Face beside,
             double least) {
  if (least > 0) {
    figures.Add({what + ": times " + kFaceNames[beside], value / go, "", {.least = least}});
  }
}

void AddTimes(Figures& figures, const std::string& what, const std::string& unit, Rates& rates,
              Least raw, Least typed = {}) {
  std::map<Face, double> values;
  for (auto& [face, turns] : rates) {
    values[face] = MedianOf(turns);
    figures.Add({what + ", " + kFaceNames[face], values[face], unit, {}});
  }
  for (const auto& [face, least] : {std::pair(kRaw, raw), std::pair(kTyped, typed)}) {
    const std::string ours = what + ", " + kFaceNames[face];
    AddTime(figures, ours, values[face], values[kGoTyped], kGoTyped, least.typed);
    AddTime(figures, ours, values[face], values[kGoDynamic], kGoDynamic, least.dynamic);
  }
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
  const std::string what = "ingest of 100,000" + mode;
  if (streaming) {
    AddTimes(figures, what, "objects/CPU s", rates, {13, 16}, {.typed = 3});
  } else {
    AddTimes(figures, what, "objects/CPU s", rates, {});
  }
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
  AddTimes(figures, "live events at 2,000 a second", "events/CPU s", paced, {.typed = 4});
  AddTimes(figures, "live events in a burst", "events/CPU s", burst, {.typed = 8});
}

// The watch is broken and its version is too old: every object comes again, unchanged.
void AddRelist(Figures& figures, const std::string& client, const ServerAddress& server) {
  Rates rates;
  for (int face = 0; face < kFaces; ++face) {
    InformerProcess informer(static_cast<Face>(face), true, client, server);
    for (int round = 0; round < kTurnsBesideGo; ++round) {
      // A restart that comes before its watch is open breaks nothing; and who has heard of the
      // newest version may go on from it: something is written of which no watch here tells.
      poll(nullptr, 0, kSettleMs);
      const double start = informer.CpuSeconds();
      PlainConnection connection(server);
      connection.Exchange(PostRequest(server, "/api/v1/namespaces/default/secrets",
                                      R"({"metadata":{"generateName":"newer-"}})"));
      connection.Exchange(PostRequest(server, "/relist/v1/restart", ""));
      informer.Await(informer.calls() + kHeld);
      rates[static_cast<Face>(face)].push_back(kHeld / (informer.CpuSeconds() - start));
    }
  }
  AddTimes(figures, "relist of 100,000 that are unchanged", "objects/CPU s", rates, {.typed = 10});
}

// client-go's typed informer over protobuf, which only a real server answers, and our raw one over
// JSON from ours.
void AddBesideProtobuf(Figures& figures, const std::string& client, const std::string& serve,
                       const ServerAddress& server) {
  const auto real = ServerProcess::Real(serve);
  CreateConfigMaps(real->address(), {.count = kHeld});
  Rates rates;
  for (int round = 0; round < kTurnsBesideGo; ++round) {
    for (const Face face : {kGoProtobuf, kRaw}) {
      InformerProcess informer(
          face, face == kRaw ? InformerProcess::Words(kRaw, true, client, server)
                             : std::vector<std::string>{client, "protobuf", "stream",
                                                        "--kubeconfig", real->kubeconfig()});
      CHECK(informer.calls() >= kHeld, "only {} objects", informer.calls());
      rates[face].push_back(static_cast<double>(informer.calls()) / informer.CpuSeconds());
    }
  }
  const std::string what = "ingest of 100,000, beside protobuf";
  const double go = MedianOf(rates[kGoProtobuf]), raw = MedianOf(rates[kRaw]);
  figures.Add({what + ", " + kFaceNames[kGoProtobuf], go, "objects/CPU s", {}});
  figures.Add({what + ", raw", raw, "objects/CPU s", {}});
  AddTime(figures, what + ", raw", raw, go, kGoProtobuf, 4);
}

}  // namespace

void MeasureBesideClientGo(Figures& figures, const std::string& client, const std::string& serve) {
  ServerProcess server({"--history", "none"});
  CreateConfigMaps(server.address(), {.count = kHeld});
  AddIngest(figures, client, server.address(), false);
  AddIngest(figures, client, server.address(), true);
  AddRelist(figures, client, server.address());
  if (!serve.empty()) AddBesideProtobuf(figures, client, serve, server.address());
  AddLive(figures, client);
}

}  // namespace relist::benchmarks
