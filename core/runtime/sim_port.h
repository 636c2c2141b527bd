// The simulated world: a virtual clock that jumps to the next thing to happen, and
// (core/runtime/sim_pipe.h) pipes in memory.
//
//   SimPort port;
//   port.SetDialer([&](const Endpoint&) { return network.Accept(); });
//   port.At(port.Now() + Seconds(1), [] { ... });    // the server's deadlines, deliveries, writers
//
// Things due at the same time happen in the order in which they were asked for. One thread. The
// port outlives every pipe made on it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "core/runtime/port.h"
#include "core/runtime/sim_pipe.h"
#include "core/runtime/small_function.h"

namespace relist {

class SimPort : public Port {
 public:
  explicit SimPort(TimePoint start = kSimulationEpoch);
  ~SimPort() override;

  TimePoint Now() override { return now_; }
  // Without a dialer every connection is refused.
  std::unique_ptr<Connection> Connect(const Endpoint& endpoint) override;
  // Jumps to the next thing to happen, if it is due by `deadline`, and does all that is due then;
  // what this asks for at the same time is for the next Wait, so tasks see the world between.
  bool Wait(TimePoint deadline) override;
  void Wake() override {}

  using Dialer = std::function<std::unique_ptr<Connection>(const Endpoint&)>;
  void SetDialer(Dialer dialer) { dialer_ = std::move(dialer); }

  // Runs `action` when the clock gets to `when` (now at the earliest; kNever drops it). The ticket
  // cancels it; one that is used up, or was never given, cancels nothing.
  struct Ticket {
    uint64_t sequence = 0;
    size_t slot = 0;
  };
  Ticket At(TimePoint when, SmallFunction action);
  void Cancel(const Ticket& ticket);
  // How many actions are still to come.
  size_t pending() const { return slots_.size() - free_slots_.size(); }

 private:
  // The heap holds places in time, the slots hold the actions. Cancelling empties the slot; the
  // place is dropped when it comes up, or when more than half of the heap is such.
  struct Place {
    TimePoint when;
    uint64_t sequence;
    size_t slot;
    bool operator>(const Place& other) const {
      return when != other.when ? when > other.when : sequence > other.sequence;
    }
  };
  struct Slot {
    SmallFunction action;
    uint64_t sequence = 0;  // 0: free
  };
  bool Live(const Place& place) const { return slots_[place.slot].sequence == place.sequence; }
  SmallFunction Vacate(size_t slot);
  void DropDeadPlaces();

  TimePoint now_;
  uint64_t sequence_ = 0;
  std::vector<Place> heap_;
  std::vector<Slot> slots_;
  std::vector<size_t> free_slots_;
  Dialer dialer_;
};

}  // namespace relist
