// The front's thread: epoll, timers, and the pump. Everything here but Post() belongs to the loop's
// thread.
//
//   ServerLoop loop(handler, options, clock, std::move(listeners), tls);
//   std::thread thread([&] { loop.Run(); });
//   loop.Post([&] { ... });
//
// A turn: what sockets said, posted actions, timers, then each watch that has something new once,
// so that events which are ready together leave together. Pumping many watches takes a while: what
// comes so soon after it waits as long again (a millisecond at most), and leaves together, too.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "fakeapi/front/http_server.h"
#include "fakeapi/front/http_server_clock.h"
#include "fakeapi/front/http_server_socket.h"
#include "fakeapi/front/http_server_stream.h"
#include "fakeapi/http/replica_handlers.h"
#include "fakeapi/http/server_connection.h"

namespace relist::fakeapi {

class ServerLoop {
 public:
  ServerLoop(RequestHandler& handler, const HttpServerOptions& options, const ServerClock& clock,
             std::vector<Listener> listeners, TlsServerContext tls);
  ~ServerLoop();

  // The Error of a listener or epoll that can't be set up.
  Result<void> Prepare();
  // Returns when a shutdown is complete.
  void Run();
  // Thread-safe. False once Run has returned, or is about to: the action will not run.
  bool Post(std::function<void()> action);
  bool IsLoopThread() const { return thread_.load() == std::this_thread::get_id(); }
  // From within an action: begins the shutdown.
  void BeginShutdown();
  // Likewise: its grace is over, also where it is yet to begin.
  void EndGrace();

 private:
  struct Client {
    Client(uint64_t n, ServerStream s) : number(n), stream(std::move(s)) {}
    const uint64_t number;
    ServerStream stream;
    std::unique_ptr<ServerConnection>
        connection;              // null once all is said and we wait for the peer's FIN
    TimePoint armed = kNever;    // its entry in timers_
    TimePoint give_up = kNever;  // of closing
    uint32_t interest = 0;
    bool write_blocked = false;
    bool peer_done = false;
    bool in_ready = false, in_woken = false;
    bool dead = false;
  };

  // http_server_loop.cc
  void Turn();
  int WaitForEvents();
  void RunPosted();
  void FireTimers();
  void PumpWaiters();
  void PumpReady();
  void PumpWoken();
  void PumpAll(const std::vector<Client*>& clients);
  void ServeRestarted();
  void Bury();
  void ContinueShutdown();
  void UpdateDoor(size_t number);
  void AcceptAll(size_t door);
  void Adopt(size_t door, int fd);
  TimePoint NextTime() const;

  // http_server_client.cc
  void OnSocket(Client& client, uint32_t events);
  void ReadFrom(Client& client);
  void HearEnd(Client& client, ServerStream::Io how);
  void Serve(Client& client);
  bool Flush(Client& client);
  void Finish(Client& client);
  void LetGo(Client& client);
  void Kill(Client& client);
  void MarkReady(Client& client);
  void MarkWoken(Client& client);
  void UpdateInterest(Client& client);
  void UpdateTimer(Client& client);
  void Arm(Client& client, TimePoint next);

  std::atomic<std::thread::id> thread_;
  RequestHandler& handler_;
  ReplicaHandlers handlers_;
  const HttpServerOptions& options_;
  const ServerClock& clock_;
  struct Door {
    Listener listener;
    bool watched = false;
  };
  std::vector<Door> doors_;
  const TlsServerContext tls_;
  OwnedFd epoll_, wakeup_;
  ServerCounters counters_;
  TimePoint now_;
  uint64_t last_number_;  // 0 is the wake-up's, those after it are the doors'
  std::map<uint64_t, std::unique_ptr<Client>> clients_;
  std::set<std::pair<TimePoint, uint64_t>> timers_;
  std::set<uint64_t> waiting_;  // clients whose request waits for a change
  std::vector<Client*> ready_;  // for a further turn
  std::vector<Client*> woken_;  // their watches have something new
  TimePoint pump_again_ = TimePoint::min();
  uint64_t pumped_change_ = 0;
  std::vector<uint64_t> dead_;
  std::vector<char> buffer_;
  uint64_t seen_change_ = 0;
  uint64_t seen_incarnations_;
  TimePoint accept_again_ = TimePoint::min();  // after descriptors ran out
  bool no_pwait2_ = false;

  bool stopping_ = false;
  bool no_grace_ = false;
  TimePoint watches_end_ = kNever;  // in a shutdown: when watches are ended
  TimePoint cut_off_ = kNever;      // and when whatever is left is closed

  std::mutex mutex_;
  std::vector<std::function<void()>> posted_;  // guarded by mutex_
  bool accepts_posts_ = true;                  // guarded by mutex_
};

}  // namespace relist::fakeapi
