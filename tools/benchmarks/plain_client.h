// The cheapest HTTP client there can be, so that what is measured is the server: blocking sockets
// for single requests, an epoll set that counts the events of many watches.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace relist::benchmarks {

class PlainConnection {
 public:
  explicit PlainConnection(int port);
  ~PlainConnection();
  PlainConnection(PlainConnection&& other) noexcept;
  PlainConnection(const PlainConnection&) = delete;

  // Sends, and returns once the answer was read whole: bytes of the answer. Not 2xx is a CHECK.
  size_t Exchange(const std::string& request);
  void Send(const std::string& request);
  // Reads until the head of an answer is there (a watch that is open).
  void ReadHead();
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_ = -1;
  std::string buffer_;
};

std::string GetRequest(const std::string& target);
std::string PostRequest(const std::string& target, const std::string& body);
// A configmap of about `bytes` bytes.
std::string ConfigMapOf(const std::string& name, size_t bytes);

// Watches that are all read as fast as they come.
class WatchCrowd {
 public:
  WatchCrowd(int port, int watchers, const std::string& target);
  ~WatchCrowd();
  WatchCrowd(const WatchCrowd&) = delete;
  WatchCrowd& operator=(const WatchCrowd&) = delete;
  // Reads until all watchers together have seen `events` more lines.
  void ReadEvents(uint64_t events);

 private:
  int epoll_ = -1;
  std::vector<PlainConnection> watchers_;
  std::vector<char> previous_;  // the last byte that each watcher has read
};

// Raises the limit of open files as far as it goes.
void RaiseFileLimit();

}  // namespace relist::benchmarks
