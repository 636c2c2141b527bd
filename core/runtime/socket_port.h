// The real world: a steady clock with a rate, TCP and TLS sockets that never block, epoll.
//
//   SocketPort port;                     // one second a second
//   SocketPort fast({.rate = 60});       // back-off, deadlines and time-outs: 60 times as fast
//   SocketPort keen({.user_timeout = Seconds(20)});   // a dead peer is noticed after 20 s
//   auto connection = port.Connect({"localhost", 6443, tls});
//
// Now() starts at the wall clock's time and goes on with the steady clock times the rate. Only
// Wake() is thread-safe. The port outlives its connections.
//
// How a connection fails, and what its error says (Go's words): kRefused "dial tcp 127.0.0.1:6443:
// connect: connection refused"; kTimeout "dial tcp ...: i/o timeout", "net/http: TLS handshake
// timeout"; kReset "read tcp ...: connection reset by peer"; kEof where the peer finished inside
// the handshake; kTls (core/net/tls.h); kOther: no such host, no route, no file descriptor left, a
// proxy that refuses. What a proxy is to blame for begins with "proxyconnect tcp: ".
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/runtime/port.h"

namespace relist {

struct SocketAddress;

// TCP's own probes of a connection on which nothing moves: after `idle`, each `interval`; after
// `count` without an answer it has failed (kTimeout, "connection timed out"): with what Go's
// dialer sets by client-go's 30 s, after 165 s.
struct TcpKeepAlive {
  bool on = true;
  Duration idle = Seconds(30);
  Duration interval = Seconds(15);
  int count = 9;
};

struct SocketPortOptions {
  double rate = 1;
  Duration connect_timeout = Seconds(30);  // catalogue 1.1: dial timeout; TLS handshake 10 s
  Duration handshake_timeout = Seconds(10);
  Duration proxy_timeout = Seconds(60);  // a proxy's answer to CONNECT, or to SOCKS's questions
  TcpKeepAlive keep_alive;               // whole seconds of real time, at least one
  // Gives a connection up when what was sent, probes included, is not acknowledged for so long
  // (TCP_USER_TIMEOUT, milliseconds of real time). Zero: the system decides, as with Go, after
  // about 15 minutes; with it the probes of keep_alive are not counted.
  Duration user_timeout{};
  // Is shown each socket before it connects: for tests, and for options that are not here.
  std::function<void(int fd)> on_socket;
  // Looks up a name; may block, is called on a thread of its own. Null: getaddrinfo.
  std::function<Result<std::vector<SocketAddress>>(const std::string& host, int port)> look_up;
};

class SocketReactor;

class SocketPort : public Port {
 public:
  explicit SocketPort(SocketPortOptions options = {});
  ~SocketPort() override;

  TimePoint Now() override;
  // Resolves the name (numeric addresses and localhost at once, others on a helper thread),
  // connects to the first address that lets us, shakes hands.
  std::unique_ptr<Connection> Connect(const Endpoint& endpoint) override;
  bool Wait(TimePoint deadline) override;
  void Wake() override;

 private:
  std::unique_ptr<SocketReactor> reactor_;
};

}  // namespace relist
