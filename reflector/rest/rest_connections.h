// The connections of one RestClient: those that lie idle until somebody wants them again, and those
// in use, which may all have to go when the credentials they were opened with have changed.
//
//   std::unique_ptr<Connection> connection = connections->TakeIdle();
//   if (!connection) connection = port.Connect(endpoint);
//   ConnectionLease lease = connections->Lend(*connection);    // while it is in use
//   connections->GiveBack(std::move(connection), std::move(lease));
//
// Streams may outlive their client, and keep this alive; after Close nothing is kept. Belongs to
// the loop's thread.
#pragma once

#include <deque>
#include <list>
#include <memory>

#include "core/runtime/loop.h"
#include "core/runtime/port.h"

namespace relist {

class RestConnections;

// That a connection is in use; ends with it.
class ConnectionLease {
 public:
  ConnectionLease() = default;
  ConnectionLease(ConnectionLease&& other) noexcept;
  ConnectionLease& operator=(ConnectionLease&& other) noexcept;
  ~ConnectionLease() { Return(); }

 private:
  friend class RestConnections;
  void Return();
  std::shared_ptr<std::list<Connection*>> lent_;
  std::list<Connection*>::iterator place_;
  uint64_t generation_ = 0;
};

class RestConnections {
 public:
  RestConnections(Loop& loop, bool keep_alive, Duration idle_timeout);

  // The one that was used last, if one is still good: nothing may have come on it.
  std::unique_ptr<Connection> TakeIdle();
  ConnectionLease Lend(Connection& connection);
  // Kept, up to 25 (client-go's number for one host), unless Renew came since it was lent. Null is
  // fine.
  void GiveBack(std::unique_ptr<Connection> connection, ConnectionLease lease);
  // Connections that exist now are not used again; those in use go on.
  void Renew();
  // Renew, and those in use fail with `error`.
  void AbortAll(const Error& error);
  // Nothing is kept from now on.
  void Close();
  size_t idle() const { return idle_.size(); }

 private:
  struct Idle {
    std::unique_ptr<Connection> connection;
    TimePoint since;
  };
  Loop& loop_;
  bool keep_alive_;
  const Duration idle_timeout_;
  std::deque<Idle> idle_;
  std::shared_ptr<std::list<Connection*>> lent_;  // in the order in which they were
  uint64_t generation_ = 0;                       // counts Renew
};

}  // namespace relist
