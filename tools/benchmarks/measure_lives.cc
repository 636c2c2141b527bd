// Simulated lives a second, in this process, on one core: wire bytes, history and checkers
// included.
#include "core/check.h"
#include "core/choices.h"
#include "scenarios/lives/life.h"
#include "tools/benchmarks/figures.h"
#include "tools/benchmarks/server_process.h"
#include "tools/benchmarks/yardstick.h"

namespace relist::benchmarks {
namespace {

constexpr int kTurn = 20;  // lives, some tens of milliseconds

struct Totals {
  uint64_t lives = 0;
  uint64_t relists = 0, watches = 0, callbacks = 0, lines = 0;
};

void LiveOnce(uint64_t seed, bool judge, Totals* totals) {
  SeededChoices schedule(seed * 4), latency(seed * 4 + 1);
  SeededChoices faults(seed * 4 + 2), workload(seed * 4 + 3);
  const LifeResult life = RunLife({schedule, latency, faults, workload}, {}, {.judge = judge});
  CHECK(life.violations.empty(), "life {}: {}", seed, ReportOf(life, ""));
  ++totals->lives;
  totals->relists += static_cast<uint64_t>(life.relists);
  totals->watches += static_cast<uint64_t>(life.watches);
  totals->callbacks += static_cast<uint64_t>(life.callbacks);
  totals->lines += life.history.entries().size();
}

}  // namespace

void MeasureLives(Figures& figures) {
  for (const bool judge : {false, true}) {
    Totals totals;
    Yardstick yardstick;
    double used = 0;
    while (used < 3) {
      const double start = OwnCpuSeconds();
      for (int i = 0; i < kTurn; ++i) LiveOnce(totals.lives + 1, judge, &totals);
      used += OwnCpuSeconds() - start;
      yardstick.Measure();
    }
    const auto lives = static_cast<double>(totals.lives);
    if (judge) {
      figures.Add({"the same, judged by every checker", lives / used, "lives/CPU s", {}});
      continue;
    }
    figures.Add({"simulated lives a CPU second", lives / used, "lives/CPU s", {}});
    figures.Add({"this core's speed meanwhile, of the reference", yardstick.Speed(), "", {}});
    figures.Add({"simulated lives a CPU second of the reference",
                 lives / used / yardstick.Speed(),
                 "lives/CPU s",
                 {.least = 1000}});
    figures.Add(
        {"relists a life", static_cast<double>(totals.relists) / lives, "", {.least = 1.5}});
    figures.Add({"watches a life", static_cast<double>(totals.watches) / lives, "", {.least = 3}});
    figures.Add({"callbacks a life", static_cast<double>(totals.callbacks) / lives, "", {}});
    figures.Add({"history lines a life", static_cast<double>(totals.lines) / lives, "", {}});
  }
}

}  // namespace relist::benchmarks
