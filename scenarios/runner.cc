#include "scenarios/runner.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "core/wire/quote.h"
#include "scenarios/checkers/checkers.h"
#include "scenarios/expectations.h"
#include "scenarios/play/refusals.h"
#include "scenarios/play/step_runner.h"
#include "scenarios/play/world.h"
#include "scenarios/script/scenario_limits.h"
#include "scenarios/slower_rates.h"

namespace relist {
namespace {

constexpr Duration kLook = Millis(500);       // how often the calm looks whether it is over
constexpr Duration kOftenFor = Seconds(900);  // longer than a calm of default clients
constexpr Duration kBeyond = Seconds(60);     // after the largest deadline
constexpr Duration kMarkAgain = Seconds(10);  // bookmarks for who had no watch open

class Run {
 public:
  Run(const Scenario& scenario, World& world)
      : scenario_(scenario), world_(world), loop_(world.loop()), steps_(scenario, world) {}

  // The stage's lines of what never happened, and what could not be done.
  std::vector<std::string> All() {
    Phase("chaos");
    world_.OnServer([](Stage& stage, TimePoint now) { stage.Prepare(now); });
    // The loop's time is that of its last turn: what the clients do now comes after the objects.
    loop_.RunUntil([] { return true; });
    const TimePoint start = loop_.Now();
    steps_.Begin(start);
    world_.cast().Start();
    RunTo(start + scenario_.length);
    Phase("calm");
    world_.OnServer([](Stage& stage, TimePoint now) { stage.CatchUp(now); });
    const TimePoint calm = loop_.Now();
    const TimePoint limit = calm + std::max(scenario_.calm, LargestDeadline(scenario_)) + kBeyond;
    WaitUntil([&] { return loop_.Now() >= calm + scenario_.calm && AllStruck() && Converged(); },
              limit);
    WriteSentinels();
    // A fault may strike the sentinel itself: as much patience as before.
    const bool converged = WaitUntil([&] { return HeardOfMarks() && Converged(); },
                                     loop_.Now() + LargestDeadline(scenario_) + kBeyond);
    if (converged) Phase("converged");
    world_.cast().RecordStores(loop_.Now());
    Phase("end");
    return Problems();
  }

  const std::vector<Refusal>& refusals() const { return refusals_; }
  // It went round and round, and was ended before its time: what came later nobody knows.
  bool Stopped() const { return world_.history().entries().size() > kHistoryMax; }

 private:
  void Phase(const char* name) {
    world_.history().Add(loop_.Now(), "run", "phase").Set("name", name);
  }

  void WriteSentinels() {
    world_.OnServer([this](Stage& stage, TimePoint now) {
      stage.WriteSentinels(now);
      marks_ = stage.marks();
    });
    for (size_t i = 0; i < marks_.size(); ++i) {
      if (!world_.cast().Runs(i)) marks_[i] = 0;
      if (marks_[i] == 0) continue;
      world_.history()
          .Add(loop_.Now(), "run", "mark")
          .Set("client", scenario_.clients[i].name)
          .Set("rv", std::to_string(marks_[i]));
    }
    marked_ = loop_.Now();
  }

  bool HeardOfMarks() {
    bool all = true;
    for (size_t i = 0; i < marks_.size(); ++i) all &= world_.cast().Position(i) >= marks_[i];
    if (!all && loop_.Now() >= marked_ + kMarkAgain) {
      world_.OnServer([](Stage& stage, TimePoint now) { stage.SendMarks(now); });
      marked_ = loop_.Now();
    }
    return all;
  }

  void RunTo(TimePoint time) {
    loop_.RunUntil([this] { return Stopped(); }, time);
  }

  // Looks less often as time goes on: a calm of hours would be spent looking.
  template <class Condition>
  bool WaitUntil(Condition condition, TimePoint limit) {
    const TimePoint begin = loop_.Now();
    for (;;) {
      if (condition()) return true;
      const TimePoint now = loop_.Now();
      if (now >= limit || Stopped()) return false;
      const Duration look = now - begin < kOftenFor ? kLook : (now - begin) / 200;
      RunTo(std::min(limit, now + look));
    }
  }

  std::string WhyStopped() const {
    return fmt::format(
        "{}:1:1: stopped in its second {}, after {} lines of history: too much happens, or "
        "something causes itself again and again (a step or fault with \"nth: every\"?)",
        scenario_.file, FormatSeconds(loop_.Now() - world_.history().start()), kHistoryMax);
  }

  std::vector<std::string> Problems() {
    if (Stopped()) return {WhyStopped()};
    std::vector<std::string> problems;
    const auto add = [&problems](const std::vector<std::string>& lines) {
      problems.insert(problems.end(), lines.begin(), lines.end());
    };
    world_.OnServer([&](Stage& stage, TimePoint now) {
      add(stage.problems());
      add(stage.faults().NeverStruck(now));
      add(stage.faults().InVain());
      refusals_ = stage.faults().refusals();
    });
    add(steps_.NeverHappened());
    add(steps_.problems());
    add(world_.cast().NeverThrew());
    return problems;
  }

  bool AllStruck() {
    if (!steps_.NeverHappened().empty() || !world_.cast().NeverThrew().empty()) return false;
    bool all = false;
    world_.OnServer(
        [&](Stage& stage, TimePoint now) { all = stage.faults().NeverStruck(now).empty(); });
    return all;
  }

