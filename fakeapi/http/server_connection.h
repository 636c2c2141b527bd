// One client's connection, without a socket: bytes in, bytes out, faults on the way. Both worlds
// pump this same class, so a cut at byte n is the same cut in both.
//
//   connection.Receive(now, bytes);          // from the wire
//   connection.Pump(now);                    // watches fill the queue as far as it has room
//   connection.Gather(iov, 64);              // what may go out now
//   connection.Sent(now, n);
//   timer.Arm(connection.NextDeadline());
//
// It speaks HTTP/1.1 through http_codec: keep-alive, pipelining (a request is begun when the answer
// before it has left), chunked bodies, limits. Receive and Sent pump by themselves. When the
// handler restarts it closes: at once, or once what is under way was answered. One thread.
#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "core/history.h"
#include "core/time.h"
#include "fakeapi/api/request_handler.h"
#include "fakeapi/http/fault_hook.h"
#include "fakeapi/http/request_log.h"

namespace relist::fakeapi {

struct ServerConnectionOptions {
  size_t output_max =
      64 * 1024;  // a watch is not asked for more while so much is queued (per connection)
  size_t body_max = 3 * 1024 * 1024;     // 413 above
  size_t head_max = 1024 * 1024 + 4096;  // request line and headers; 431 above (net/http's limit)
  Duration head_time =
      Seconds(32);  // for a whole request head, from its first byte (and for the first one)
  Duration body_time = Seconds(60);  // for a whole body, from the end of its head
  Duration idle_time = Seconds(90);  // between requests
  size_t replica = 0;                // to which it leads, for histories
  RequestLog* log = nullptr;
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
  ServerConnection(RequestHandler& handler, FaultHook* faults, History* history,
                   ServerCounters& counters, TimePoint now, ServerConnectionOptions options = {});
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
  // False while nothing is queued, or a Hold keeps the queue back.
  bool HasOutput() const;
  // Bytes queued, those that a Hold keeps back included: Fate is due once it is 0.
  uint64_t queued() const;
  // False before an accepted connection's Delay or Stall is over (no handshake either), once the
  // connection is to be closed, and while a client sends further requests faster than they are
  // answered.
  bool WantsRead() const;

  Fate fate() const;
  TimePoint NextDeadline() const;
  bool is_watching() const;
  // A request waits for the handler's change_count() to move (Wait): pump this connection when it
  // has.
  bool is_waiting() const;
  int id() const;
  // Graceful shutdown: an open watch ends with its last chunk, an idle connection closes, a request
  // in flight is answered.
  void Shutdown(TimePoint now);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace relist::fakeapi
