// The steps of a scenario that `relist serve --scenario` runs: by time since the first list or
// watch of anybody, and by requests that come to a point.
//
//   ServedSteps steps(loop, front, stage, scenario);
//   front.Start();
//   scope.Spawn(steps.Timed());
//   loop.RunUntil(...);
//   front.Stop();     // and the steps go after it
//
// Belongs to the loop's thread; the steps themselves are done on the server's.
#pragma once

#include "core/runtime/loop.h"
#include "fakeapi/front/http_server.h"
#include "scenarios/play/stage.h"
#include "scenarios/script/scenario.h"

namespace relist::command {

class ServedSteps {
 public:
  // All outlive it; the front has not started, so that no request can come before us.
  ServedSteps(Loop& loop, fakeapi::HttpServer& front, Stage& stage, const Scenario& scenario);

  // Runs those by time, one after another, once there is a client for whom they can happen.
  Task<void> Timed();

 private:
  void Do(const StepSpec& step);
  void AtPlace(const StepSpec& step, bool here_and_now, TimePoint now);
  Task<void> Later(const StepSpec& step);

  Loop& loop_;
  fakeapi::HttpServer& front_;
  Stage& stage_;
  const Scenario& scenario_;
  Signal first_read_;
  TaskScope later_;
};

}  // namespace relist::command
