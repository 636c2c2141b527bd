#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "scenarios/life.h"
#include "scenarios/runner.h"
#include "scenarios/scenario.h"
#include "scenarios/tape.h"
#include "scenarios/timeline.h"
#include "tools/command/commands.h"
#include "tools/command/run_report.h"
#include "tools/command/text_file.h"

namespace relist::command {
namespace {

WorldKind WorldOf(bool http) {
  return http ? WorldKind::kHttp : WorldKind::kSim;
}

// Worse first: a broken promise outweighs a file that could not be read.
int Worse(int a, int b) {
  constexpr int kRank[] = {0, 1, 3, 2};
  return kRank[a] > kRank[b] ? a : b;
}

std::string TimelineFor(const History& history) {
  return Timeline(history, {.color = isatty(STDOUT_FILENO) == 1});
}

ScenarioVerdict RunOne(const Scenario& scenario, WorldKind world, std::optional<uint64_t> seed,
                       bool timeline) {
  ScenarioVerdict verdict;
  verdict.scenario = scenario.name;
  verdict.file = scenario.file;
  verdict.world = Name(world);
  if (!scenario.RunsIn(world)) {
    verdict.skipped = scenario.why_sim;
    verdict.report = fmt::format("{} [{}]: not in this world: {}\n", scenario.name, Name(world),
                                 scenario.why_sim);
    return verdict;
  }
  const auto start = std::chrono::steady_clock::now();
  const RunResult result = RunScenario(scenario, {.world = world, .seed = seed});
  verdict.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  verdict.exit_status = result.exit_status;
  verdict.report = result.report;
  verdict.again = result.again;
  verdict.history_hash = fmt::format("{:016x}", result.history.Hash());
  if (timeline) fmt::print("{}", TimelineFor(result.history));
  return verdict;
}

}  // namespace

int Run(const RunOptions& options) {
  const Result<void> writable = CheckReportPaths(options.reports);
  if (!writable.ok()) {
    fmt::print(stderr, "relist: {}\n", writable.error().message());
    return kUsage;
  }
  int status = kGood;
  std::vector<ScenarioVerdict> verdicts;
  for (const std::string& file : options.scenarios) {
    const Result<Scenario> scenario = LoadScenario(file);
    if (!scenario.ok()) {
      fmt::print(stderr, "{}\n", scenario.error().message());
      status = Worse(status, kUsage);
      continue;
    }
    verdicts.push_back(RunOne(*scenario, WorldOf(options.http), options.seed, options.timeline));
    fmt::print("{}", verdicts.back().report);
    fflush(stdout);
    status = Worse(status, verdicts.back().exit_status);
  }
  for (const std::string& path : options.reports) {
    const Result<void> written = WriteReport(path, verdicts);
    if (written.ok()) continue;
    fmt::print(stderr, "relist: {}\n", written.error().message());
    status = Worse(status, kUsage);
  }
  return status;
}

namespace {

int ReplayTape(const std::string& file, const std::string& text) {
  const Result<Tape> tape = Tape::Parse(text);
  if (!tape.ok()) {
    fmt::print(stderr, "{}: {}\n", file, tape.error().message());
    return kUsage;
  }
  const LifeResult life = RunLife(*tape);
  fmt::print("{}{}\n", TimelineFor(life.history), ReportOf(life, ""));
  int status = kGood;
  for (const Violation& violation : life.violations) {
    const bool safety = violation.kind == Violation::Kind::kSafety;
    status = Worse(status, safety ? kSafetyBroken : kLivenessBroken);
  }
  return status;
}

}  // namespace

int Replay(const ReplayOptions& options) {
  const Result<std::string> text = ReadTextFile(options.file);
  if (!text.ok()) {
    fmt::print(stderr, "relist: {}\n", text.error().message());
    return kUsage;
  }
  if (Tape::LooksLikeOne(*text)) return ReplayTape(options.file, *text);
  const Result<Scenario> scenario = ParseScenario(*text, options.file);
  if (!scenario.ok()) {
    fmt::print(stderr, "{}\n", scenario.error().message());
    return kUsage;
  }
  const ScenarioVerdict verdict =
      RunOne(*scenario, WorldOf(options.http), options.seed, /*timeline=*/true);
  fmt::print("{}", verdict.report);
  return verdict.exit_status;
}

}  // namespace relist::command
