// The world in which a scenario runs: simulated (virtual time, bytes in memory) or real (HTTP over
// loopback, a clock that runs up to 60 times as fast). Chosen once; everything above is the same
// code.
//
//   std::unique_ptr<World> world = MakeWorld(WorldKind::kSim, scenario, seed);
//   world->OnServer([&] { world->stage().Prepare(world->loop().Now()); });
//   world->cast().Start();
//   world->loop().RunUntil(...);
//   History history = world->Finish();
//
// Belongs to the thread that made it, which runs the loop. Only what is passed to OnServer and
// PostToServer may touch the stage.
#pragma once

#include <functional>
#include <memory>

#include "core/history.h"
#include "core/runtime/loop.h"
#include "reflector/planted_bugs.h"
#include "scenarios/play/cast.h"
#include "scenarios/play/stage.h"
#include "scenarios/script/scenario.h"

namespace relist {

class World {
 public:
  virtual ~World() = default;
  virtual Loop& loop() = 0;
  virtual Stage& stage() = 0;
  virtual Cast& cast() = 0;
  // The run's own lines and the clients'; over HTTP the server has its own.
  virtual History& history() = 0;
  // Runs `action` on the server's thread, in which the stage may be touched, and comes back when it
  // is done.
  virtual void OnServer(const std::function<void(Stage& stage, TimePoint now)>& action) = 0;
  // Soon, from the server's thread itself.
  virtual void PostToServer(std::function<void(Stage& stage, TimePoint now)> action) = 0;
  // How late, at most, something that was due at a time came so far, in virtual time: over HTTP, of
  // a machine that is too busy for the rate. 0 in the simulation.
  virtual Duration Lateness() const { return {}; }
  // Stops clients and server; everything that happened, in the order of time.
  virtual History Finish() = 0;
};

// `scenario` must outlive the world. An Error where the world cannot be had (no port to listen on).
Result<std::unique_ptr<World>> MakeWorld(WorldKind kind, const Scenario& scenario, uint64_t seed,
                                         const PlantedBugs& bugs = {});
std::unique_ptr<World> MakeSimWorld(const Scenario& scenario, uint64_t seed,
                                    const PlantedBugs& bugs);
Result<std::unique_ptr<World>> MakeHttpWorld(const Scenario& scenario, uint64_t seed,
                                             const PlantedBugs& bugs);

// Two histories as one, in the order of time; of the same time first what stands in `first`.
History Merge(const History& first, const History& second);

}  // namespace relist
