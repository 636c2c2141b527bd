// relist_benchmarks [--json FILE] [PHASE]...: measures, prints a table; exit status 1 where a
// figure misses what the project promises. With --beside-real tools/real/serve it measures nothing
// but our server beside the real one, with --beside-client-go and a built
// tools/benchmarks/client_go our informers beside client-go's (with both, over protobuf, too, which
// only a real server answers).
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

#include "tools/benchmarks/figures.h"
#include "tools/benchmarks/informer_client.h"
#include "tools/benchmarks/plain_client.h"
#include "tools/benchmarks/server_process.h"

namespace relist::benchmarks {
namespace {

struct Phase {
  const char* name;
  void (*measure)(Figures&);
};
constexpr Phase kPhases[] = {{"start", MeasureStart},   {"memory", MeasureMemory},
                             {"list", MeasureList},     {"fanout", MeasureFanOut},
                             {"ingest", MeasureIngest}, {"lives", MeasureLives},
                             {"pump", MeasurePump}};

constexpr char kUsage[] =
    "usage: relist_benchmarks [--json FILE] [start|memory|list|fanout|ingest|lives|pump]...\n"
    "       relist_benchmarks [--json FILE] --beside-real SERVE\n"
    "       relist_benchmarks [--json FILE] [--beside-real SERVE] --beside-client-go CLIENT\n";

// A phase that fails must not take the others' figures with it.
bool Try(const char* name, const std::function<void(Figures&)>& measure, Figures& figures) {
  try {
    measure(figures);
    return true;
  } catch (const std::exception& failure) {
    fmt::print(stderr, "relist_benchmarks: {}: {}\n", name, failure.what());
    return false;
  }
}

// False where one failed, or a word names none.
bool TryAll(const std::vector<std::string>& words, Figures& figures) {
  size_t known = 0;
  bool good = true;
  for (const Phase& phase : kPhases) {
    const bool named = std::find(words.begin(), words.end(), phase.name) != words.end();
    known += named ? 1 : 0;
    if (named || words.empty()) good &= Try(phase.name, phase.measure, figures);
  }
  if (known != words.size()) fmt::print(stderr, "{}", kUsage);
  return good && known == words.size();
}

// Takes an option and its value off the front.
std::string Take(const std::string& option, std::vector<std::string>* words) {
  if (words->size() < 2 || words->front() != option) return "";
  std::string value = (*words)[1];
  words->erase(words->begin(), words->begin() + 2);
  return value;
}

int Measure(std::vector<std::string> words) {
  const std::string json = Take("--json", &words);
  const std::string serve = Take("--beside-real", &words);
  const std::string client = Take("--beside-client-go", &words);
  Figures figures;
  bool good = true;
  if (!client.empty()) {
    good = Try(
        "beside client-go", [&](Figures& f) { MeasureBesideClientGo(f, client, serve); }, figures);
  } else if (serve.empty()) {
    good = TryAll(words, figures);
  } else {
    good = Try("beside the real one", [&](Figures& f) { MeasureBesideReal(f, serve); }, figures);
  }
  fmt::print("{}", figures.Table());
  if (!json.empty()) std::ofstream(json) << figures.ToJson();
  return figures.AllHold() && good ? 0 : 1;
}

}  // namespace
}  // namespace relist::benchmarks

int main(int argc, char** argv) {
  using namespace relist::benchmarks;
  // The command lies beside us.
  ServerProcess::SetBinary(std::filesystem::read_symlink("/proc/self/exe").parent_path() /
                           "relist");
  RaiseFileLimit();
  if (argc > 1 && argv[1] == std::string_view("--informer"))
    return RunInformer({argv + 2, argv + argc});
  return Measure({argv + 1, argv + argc});
}
