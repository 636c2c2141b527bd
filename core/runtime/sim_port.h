// The simulated world: a virtual clock that jumps to the next thing to happen, and pipes in memory.
//
//   SimPort port;
//   port.SetDialer([&](const Endpoint&) { return network.Accept(); });
//   port.At(port.Now() + Seconds(1), [] { ... });    // the server's deadlines, deliveries, writers
//
// Things due at the same time happen in the order in which they were asked for. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/runtime/port.h"

namespace relist {

class SimPort : public Port {
 public:
  explicit SimPort(TimePoint start = kSimulationEpoch);
  ~SimPort() override;

  TimePoint Now() override { return now_; }
  // Without a dialer every connection is refused.
  std::unique_ptr<Connection> Connect(const Endpoint& endpoint) override;
  bool Wait(TimePoint deadline) override;
  void Wake() override {}

  using Dialer = std::function<std::unique_ptr<Connection>(const Endpoint&)>;
  void SetDialer(Dialer dialer) { dialer_ = std::move(dialer); }

  // Runs `action` when the clock gets to `when` (now at the earliest). The ticket cancels it.
  using Ticket = std::pair<TimePoint, uint64_t>;
  Ticket At(TimePoint when, std::function<void()> action);
  void Cancel(const Ticket& ticket);

 private:
  TimePoint now_;
  uint64_t sequence_ = 0;
  std::map<Ticket, std::function<void()>> events_;
  Dialer dialer_;
};

// The server's end of a connection in memory. The client's end is a Connection. Bytes arrive in
// order, each delivery at the time it is given, or later where an earlier one is still on its way.
// Either end may go first.
//
//   auto [client, server] = SimPipe::Make(port);
//   server->on_bytes = [&](std::string_view bytes) { ... };   // what the client sent, after
//   `uplink` time server->Open(Millis(1));                   // the connection is established; or
//   Refuse(Millis(1)) server->Deliver("HTTP/1.1 200 OK\r\n", Millis(2)); server->Finish(Millis(2));
//   // FIN behind all that was delivered; or Reset()
class SimPipe {
 public:
  static std::pair<std::unique_ptr<Connection>, std::shared_ptr<SimPipe>> Make(
      SimPort& port, Duration uplink = {});
  ~SimPipe();

  void Open(Duration delay);
  void Refuse(Duration delay);
  void Deliver(std::string bytes, Duration delay);
  void Finish(Duration delay);
  // RST: what the client has not yet received is lost to it.
  void Reset(Duration delay);
  // The client closed its end, or was destroyed.
  bool client_gone() const;

  std::function<void(std::string_view)> on_bytes;
  std::function<void()> on_client_gone;

 private:
  struct State;
  friend class SimClientConnection;
  explicit SimPipe(std::shared_ptr<State> state);
  std::shared_ptr<State> state_;
};

}  // namespace relist