  bool Converged() {
    std::vector<KeyVersions> truths;
    world_.OnServer([&](Stage& stage, TimePoint) {
      for (const ClientSpec& client : scenario_.clients) truths.push_back(stage.Truth(client));
    });
    for (size_t i = 0; i < truths.size(); ++i) {
      if (!world_.cast().Agrees(i, truths[i])) return false;
    }
    return true;
  }

  const Scenario& scenario_;
  World& world_;
  Loop& loop_;
  StepRunner steps_;
  std::vector<Refusal> refusals_;
  std::vector<uint64_t> marks_;  // Stage::marks
  TimePoint marked_;             // when they were sent
};

void JudgeLife(const Scenario& scenario, RunResult* result) {
  CheckOptions options;
  options.within_requests = scenario.within_requests;
  options.wire = {scenario.watch_window, scenario.timeout_min, scenario.fresh_wait};
  for (const ClientSpec& client : scenario.clients)
    options.stall_margin = std::max(options.stall_margin, client.watch_deadline_margin + kBeyond);
  result->violations = CheckAll(result->history, options);
  result->mismatches = CompareExpectations(scenario, result->history);
  std::set<std::string> given;
  bool safety = false, liveness = false;
  for (Violation& violation : result->violations) {
    given.insert(violation.verdict());
    if (scenario.Expects(violation.verdict()) || !violation.excuse.empty()) continue;
    (violation.kind == Violation::Kind::kSafety ? safety : liveness) = true;
  }
  for (const ExpectedLine& verdict : scenario.verdicts) {
    if (given.contains(verdict.text)) continue;
    result->mismatches.push_back(
        {fmt::format("{}:{}:{}: the verdict \"{}\" was expected, and no checker gave it",
                     scenario.file, verdict.line, verdict.column, verdict.text),
         nullptr, "no " + verdict.text});
  }
  if (safety || !result->mismatches.empty())
    result->exit_status = 2;
  else if (liveness)
    result->exit_status = 3;
  else if (!result->problems.empty())
    result->exit_status = 1;
}

std::string ReportOf(const Scenario& scenario, WorldKind world, const RunResult& result) {
  std::string text;
  for (const Violation& violation : result.violations) {
    // Its lines would look like a failure's.
    text += scenario.Expects(violation.verdict())
                ? fmt::format("{}, as expected: {}\n", violation.verdict(), violation.sentence)
                : Describe(result.history, violation, result.again);
  }
  for (const Mismatch& mismatch : result.mismatches)
    text += mismatch.text + "\n  again: " + result.again + "\n";
  for (const std::string& line : result.problems) text += line + "\n";
  const char* verdict[] = {"good", "could not be run as written", "SAFETY BROKEN",
                           "LIVENESS BROKEN"};
  text += fmt::format("{} [{}]: {}\n", scenario.name, Name(world), verdict[result.exit_status]);
  return text;
}

RunResult RunOnce(const Scenario& scenario, const RunOptions& options) {
  RunResult result;
  const uint64_t seed = options.seed.value_or(scenario.seed);
  result.again = fmt::format("relist replay {} --world {}{}", ShellWord(scenario.file),
                             Name(options.world), options.again_options);
  if (seed != scenario.seed) result.again += fmt::format(" --seed {}", seed);
  Result<std::unique_ptr<World>> world = MakeWorld(options.world, scenario, seed, options.bugs);
  if (!world.ok()) {
    result.problems.push_back(world.error().message());
    result.exit_status = 1;
    result.report = ReportOf(scenario, options.world, result);
    return result;
  }
  bool stopped = false;
  std::vector<Refusal> refusals;
  {
    Run run(scenario, **world);
    result.problems = run.All();
    stopped = run.Stopped();
    refusals = run.refusals();
  }
  result.history = (*world)->Finish();
  if (stopped) {
    result.exit_status = 1;
  } else {
    result.lateness = (*world)->Lateness();
    for (std::string& line : RefusedNobody(scenario, refusals, result.history))
      result.problems.push_back(std::move(line));
    JudgeLife(scenario, &result);
  }
  result.report = ReportOf(scenario, options.world, result);
  return result;
}

}  // namespace

Duration LargestDeadline(const Scenario& scenario) {
  Duration largest{}, slowest{};
  for (const ClientSpec& client : scenario.clients) {
    // RFL-02: timeoutSeconds is drawn up to twice the least, which is five minutes or more.
    const Duration most = 2 * std::max(client.min_watch_timeout, Seconds(300));
    largest = std::max(largest, most + client.watch_deadline_margin);
    largest = std::max(largest, client.list_deadline.value_or(Duration{}));
    largest = std::max(largest, client.streaming_list_patience.value_or(Duration{}));
    largest = std::max(largest, 2 * client.backoff.cap);  // with its jitter
    for (const HandlerSpec& handler : client.handlers)
      slowest = std::max(slowest, handler.SlowestCall());
  }
  // All that there is is told twice: when a handler is slow, and a relist comes behind it.
  const auto told = static_cast<int64_t>(scenario.objects.size() + scenario.steps.size() + 1);
  return largest + 2 * told * slowest;
}

RunResult RunScenario(const Scenario& scenario, const RunOptions& options) {
  return RunAtSlowerRates(scenario, options.late_max, [&options](const Scenario& at_its_rate) {
    return RunOnce(at_its_rate, options);
  });
}

}  // namespace relist
