// For tests of sockets: a small TCP server, one connection after the other, each handed to a
// function on the server's thread; and waiting for what a connection of ours does.
//
//   TestServer server([](int fd) { WriteAll(fd, "hello"); });   // the descriptor is closed for it
//   port.Connect({"127.0.0.1", server.port(), nullptr});
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <thread>

#include "core/check.h"
#include "core/runtime/socket_port.h"

namespace relist::socket_test_support {

// A socket that is bound to a free port of 127.0.0.1, and listens if `backlog` is not negative.
inline int BindAnywhere(int backlog, int* port) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  CHECK(bind(fd, reinterpret_cast<sockaddr*>(&address), size) == 0, "bind: errno {}", errno);
  CHECK(backlog < 0 || listen(fd, backlog) == 0, "listen: errno {}", errno);
  getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
  *port = ntohs(address.sin_port);
  return fd;
}

inline void WriteAll(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = send(fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (n <= 0) return;
    bytes.remove_prefix(static_cast<size_t>(n));
  }
}

// What comes until the peer finishes, or `max` bytes have come.
inline std::string ReadAll(int fd, size_t max = SIZE_MAX) {
  std::string got;
  char buffer[16384];
  while (got.size() < max) {
    const ssize_t n = recv(fd, buffer, std::min(sizeof buffer, max - got.size()), 0);
    if (n <= 0) break;
    got.append(buffer, static_cast<size_t>(n));
  }
  return got;
}

// The next close of this descriptor sends RST.
inline void ResetOnClose(int fd) {
  const linger now{1, 0};
  setsockopt(fd, SOL_SOCKET, SO_LINGER, &now, sizeof now);
}

class TestServer {
 public:
  explicit TestServer(std::function<void(int fd)> serve) : serve_(std::move(serve)) {
    listener_ = BindAnywhere(16, &port_);
    thread_ = std::thread([this] {
      for (int fd; (fd = accept(listener_, nullptr, nullptr)) >= 0; close(fd)) serve_(fd);
    });
  }
  // The function must end once its client is gone.
  ~TestServer() {
    shutdown(listener_, SHUT_RDWR);
    thread_.join();
    close(listener_);
  }
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;
  int port() const { return port_; }

 private:
  std::function<void(int)> serve_;
  int listener_ = -1;
  int port_ = 0;
  std::thread thread_;
};

// Lets the world move until `done`; false after half a minute.
template <class Done>
bool WaitFor(SocketPort& port, Done done) {
  const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!done()) {
    if (std::chrono::steady_clock::now() > give_up) return false;
    port.Wait(port.Now() + Seconds(1));
  }
  return true;
}

inline bool Settle(SocketPort& port, Connection& connection) {
  return WaitFor(port, [&] { return connection.state() != Connection::State::kOpening; });
}

// Everything until the peer finishes or the connection fails.
inline std::string ReceiveAll(SocketPort& port, Connection& connection) {
  std::string bytes;
  const auto over = [&] {
    while (connection.Receive(&bytes) > 0) {
    }
    return connection.state() == Connection::State::kPeerDone ||
           connection.state() == Connection::State::kFailed;
  };
  EXPECT_TRUE(WaitFor(port, over));
  over();
  return bytes;
}

}  // namespace relist::socket_test_support
