#include "scenarios/play/step_runner.h"

#include <fmt/core.h>

namespace relist {

StepRunner::StepRunner(const Scenario& scenario, World& world)
    : scenario_(scenario),
      world_(world),
      loop_(world.loop()),
      moments_(scenario),
      scope_(world.loop()) {
  world_.OnServer([this](Stage& stage, TimePoint) {
    stage.faults().SetStepRunner([this](const StepSpec& step, bool here_and_now, TimePoint now) {
      AtPlace(step, here_and_now, now);
    });
  });
  world_.cast().SetMomentListener([this](const Moment& moment) {
    for (const StepSpec* step : moments_.DueAt(moment)) scope_.Spawn(Later(*step));
  });
}

StepRunner::~StepRunner() {
  world_.cast().SetMomentListener({});
  world_.OnServer([](Stage& stage, TimePoint) { stage.faults().SetStepRunner({}); });
  // What the server has posted to us.
  loop_.RunUntil([] { return false; }, loop_.Now() + Millis(1));
}

void StepRunner::Begin(TimePoint start) {
  scope_.Spawn(ByTime(start));
}

Task<void> StepRunner::ByTime(TimePoint start) {
  const std::vector<const StepSpec*> steps = StepsByTime(scenario_);
  for (const StepSpec* step : steps) {
    Task<void> wait = Sleep(loop_, start + step->trigger.at - loop_.Now());
    co_await wait;
    Do(*step);
  }
}

// On the server's thread, in the middle of a request.
void StepRunner::AtPlace(const StepSpec& step, bool here_and_now, TimePoint now) {
  if (step.trigger.after > Duration{} || step.is_for_client()) {
    loop_.PostFromThread([this, &step] { scope_.Spawn(Later(step)); });
  } else if (here_and_now) {
    world_.stage().Do(step, now);
    world_.PostToServer([](Stage&, TimePoint) {});  // whoever waits for a write is looked after
  } else {
    world_.PostToServer([&step](Stage& stage, TimePoint later) { stage.Do(step, later); });
  }
}

Task<void> StepRunner::Later(const StepSpec& step) {
  if (step.trigger.after > Duration{}) {
    Task<void> wait = Sleep(loop_, step.trigger.after);
    co_await wait;
  }
  Do(step);
}

void StepRunner::Do(const StepSpec& step) {
  if (step.is_for_client())
    DoToClient(step);
  else
    world_.OnServer([&step](Stage& stage, TimePoint now) { stage.Do(step, now); });
  if (step.trigger.moment) moments_.Did(step);
}

void StepRunner::DoToClient(const StepSpec& step) {
  bool happens = false;
  world_.OnServer([&](Stage& stage, TimePoint now) { happens = stage.Happens(step, now); });
  if (!happens) return;
  const Result<void> done = world_.cast().Do(step);
  if (done.ok()) return;
  problems_.push_back(fmt::format("{}:{}:{}: this step ({}) came to nothing: {}", scenario_.file,
                                  step.line, step.column, Name(step.kind), done.error().message()));
}

}  // namespace relist
