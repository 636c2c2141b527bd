// relist_benchmarks [--json FILE] [start|memory|list|fanout|ingest|lives]...: measures, prints a
// table; exit status 1 where a figure misses what the project promises.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tools/benchmarks/figures.h"
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
                             {"ingest", MeasureIngest}, {"lives", MeasureLives}};

// A phase that fails must not take the others' figures with it.
bool Try(const Phase& phase, Figures& figures) {
  try {
    phase.measure(figures);
    return true;
  } catch (const std::exception& failure) {
    fmt::print(stderr, "relist_benchmarks: {}: {}\n", phase.name, failure.what());
    return false;
  }
}

int Measure(std::vector<std::string> words) {
  std::string json;
  if (words.size() >= 2 && words[0] == "--json") {
    json = words[1];
    words.erase(words.begin(), words.begin() + 2);
  }
  Figures figures;
  size_t known = 0;
  bool failed = false;
  for (const Phase& phase : kPhases) {
    const bool named = std::find(words.begin(), words.end(), phase.name) != words.end();
    known += named ? 1 : 0;
    if (named || words.empty()) failed |= !Try(phase, figures);
  }
  if (known != words.size()) {
    fmt::print(
        stderr,
        "usage: relist_benchmarks [--json FILE] [start|memory|list|fanout|ingest|lives]...\n");
    return 1;
  }
  fmt::print("{}", figures.Table());
  if (!json.empty()) std::ofstream(json) << figures.ToJson();
  return figures.AllHold() && !failed ? 0 : 1;
}

}  // namespace
}  // namespace relist::benchmarks

int main(int argc, char** argv) {
  using namespace relist::benchmarks;
  // The command lies beside us.
  ServerProcess::SetBinary(std::filesystem::read_symlink("/proc/self/exe").parent_path() /
                           "relist");
  RaiseFileLimit();
  return Measure({argv + 1, argv + argc});
}
