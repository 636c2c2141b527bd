#include "tools/command/served_steps.h"

#include <vector>

namespace relist::command {

ServedSteps::ServedSteps(Loop& loop, fakeapi::HttpServer& front, Stage& stage,
                         const Scenario& scenario)
    : loop_(loop), front_(front), stage_(stage), scenario_(scenario), later_(loop) {
  stage_.faults().SetStepRunner([this](const StepSpec& step, bool here_and_now, TimePoint now) {
    AtPlace(step, here_and_now, now);
  });
  stage_.faults().SetFirstRead([this] { loop_.PostFromThread([this] { first_read_.Set(); }); });
}

Task<void> ServedSteps::Timed() {
  Select first(loop_, first_read_);
  co_await first;
  const TimePoint start = loop_.Now();
  const std::vector<const StepSpec*> steps = StepsByTime(scenario_);
  for (const StepSpec* step : steps) {
    Task<void> wait = Sleep(loop_, start + step->trigger.at - loop_.Now());
    co_await wait;
    Do(*step);
  }
}

void ServedSteps::Do(const StepSpec& step) {
  front_.Run([this, &step] { stage_.Do(step, front_.Now()); });
}

// On the server's thread, in the middle of a request.
void ServedSteps::AtPlace(const StepSpec& step, bool here_and_now, TimePoint now) {
  if (step.trigger.after > Duration{}) {
    loop_.PostFromThread([this, &step] { later_.Spawn(Later(step)); });
  } else if (here_and_now) {
    stage_.Do(step, now);
  } else {
    front_.Post([this, &step] { stage_.Do(step, front_.Now()); });
  }
}

Task<void> ServedSteps::Later(const StepSpec& step) {
  Task<void> wait = Sleep(loop_, step.trigger.after);
  co_await wait;
  Do(step);
}

}  // namespace relist::command
