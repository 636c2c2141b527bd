#include "core/runtime/sim_port.h"
#include "scenarios/play/sim_network.h"
#include "scenarios/play/world.h"

namespace relist {
namespace {

class SimWorld : public World {
 public:
  SimWorld(const Scenario& scenario, uint64_t seed, const PlantedBugs& bugs)
      : loop_(port_),
        stage_(scenario, seed, port_.Now(), &history_),
        network_(port_, stage_.server(), &stage_.faults(), &history_),
        cast_(loop_, {"sim", 80, nullptr}, scenario, seed, HandlerThreads::kOnLoop, &history_,
              bugs) {
    network_.Balance(stage_.Replicas(), scenario.balance);
    port_.SetDialer([this](const Endpoint&) { return network_.Dial(); });
  }

  Loop& loop() override { return loop_; }
  Stage& stage() override { return stage_; }
  Cast& cast() override { return cast_; }
  History& history() override { return history_; }

  void OnServer(const std::function<void(Stage&, TimePoint)>& action) override {
    action(stage_, port_.Now());
    network_.Changed();
  }
  void PostToServer(std::function<void(Stage&, TimePoint)> action) override {
    port_.At(port_.Now(), [this, action = std::move(action)] { OnServer(action); });
  }
  History Finish() override {
    cast_.Stop();
    return std::move(history_);
  }

 private:
  History history_;
  SimPort port_;
  Loop loop_;
  Stage stage_;
  SimNetwork network_;
  Cast cast_;
};

}  // namespace

std::unique_ptr<World> MakeSimWorld(const Scenario& scenario, uint64_t seed,
                                    const PlantedBugs& bugs) {
  return std::make_unique<SimWorld>(scenario, seed, bugs);
}

Result<std::unique_ptr<World>> MakeWorld(WorldKind kind, const Scenario& scenario, uint64_t seed,
                                         const PlantedBugs& bugs) {
  if (kind == WorldKind::kSim) return MakeSimWorld(scenario, seed, bugs);
  return MakeHttpWorld(scenario, seed, bugs);
}

History Merge(const History& first, const History& second) {
  History merged(first.start());
  auto a = first.entries().begin();
  auto b = second.entries().begin();
  while (a != first.entries().end() || b != second.entries().end()) {
    const bool from_first =
        b == second.entries().end() || (a != first.entries().end() && a->when() <= b->when());
    const HistoryEntry& entry = from_first ? *a++ : *b++;
    merged.AddCopy(entry.when(), entry);
  }
  return merged;
}

}  // namespace relist
