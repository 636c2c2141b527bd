// The simulated network: pipes of a SimPort on one side, the server's connections on the other,
// bytes between them.
//
//   SimNetwork network(port, server, &faults, &history);
//   port.SetDialer([&](const Endpoint&) { return network.Dial(); });
//   server.store().Create(...);
//   network.Changed();            // requests that waited for this write go on
//
// What travels are the wire's bytes, as ServerConnection cuts, splits and holds them. With choices
// each delivery draws how long it takes and where it is split; without, everything takes a
// millisecond. One thread.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "core/choices.h"
#include "core/history.h"
#include "core/runtime/sim_port.h"
#include "fakeapi/http/replica_handlers.h"
#include "fakeapi/http/server_connection.h"

namespace relist {

class SimNetwork {
 public:
  // `faults`, `history` and `choices` may be null. All outlive the network, which outlives no
  // connection's dialer.
  SimNetwork(SimPort& port, fakeapi::RequestHandler& handler, fakeapi::FaultHook* faults,
             History* history, Choices* choices = nullptr);
  ~SimNetwork();
  SimNetwork(const SimNetwork&) = delete;
  SimNetwork& operator=(const SimNetwork&) = delete;

  // Connections go to handlers in the order of `balance`, round and round; number 0 is the
  // constructor's. `replicas` outlive the network.
  void Balance(std::vector<fakeapi::RequestHandler*> replicas, std::vector<size_t> balance);
  std::unique_ptr<Connection> Dial();
  // The store or the server's state moved: whoever waits for that is looked after, soon.
  void Changed();
  size_t connections() const { return links_.size(); }
  uint64_t bytes_delivered() const { return bytes_delivered_; }

 private:
  struct Link {
    std::unique_ptr<fakeapi::ServerConnection> server;
    std::shared_ptr<SimPipe> pipe;
    SimPort::Ticket timer;
    TimePoint timer_due = kNever;
    bool service_due = false;
  };

  void Soon(int id, Link& link);
  void Service(int id);
  void Send(Link& link);
  void Deliver(Link& link, std::string bytes);
  Duration Latency();
  void Drop(int id);
  void UpdateTick();

  SimPort& port_;
  fakeapi::RequestHandler& handler_;
  fakeapi::ReplicaHandlers handlers_;
  fakeapi::FaultHook* faults_;
  History* history_;
  Choices* choices_;
  fakeapi::ServerCounters counters_;
  std::map<int, std::unique_ptr<Link>> links_;
  int next_id_ = 0;
  SimPort::Ticket tick_;
  TimePoint tick_due_ = kNever;  // what the handler does by itself
  uint64_t bytes_delivered_ = 0;
};

}  // namespace relist
