// The clients' side of a scenario, the same in both worlds: our informers with their handlers, on
// the world's loop.
//
//   Cast cast(world_loop, endpoint, scenario, seed, HandlerThreads::kOnLoop, &history);
//   cast.Start();
//   cast.Agrees(0, truth);     // store and every handler's view are exactly this
//   cast.RecordStores();
//   cast.Stop();
//
// Belongs to the loop's thread; handlers may have threads of their own.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/history.h"
#include "core/runtime/loop.h"
#include "reflector/informers/processor.h"
#include "reflector/planted_bugs.h"
#include "scenarios/scenario.h"
#include "scenarios/stage.h"

namespace relist {

class Cast {
 public:
  // All outlive the cast.
  Cast(Loop& loop, const Endpoint& endpoint, const Scenario& scenario, uint64_t seed,
       HandlerThreads threads, History* history, const PlantedBugs& bugs = {});
  ~Cast();

  // Each client starts at its time.
  void Start();
  // The client has synced, and its store and all its handlers have seen exactly `truth`.
  bool Agrees(size_t client, const KeyVersions& truth) const;
  // The version up to which the client has heard; 0 before its first list.
  uint64_t Position(size_t client) const;
  // "dump" and "store" lines for each client.
  void RecordStores(TimePoint now);
  // Stops all, and waits until they have ended.
  void Stop();

 private:
  struct Member;
  Task<void> RunMember(Member& member);
  Loop& loop_;
  History* history_;
  std::vector<std::unique_ptr<Member>> members_;
  Signal stop_;
  int running_ = 0;
  TaskScope scope_;
};

}  // namespace relist
