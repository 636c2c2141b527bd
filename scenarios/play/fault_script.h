// A scenario's faults, as answers to the server's questions, and its steps that wait for a request
// to come to a point.
//
//   FaultScript script(scenario);
//   script.SetStepRunner([&](const StepSpec& step, bool here_and_now, TimePoint now) { ... });
//   ServerConnection connection(server, &script, ...);
//   script.NeverStruck(now);   // what is left is an error of the scenario: it says something that
//   did not happen
//   script.InVain();           // and this happened, but to nobody
//
// Belongs to the server's thread. Which faults a legal server may show is README.md's.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/choices.h"
#include "fakeapi/http/fault_hook.h"
#include "scenarios/script/scenario.h"

namespace relist {

// Connections were refused from `begin` to `end`.
struct Refusal {
  const StepSpec* step;
  TimePoint begin, end;
};

class FaultScript : public fakeapi::FaultHook {
 public:
  // `scenario` must outlive it. `seed` is of what is left to chance; the scenario's own unless
  // given.
  explicit FaultScript(const Scenario& scenario, std::optional<uint64_t> seed = std::nullopt);

  fakeapi::Verdict At(const fakeapi::FaultPlace& place) override;
  void Struck(int tag, TimePoint now) override;
  bool AcceptsConnections(TimePoint now) override { return now >= refused_until_; }
  TimePoint NextChange() const override { return refused_until_; }

  // Connections are refused from now on, for the step's `length`. Whom that meets only those know
  // who are refused: the listener is closed.
  void Refuse(const StepSpec& step, TimePoint now);
  const std::vector<Refusal>& refusals() const { return refusals_; }

  // Called when a step by place is due. `here_and_now`: run it before this returns, nothing was
  // done for the request yet; else the server is in the middle of something: run it soon (or
  // `step.trigger.after` later).
  using StepRunner = std::function<void(const StepSpec& step, bool here_and_now, TimePoint now)>;
  void SetStepRunner(StepRunner runner) { run_step_ = std::move(runner); }

  // Called once, when the first list or watch is read.
  void SetFirstRead(std::function<void()> callback) { first_read_ = std::move(callback); }

  // The step was done, at its time or place (and after its delay).
  void Did(const StepSpec& step);
  // It was due, and its dice left it out.
  void LeftOut(const StepSpec& step);
  // A bookmark that was asked for is on its way to so many watches.
  void SentBookmarks(const StepSpec& step, int watches);
  // "s.yaml:12: this fault (cut) never struck: ...", for each fault that did not strike and each
  // step that was not done, whatever kept it.
  std::vector<std::string> NeverStruck(TimePoint now) const;
  // The same for each step that was done and reached nobody, however often.
  std::vector<std::string> InVain() const;

 private:
  // How often a place came by, and which requests are the ones that are meant.
  struct Counter {
    int seen = 0;
    int of_other_kind = 0;  // streaming lists, where plain ones were meant; or the other way round
    int used = 0;           // faults that struck, steps that became due
    int done = 0;           // steps only: done, or ...
    int left_out = 0;
    int reached = 0;
    std::set<uint64_t> meant;
    int laid = 0;                  // faults that come later: those that wait for it, or struck
    int drawn = 0;                 // how often chance was asked
    std::optional<size_t> shadow;  // the fault that struck where this one was due ...
    int shadowed = 0;              // ... how often any did
    TimePoint first, last;         // strikes
  };
  void Count(Counter* counter, TimePoint now);
  void CountPages(const fakeapi::FaultPlace& place);
  bool IsDueAt(size_t fault, const fakeapi::FaultPlace& place);
  Counter& CounterOf(const StepSpec& step);
  bool IsMeant(const PlaceSpec& spec, const fakeapi::FaultPlace& place, Counter* counter);
  void RunSteps(const fakeapi::FaultPlace& place);
  std::string WhyNotStruck(size_t fault, TimePoint now) const;
  std::string WhyNotDone(size_t step) const;
  std::string WhyNotDue(const PlaceSpec& place, const Counter& counter, bool on_connection,
                        const std::string& point) const;
  std::optional<size_t> FaultInTheWay(const Counter& counter) const;

  const Scenario& scenario_;
  StepRunner run_step_;
  std::function<void()> first_read_;
  std::vector<Counter> fault_counters_, step_counters_;
  std::map<uint64_t, size_t> ended_by_;  // requests that a fault brought to their end, at once
  TimePoint refused_until_ = TimePoint::min();
  std::vector<Refusal> refusals_;
  int connections_ = 0;
  std::vector<SeededChoices> chances_;  // of each fault: a stream of its own
  bool counts_pages_ = false;
  int page_ = 0;                      // of the list that was read last; 0: not known, or no list
  std::map<std::string, int> pages_;  // by token
};

}  // namespace relist
