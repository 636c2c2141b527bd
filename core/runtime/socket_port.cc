#include "core/runtime/socket_port.h"

#include "core/runtime/socket_connection.h"
#include "core/runtime/socket_reactor.h"

namespace relist {

SocketPort::SocketPort(SocketPortOptions options)
    : reactor_(std::make_unique<SocketReactor>(std::move(options))) {}
SocketPort::~SocketPort() = default;

TimePoint SocketPort::Now() {
  return reactor_->Now();
}

std::unique_ptr<Connection> SocketPort::Connect(const Endpoint& endpoint) {
  return std::make_unique<SocketConnection>(*reactor_, endpoint);
}

bool SocketPort::Wait(TimePoint deadline) {
  reactor_->Wait(deadline);
  return true;
}

void SocketPort::Wake() {
  reactor_->Wake();
}

}  // namespace relist
