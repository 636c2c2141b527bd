// The real world: a steady clock with a rate, TCP and TLS sockets that never block, epoll.
//
//   SocketPort port;                  // one second a second
//   SocketPort fast({.rate = 60});    // back-off, deadlines and time-outs alike pass 60 times as
//   fast
//
// Now() starts at the wall clock's time and goes on with the steady clock times the rate. Only
// Wake() is thread-safe.
#pragma once

#include <memory>

#include "core/runtime/port.h"

namespace relist {

struct SocketPortOptions {
  double rate = 1;
  Duration connect_timeout = Seconds(30);  // catalogue 1.1: dial timeout; TLS handshake 10 s
  Duration handshake_timeout = Seconds(10);
};

class SocketPort : public Port {
 public:
  explicit SocketPort(SocketPortOptions options = {});
  ~SocketPort() override;

  TimePoint Now() override;
  // Resolves the name (numeric addresses and localhost at once, others on a helper thread),
  // connects, shakes hands.
  std::unique_ptr<Connection> Connect(const Endpoint& endpoint) override;
  bool Wait(TimePoint deadline) override;
  void Wake() override;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace relist
