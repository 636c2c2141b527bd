#include "reflector/rest/rest_connections.h"

#include <string>
#include <utility>

namespace relist {
namespace {

constexpr size_t kIdleMax = 25;

}  // namespace

ConnectionLease::ConnectionLease(ConnectionLease&& other) noexcept
    : lent_(std::move(other.lent_)), place_(other.place_), generation_(other.generation_) {
  other.lent_.reset();
}

ConnectionLease& ConnectionLease::operator=(ConnectionLease&& other) noexcept {
  if (this == &other) return *this;
  Return();
  lent_ = std::exchange(other.lent_, nullptr);
  place_ = other.place_;
  generation_ = other.generation_;
  return *this;
}

void ConnectionLease::Return() {
  if (lent_) lent_->erase(place_);
  lent_.reset();
}

RestConnections::RestConnections(Loop& loop, bool keep_alive, Duration idle_timeout)
    : loop_(loop),
      keep_alive_(keep_alive),
      idle_timeout_(idle_timeout),
      lent_(std::make_shared<std::list<Connection*>>()) {}

std::unique_ptr<Connection> RestConnections::TakeIdle() {
  while (!idle_.empty()) {
    Idle idle = std::move(idle_.back());
    idle_.pop_back();
    std::string unexpected;
    if (loop_.Now() - idle.since < idle_timeout_ && idle.connection->Receive(&unexpected) == 0 &&
        idle.connection->state() == Connection::State::kOpen) {
      return std::move(idle.connection);
    }
  }
  return nullptr;
}

ConnectionLease RestConnections::Lend(Connection& connection) {
  ConnectionLease lease;
  lease.lent_ = lent_;
  lease.place_ = lent_->insert(lent_->end(), &connection);
  lease.generation_ = generation_;
  return lease;
}

void RestConnections::GiveBack(std::unique_ptr<Connection> connection, ConnectionLease lease) {
  if (!connection || !keep_alive_ || lease.generation_ != generation_) return;
  if (idle_.size() == kIdleMax) idle_.pop_front();
  idle_.push_back({std::move(connection), loop_.Now()});
}

void RestConnections::Renew() {
  ++generation_;
  idle_.clear();
}

void RestConnections::AbortAll(const Error& error) {
  Renew();
  for (Connection* connection : *lent_) connection->Abort(error);
}

void RestConnections::Close() {
  keep_alive_ = false;
  Renew();
}

}  // namespace relist
