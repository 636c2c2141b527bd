// The clients' side of a scenario, the same in both worlds: our informers with their handlers, on
// the world's loop.
//
//   Cast cast(world_loop, endpoint, scenario, seed, HandlerThreads::kOnLoop, &history);
//   cast.Start();
//   cast.Do(step);             // stops a client, or starts it again
//   cast.Agrees(0, truth);     // store and every handler's view are exactly this
//   cast.RecordStores();
//   cast.Stop();
//
// A client that is stopped ends as its program would: connections are closed, and what it knew is
// gone. One that is started again is another program under the same name. Belongs to the loop's
// thread; handlers may have threads of their own.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/history.h"
#include "core/runtime/loop.h"
#include "reflector/informers/processor.h"
#include "reflector/planted_bugs.h"
#include "scenarios/play/asker.h"
#include "scenarios/play/stage.h"
#include "scenarios/script/scenario.h"

namespace relist {

// What a client tells of itself: MomentSpec says which.
struct Moment {
  MomentSpec::Kind kind = MomentSpec::Kind::kSynced;
  const ClientSpec* client = nullptr;
  int handler = 0;  // from 1; of kSynced 0: the client itself
  MomentSpec::As as = MomentSpec::As::kAny;
  ObjectKey key;
};

class Cast {
 public:
  // All outlive the cast.
  Cast(Loop& loop, const Endpoint& endpoint, const Scenario& scenario, uint64_t seed,
       HandlerThreads threads, History* history, const PlantedBugs& bugs = {});
  ~Cast();

  // Hears of each moment, in a turn of the loop after it; empty: nobody does. A handler's moments
  // are told only where the scenario waits for one of its client's.
  using MomentListener = std::function<void(const Moment& moment)>;
  void SetMomentListener(MomentListener listener) { moment_listener_ = std::move(listener); }

  // Each client starts at its time, or by a step.
  void Start();
  // Stops or starts the step's client, or asks what it says. The Error says why nothing came of it:
  // "client "a" does not run".
  Result<void> Do(const StepSpec& step);
  // It has been started, and not been stopped since.
  bool Runs(size_t client) const;
  // The client has synced, and its store and all its handlers have seen exactly `truth`. True for
  // one that does not run.
  bool Agrees(size_t client, const KeyVersions& truth) const;
  // The version up to which the client has heard; 0 before its first list.
  uint64_t Position(size_t client) const;
  // "dump" and "store" lines for each client that runs.
  void RecordStores(TimePoint now);
  // "s.yaml:5:9: handler2 of "a" never threw: ...", for each handler that did not throw as often as
  // the scenario says.
  std::vector<std::string> NeverThrew() const;
  // Stops all, and waits until they have ended.
  void Stop();

 private:
  struct Life;
  struct Member;
  Task<void> RunMember(Member& member);
  void Begin(Member& member);
  void End(Member& member);
  Task<void> TellWhenSynced(Signal& synced, Moment moment);
  void Tell(const Moment& moment);

  Loop& loop_;
  const Endpoint endpoint_;
  const Scenario& scenario_;
  const HandlerThreads threads_;
  History* history_;
  const PlantedBugs bugs_;
  MomentListener moment_listener_;
  std::vector<std::unique_ptr<Member>> members_;
  Signal stop_;
  int running_ = 0;
  Asker asker_;
  TaskScope scope_;
};

}  // namespace relist
