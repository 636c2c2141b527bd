// One client's connection, without a socket: bytes in, bytes out, faults on the way. Both worlds pump this same class,
// so a cut at byte n is the same cut in both.
//
//   connection.Receive(now, bytes);          // from the wire
//   connection.Pump(now);                    // watches fill the queue as far as it has room
//   connection.Gather(iov, 64);              // what may go out now
//   connection.Sent(now, n);
//   timer.Arm(connection.NextDeadline());
//
// It speaks HTTP/1.1 through http_codec: keep-alive, pipelining, chunked bodies, limits. One thread.
#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/history.h"
#include "core/time.h"
#include "fakeapi/fault_hook.h"
#include "fakeapi/request_handler.h"

namespace relist::fakeapi {

struct ServerConnectionOptions {
  size_t output_max = 64 * 1024;          // a watch is not asked for more while so much is queued (per connection)
  size_t body_max = 3 * 1024 * 1024;      // 413 above
  size_t head_max = 1024 * 1024 + 65536;  // request line and headers; 431 above
  Duration head_time = Seconds(32);       // for a whole request head, from its first byte (and for the first one)
  Duration idle_time = Seconds(90);       // between requests
};

// Shared by the connections of one front: numbers requests and connections.
struct ServerCounters {
  uint64_t requests = 0;
  int connections = 0;
};

class ServerConnection {
 public:
  enum class Fate {
    kOpen,
    kCloseWhenSent,  // FIN once the queue is empty
    kReset,          // RST once the queue is empty
  };

  // `faults` and `history` may be null. All outlive the connection.
  ServerConnection(RequestHandler& handler, FaultHook* faults, History* history, ServerCounters& counters,
                   TimePoint now, ServerConnectionOptions options = {});
  ~ServerConnection();
  ServerConnection(const ServerConnection&) = delete;
  ServerConnection& operator=(const ServerConnection&) = delete;

  void Receive(TimePoint now, std::string_view bytes);
  // The client's FIN or RST: an open watch is over.
  void PeerClosed(TimePoint now);
  // Lets time pass: deadlines, delayed faults, waiting requests, and lines of an open watch.
  void Pump(TimePoint now);
  // True while Pump may produce something without time passing or the handler changing.
  bool WantsPump() const;
  // Called, from within a write to the store, when the open watch has something new.
  void OnReady(std::function<void()> wake);

  // Up to `max` pieces that may go out now (a Split verdict ends a gather early); returns how many.
  int Gather(iovec* pieces, int max) const;
  void Sent(TimePoint now, size_t bytes);
  bool HasOutput() const;
  // False while a Stall or Hold keeps the queue back, or while backpressure from our side forbids reading.
  bool WantsRead() const;

  Fate fate() const;
  TimePoint NextDeadline() const;
  bool is_watching() const;
  int id() const;
  // Graceful shutdown: an open watch ends with its last chunk, an idle connection closes, a request in flight is answered.
  void Shutdown(TimePoint now);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace relist::fakeapi
