#include "tools/benchmarks/plain_client.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/check.h"

namespace relist::benchmarks {

PlainConnection::PlainConnection(int port) : descriptor_(socket(AF_INET, SOCK_STREAM, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  CHECK(connect(descriptor_, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0,
        "cannot connect to port {}", port);
  const int on = 1;
  setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

PlainConnection::~PlainConnection() {
  if (descriptor_ >= 0) close(descriptor_);
}

PlainConnection::PlainConnection(PlainConnection&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), buffer_(std::move(other.buffer_)) {}

void PlainConnection::Send(const std::string& request) {
  size_t sent = 0;
  while (sent < request.size()) {
    const ssize_t n = send(descriptor_, request.data() + sent, request.size() - sent, MSG_NOSIGNAL);
    CHECK(n > 0, "the server closed the connection");
    sent += static_cast<size_t>(n);
  }
}

void PlainConnection::ReadHead() {
  std::array<char, 4096> chunk;
  while (buffer_.find("\r\n\r\n") == std::string::npos) {
    const ssize_t n = recv(descriptor_, chunk.data(), chunk.size(), 0);
    CHECK(n > 0, "the server closed the connection");
    buffer_.append(chunk.data(), static_cast<size_t>(n));
  }
  CHECK(buffer_.starts_with("HTTP/1.1 2"), "the server says {}", buffer_.substr(0, 200));
}

size_t PlainConnection::Exchange(const std::string& request) {
  buffer_.clear();
  Send(request);
  ReadHead();
  const size_t head = buffer_.find("\r\n\r\n") + 4;
  const size_t length_at = buffer_.find("Content-Length: ");
  const bool chunked = length_at == std::string::npos || length_at > head;
  const size_t whole = chunked ? 0 : head + std::stoul(buffer_.substr(length_at + 16));
  std::string chunk(1 << 20, '\0');
  while (chunked ? !buffer_.ends_with("\r\n0\r\n\r\n") : buffer_.size() < whole) {
    const ssize_t n = recv(descriptor_, chunk.data(), chunk.size(), 0);
    CHECK(n > 0, "the server closed the connection");
    buffer_.append(chunk.data(), static_cast<size_t>(n));
  }
  return buffer_.size();
}

std::string GetRequest(const std::string& target) {
  return "GET " + target + " HTTP/1.1\r\nHost: localhost\r\nAccept: application/json\r\n\r\n";
}

std::string PostRequest(const std::string& target, const std::string& body) {
  return "POST " + target + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
         "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::string ConfigMapOf(const std::string& name, size_t bytes) {
  constexpr size_t kRest = 250;  // names, uid, times
  return R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":")" + name +
         R"("},"data":{"value":")" + std::string(bytes > kRest ? bytes - kRest : 0, 'v') + "\"}}";
}

WatchCrowd::WatchCrowd(int port, int watchers, const std::string& target)
    : epoll_(epoll_create1(0)), previous_(static_cast<size_t>(watchers)) {
  watchers_.reserve(static_cast<size_t>(watchers));
  for (int i = 0; i < watchers; ++i) {
    watchers_.emplace_back(port);
    watchers_.back().Send(GetRequest(target));
  }
  for (size_t i = 0; i < watchers_.size(); ++i) {
    watchers_[i].ReadHead();
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = i;
    epoll_ctl(epoll_, EPOLL_CTL_ADD, watchers_[i].descriptor(), &event);
  }
}

WatchCrowd::~WatchCrowd() {
  close(epoll_);
}

void WatchCrowd::ReadEvents(uint64_t events) {
  std::string chunk(1 << 18, '\0');
  std::array<epoll_event, 64> ready;
  while (events > 0) {
    const int n = epoll_wait(epoll_, ready.data(), ready.size(), 30000);
    CHECK(n > 0, "{} events did not come", events);
    for (int i = 0; i < n; ++i) {
      const size_t index = ready[static_cast<size_t>(i)].data.u64;
      const ssize_t got = recv(watchers_[index].descriptor(), chunk.data(), chunk.size(), 0);
      CHECK(got > 0, "a watch ended");
      // A line ends in "}\n"; chunk framing has "\r\n" only.
      for (ssize_t k = 0; k < got; ++k) {
        const char byte = chunk[static_cast<size_t>(k)];
        if (byte == '\n' && previous_[index] == '}') --events;
        previous_[index] = byte;
      }
    }
  }
}

void RaiseFileLimit() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace relist::benchmarks
