// The cheapest HTTP client there can be, so that what is measured is the server: blocking sockets
// for single requests, epoll sets for many watches and many writers. Over TLS where the server's
// address says so.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/net/tls.h"

namespace relist::benchmarks {

struct ServerAddress {
  int port = 0;                           // on loopback
  std::shared_ptr<TlsClientContext> tls;  // null: plain
  std::string token;                      // empty: none is sent
};

class PlainConnection {
 public:
  explicit PlainConnection(const ServerAddress& address);
  ~PlainConnection();
  PlainConnection(PlainConnection&& other) noexcept;
  PlainConnection(const PlainConnection&) = delete;

  // Sends, and returns once the answer was read whole; it lies in answer(). Not 2xx is a CHECK.
  void Exchange(const std::string& request);
  // Only this, and then Receive() until HasAnswer(): for several connections at a time.
  void Send(const std::string& request);
  // Waits for bytes, and appends what they hold to answer(): nothing, in the middle of a record.
  void Receive();
  bool HasAnswer();
  // Reads until the head of an answer is there (a watch that is open).
  void ReadHead();
  std::string& answer() { return answer_; }
  int descriptor() const { return descriptor_; }

 private:
  bool HasHead();
  void SendBytes(std::string_view bytes);

  int descriptor_ = -1;
  std::unique_ptr<TlsEngine> tls_;
  std::string answer_;
  size_t head_size_ = 0;   // of the answer; 0 until it is there
  size_t whole_size_ = 0;  // of the answer where its head says so; 0: it is chunked
};

std::string GetRequest(const ServerAddress& address, const std::string& target);
std::string PostRequest(const ServerAddress& address, const std::string& target,
                        const std::string& body);
// A configmap of about `bytes` bytes.
std::string ConfigMapOf(const std::string& name, size_t bytes);

// Watches that are all read as fast as they come.
class WatchCrowd {
 public:
  WatchCrowd(const ServerAddress& address, int watchers, const std::string& target);
  ~WatchCrowd();
  WatchCrowd(const WatchCrowd&) = delete;
  WatchCrowd& operator=(const WatchCrowd&) = delete;
  // Reads until all watchers together have seen `events` more lines.
  void ReadEvents(uint64_t events);

 private:
  uint64_t LinesOf(size_t index);

  int epoll_ = -1;
  std::vector<PlainConnection> watchers_;
  std::vector<char> previous_;  // the last byte that each watcher has read
};

// Creates `count` configmaps of `bytes` bytes, by so many writers, each of which waits for its
// answer before it writes again. Their names are "c" and a number from `first`.
struct Creation {
  std::string collection = "/api/v1/namespaces/default/configmaps";
  int first = 0, count = 0;
  size_t bytes = 1024;
  int writers = 16;
};
void CreateConfigMaps(const ServerAddress& address, const Creation& what);

// Raises the limit of open files as far as it goes.
void RaiseFileLimit();

}  // namespace relist::benchmarks
