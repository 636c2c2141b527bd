// Who asks an apiserver one thing, in a scenario, and is no informer: it reads what comes, and
// hangs up.
//
//   Asker asker(loop, endpoint, &history);
//   asker.Ask(step);           // GET step.target, as step.client, for at most step.length
//   asker.Stop();              // hangs up everywhere
//   loop.RunUntil([&] { return asker.open() == 0; });
//
// What is asked and answered the server's lines tell; of a list an "listed" line of the run adds
// what only its body says, the keys. Nothing is asked twice, whatever the answer. Belongs to the
// loop's thread.
#pragma once

#include <string>

#include "core/history.h"
#include "core/runtime/loop.h"
#include "core/runtime/port.h"
#include "scenarios/script/step_spec.h"

namespace relist {

class Asker {
 public:
  // Both outlive it.
  Asker(Loop& loop, const Endpoint& endpoint, History* history);

  void Ask(const StepSpec& step);
  void Stop() { stop_.Set(); }
  int open() const { return open_; }

 private:
  Task<void> AskOne(std::string target, std::string as, TimePoint until);
  void TellOfList(const std::string& as, std::string body);

  Loop& loop_;
  const Endpoint endpoint_;
  History* const history_;
  Signal stop_;
  int open_ = 0;
  TaskScope scope_;
};

}  // namespace relist
