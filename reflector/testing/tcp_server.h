// A tiny server on a real socket, for tests: it answers every request with what `script` says for
// its head, and then goes on reading. A thread for each connection.
//
//   TcpServer server([](const std::string& head) { return std::string("HTTP/1.1 200 OK..."); });
//   Connect to 127.0.0.1, server.port()
//
// An empty answer closes the connection.
#pragma once

#include <sys/socket.h>
#include <unistd.h>

#include <functional>
#include <mutex>  // tidy: a test's server on threads of its own
#include <string>
#include <thread>  // tidy: a test's server on threads of its own
#include <vector>

#include "core/runtime/socket_test_support.h"

namespace relist::testing {

class TcpServer {
 public:
  // `script` is called on the connections' threads, one at a time.
  using Script = std::function<std::string(const std::string& head)>;

  explicit TcpServer(Script script) : script_(std::move(script)) {
    listener_ = socket_test_support::BindAnywhere(/*backlog=*/64, &port_);
    acceptor_ = std::thread([this] { Accept(); });
  }
  ~TcpServer() {
    shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    CutAll();
    for (std::thread& thread : threads_) thread.join();
    for (int fd : all_) close(fd);
    close(listener_);
  }
  int port() const { return port_; }
  // Ends every connection that is open now.
  void CutAll() {
    std::lock_guard lock(mutex_);
    for (int fd : all_) shutdown(fd, SHUT_RDWR);
  }

 private:
  void Accept() {
    for (;;) {
      const int fd = accept(listener_, nullptr, nullptr);
      if (fd < 0) return;
      std::lock_guard lock(mutex_);
      all_.push_back(fd);
      threads_.emplace_back([this, fd] { Serve(fd); });
    }
  }
  void Serve(int fd) {
    std::string heard;
    char buffer[4096];
    for (;;) {
      const ssize_t n = recv(fd, buffer, sizeof(buffer), 0);
      if (n <= 0) break;
      heard.append(buffer, static_cast<size_t>(n));
      const size_t end = heard.find("\r\n\r\n");
      if (end == std::string::npos) continue;
      std::string answer;
      {
        std::lock_guard lock(script_mutex_);
        answer = script_(heard.substr(0, end + 4));
      }
      heard.erase(0, end + 4);
      if (answer.empty()) break;
      for (size_t sent = 0; sent < answer.size();) {
        const ssize_t now = send(fd, answer.data() + sent, answer.size() - sent, MSG_NOSIGNAL);
        if (now <= 0) break;
        sent += static_cast<size_t>(now);
      }
    }
    shutdown(fd, SHUT_RDWR);
  }

  Script script_;
  int listener_ = -1;
  int port_ = 0;
  std::thread acceptor_;
  std::mutex mutex_, script_mutex_;
  std::vector<int> all_;
  std::vector<std::thread> threads_;
};

// The bytes of a step of a ScriptedServer, all at once.
template <class Step>
std::string BytesOf(const Step& step) {
  std::string out;
  for (const auto& act : step.acts) out += act.bytes;
  return out;
}

}  // namespace relist::testing
