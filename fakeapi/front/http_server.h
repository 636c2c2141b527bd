// The front: one epoll loop that owns sockets, TLS, deadlines and byte faults, and pumps
// ServerConnections.
//
//   HttpServer front(server, {.tls = false});
//   Result<int> port = front.Start();        // a thread of its own; loopback, ephemeral port
//   front.Run([&] { server.Evict(front.Now()); });   // anything on the server's thread
//   front.Stop();
//
// Thread-safe: Start, Stop, EndGrace, Run, Post, port(), ports(). Everything else of the server
// belongs to the loop's thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/history.h"
#include "core/result.h"
#include "core/time.h"
#include "fakeapi/api/request_handler.h"
#include "fakeapi/http/fault_hook.h"
#include "fakeapi/http/server_connection.h"

namespace relist::fakeapi {

struct HttpServerOptions {
  std::string address = "127.0.0.1";
  int port = 0;
  double rate = 1;  // virtual seconds a real second: scales every deadline of the server
  std::string cert_pem, key_pem;  // both set: TLS
  std::string ca_pem;             // for client certificates; empty: none are asked for
  // Further replicas of the same server, behind the handler that is replica 0. Each has a port of
  // its own, the next one where `port` is given; or all have one port, and connections go to the
  // replicas in the order of `balance`, round and round.
  std::vector<RequestHandler*> replicas;
  std::vector<size_t> balance;
  FaultHook* faults = nullptr;
  History* history = nullptr;
  RequestLog* log = nullptr;
  Duration shutdown_grace{};  // how long watches go on after Stop began (the real server: 60 s)
  ServerConnectionOptions connection;  // limits and deadlines of each connection
  // A clock to share with somebody else (thread-safe, passing at `rate`); empty: one of its own,
  // which starts at the wall clock's time.
  std::function<TimePoint()> clock;
};

class HttpServer {
 public:
  HttpServer(RequestHandler& handler, HttpServerOptions options);
  ~HttpServer();  // stops

  Result<int> Start();  // listens; the port. Error: in use, no permission, bad certificate
  int port() const;
  std::vector<int> ports() const;  // by replica; one, where they are balanced
  TimePoint Now() const;           // the server's clock (thread-safe)
  // Runs `action` on the loop's thread, and waits until it has run.
  void Run(std::function<void()> action);
  void Post(std::function<void()> action);
  // The listener closes, watches end with a last chunk (after the grace), the thread is joined.
  void Stop();
  // From another thread: Stop, under way or to come, has no grace left.
  void EndGrace();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// A CA, and a certificate for localhost, 127.0.0.1 and ::1 with a subject, ECDSA P-256, good for
// ten years. PEM.
struct ServingCertificate {
  std::string ca_pem, cert_pem, key_pem;
};
Result<ServingCertificate> MakeServingCertificate();

}  // namespace relist::fakeapi
