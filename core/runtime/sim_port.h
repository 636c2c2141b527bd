// The simulated world: a virtual clock that jumps to the next thing to happen, and pipes in memory.
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
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/runtime/port.h"
#include "core/runtime/small_function.h"

namespace relist {

class SimClientConnection;

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

// The server's end of a connection in memory. The client's end is a Connection. What the server
// does arrives in the order in which it was done, each at the time it is given, or later where an
// earlier thing is still on its way. Either end may go first; a server's end that goes without a
// word leaves the client with a connection that is silent for ever.
//
//   auto [client, server] = SimPipe::Make(port);
//   server->on_bytes = [&](std::string_view bytes) { ... };   // what the client sent, `uplink`
//   later server->Open(Millis(1));                                  // it is established; or
//   Refuse(Millis(1)) server->Deliver("HTTP/1.1 200 OK\r\n", Millis(2)); server->Finish(Millis(2));
//   // FIN behind all that; or Reset(...)
class SimPipe {
 public:
  static std::pair<std::unique_ptr<Connection>, std::shared_ptr<SimPipe>> Make(
      SimPort& port, Duration uplink = {});
  ~SimPipe();
  SimPipe(const SimPipe&) = delete;
  SimPipe& operator=(const SimPipe&) = delete;

  void Open(Duration delay);
  void Refuse(Duration delay);
  // Nothing may be delivered before Open, nor after Finish, Refuse or Reset.
  void Deliver(std::string bytes, Duration delay);
  void Finish(Duration delay);
  // RST: what the client has not yet received is lost to it, and what it sends to us.
  void Reset(Duration delay);
  // The client closed its end, or destroyed it. True at once; on_client_gone comes `uplink` later,
  // behind the last bytes.
  bool client_gone() const;

  // May destroy the pipe's last reference, but not assign to themselves. Not called after Refuse or
  // Reset.
  std::function<void(std::string_view)> on_bytes;
  std::function<void()> on_client_gone;

 private:
  struct State;
  friend class SimClientConnection;
  explicit SimPipe(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
};

}  // namespace relist
