// A connection in memory, on a SimPort's virtual clock.
//
//   auto [client, server] = SimPipe::Make(port);
//   server->on_bytes = [&](std::string_view bytes) { ... };   // what the client sent
//   server->Open(Millis(1));                                  // or Refuse(Millis(1))
//   server->Deliver("HTTP/1.1 200 OK\r\n", Millis(2));
//   server->Finish(Millis(2));                                // FIN behind it; or Reset(...)
//
// One thread; the port outlives both ends.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/runtime/port.h"

namespace relist {

class SimClientConnection;
class SimPort;

// The server's end; the client's end is a Connection. What the server does arrives in the order in
// which it was done, each at the time it is given, or later where an earlier thing is still on its
// way. Either end may go first; a server's end that goes without a word leaves the client with a
// connection that is silent for ever.
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
