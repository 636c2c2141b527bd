#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "core/wire/quote.h"
#include "scenarios/histories/timeline.h"
#include "scenarios/lives/life.h"
#include "scenarios/lives/tape.h"
#include "scenarios/report/story.h"
#include "scenarios/runner.h"
#include "scenarios/script/language.h"
#include "scenarios/script/scenario.h"
#include "tools/command/commands.h"
#include "tools/command/output.h"
#include "tools/command/run_report.h"
#include "tools/command/scenario_file.h"
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

// What is to be made of a run besides its verdict.
struct Showing {
  bool timeline = false;
  ColorWhen color = ColorWhen::kAuto;
  size_t story = 0;           // its number in the page; 0: there is none
  std::string again_options;  // of the command that shows it again
};

// As they were given, for a shell.
std::string WordsOf(const std::vector<std::string>& client_options) {
  std::string words;
  for (const std::string& option : client_options) words += " --client-option " + ShellWord(option);
  return words;
}

std::string TimelineFor(const History& history, ColorWhen color) {
  return Timeline(history, {.color = ColorsStandardOutput(color)});
}

// One scenario, and on the screen what came of it; an Error where that could not be written.
Result<ScenarioVerdict> RunOne(const Scenario& scenario, WorldKind world,
                               std::optional<uint64_t> seed, const Showing& showing) {
  ScenarioVerdict verdict;
  verdict.scenario = scenario.name;
  verdict.about = scenario.about;
  verdict.reports = scenario.reports;
  verdict.file = scenario.file;
  verdict.world = Name(world);
  if (!scenario.RunsIn(world)) {
    verdict.skipped = scenario.why_sim.empty() ? "its worlds are others" : scenario.why_sim;
    verdict.report = fmt::format("{} [{}]: not in this world: {}\n", scenario.name, Name(world),
                                 verdict.skipped);
    const Result<void> said = Say(verdict.report);
    if (!said.ok()) return said.error();
    return verdict;
  }
  const auto start = std::chrono::steady_clock::now();
  const RunResult result =
      RunScenario(scenario, {.world = world, .seed = seed, .again_options = showing.again_options});
  verdict.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  verdict.exit_status = result.exit_status;
  verdict.report = result.report;
  verdict.again = result.again;
  verdict.history_hash = fmt::format("{:016x}", result.history.Hash());
  if (showing.story > 0)
    verdict.story = report::Tell(report::SubjectOf(scenario, result), showing.story);
  const std::string timeline =
      showing.timeline ? TimelineFor(result.history, showing.color) : std::string();
  const Result<void> said = Say(timeline + verdict.report);
  if (!said.ok()) return said.error();
  return verdict;
}

}  // namespace

namespace {

// For reports: a file that is none must not be missing from what a CI server counts.
ScenarioVerdict Unread(const std::string& file, WorldKind world, const Error& error) {
  ScenarioVerdict verdict;
  verdict.scenario = verdict.file = file;
  verdict.world = Name(world);
  verdict.exit_status = kUsage;
  verdict.report = error.message() + "\n";
  return verdict;
}

// "17 of 18 scenarios good, 1 not in this world"; nothing for a scenario that stands alone.
std::string TotalOf(const std::vector<ScenarioVerdict>& verdicts, size_t files) {
  if (files < 2) return "";
  size_t good = 0, skipped = 0;
  for (const ScenarioVerdict& verdict : verdicts) {
    if (!verdict.skipped.empty()) {
      ++skipped;
    } else if (verdict.exit_status == kGood) {
      ++good;
    }
  }
  std::string text = fmt::format("{} of {} scenarios good", good, files);
  if (skipped > 0) text += fmt::format(", {} not in this world", skipped);
  return text + "\n";
}

}  // namespace

int Run(const RunOptions& options) {
  if (options.list_actions || options.schema) {
    const Result<void> said = Say(options.schema ? LanguageSchema() : LanguageText());
    return said.ok() ? kGood : Fail(said.error());
  }
  const Result<void> writable = CheckReportPaths(options.reports, options.scenarios);
  if (!writable.ok()) return Fail(writable.error());
  int status = kGood;
  std::vector<ScenarioVerdict> verdicts;
  for (const std::string& file : options.scenarios) {
    const Result<Scenario> scenario = ReadScenarioFile(file, options.client_options);
    if (!scenario.ok()) {
      SayError(scenario.error().message() + "\n");
      status = Worse(status, kUsage);
      verdicts.push_back(Unread(file, WorldOf(options.http), scenario.error()));
      continue;
    }
    const size_t number = WantStories(options.reports) ? verdicts.size() + 1 : 0;
    const Result<ScenarioVerdict> verdict =
        RunOne(*scenario, WorldOf(options.http), options.seed,
               {.timeline = options.timeline,
                .color = options.color,
                .story = number,
                .again_options = WordsOf(options.client_options)});
    // Nobody reads on: what is left would be run for nothing.
    if (!verdict.ok()) return Fail(verdict.error());
    verdicts.push_back(*verdict);
    status = Worse(status, verdict->exit_status);
  }
  const bool none_ran =
      std::all_of(verdicts.begin(), verdicts.end(),
                  [](const ScenarioVerdict& verdict) { return !verdict.skipped.empty(); });
  if (none_ran) {
    Complain("nothing was run: no scenario of these is for this world");
    status = Worse(status, kUsage);
  }
  const Result<void> said = Say(TotalOf(verdicts, options.scenarios.size()));
  if (!said.ok()) return Fail(said.error());
  for (const std::string& path : options.reports) {
    const Result<void> written = WriteReport(path, verdicts);
    if (!written.ok()) status = Worse(status, Fail(written.error()));
  }
  return status;
}

namespace {

int ReplayTape(const ReplayOptions& options, const std::string& text) {
  const std::string& file = options.file;
  if (options.http || options.seed || !options.client_options.empty()) {
    Complain(file +
             ": a tape has its own chance, and its clients, and runs in the simulation: leave "
             "--world, --seed and --client-option out");
    return kUsage;
  }
  const Result<Tape> tape = Tape::Parse(text, file);
  if (!tape.ok()) {
    SayError(tape.error().message() + "\n");
    return kUsage;
  }
  const LifeResult life = RunLife(*tape);
  const Result<void> said =
      Say(fmt::format("{}{}\n", TimelineFor(life.history, options.color), ReportOf(life, "")));
  if (!said.ok()) return Fail(said.error());
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
  if (!text.ok()) return Fail(text.error());
  if (Tape::LooksLikeOne(*text)) return ReplayTape(options, *text);
  const Result<Scenario> scenario = ParseScenarioFile(*text, options.file, options.client_options);
  if (!scenario.ok()) {
    SayError(scenario.error().message() + "\n");
    return kUsage;
  }
  const Result<ScenarioVerdict> verdict = RunOne(
      *scenario, WorldOf(options.http), options.seed,
      {.timeline = true, .color = options.color, .again_options = WordsOf(options.client_options)});
  return verdict.ok() ? verdict->exit_status : Fail(verdict.error());
}

}  // namespace relist::command
