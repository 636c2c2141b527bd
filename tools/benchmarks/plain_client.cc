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
#include <cstring>
#include <utility>

#include "core/check.h"

namespace relist::benchmarks {
namespace {

constexpr size_t kReadSize = 1 << 18;
constexpr int kPatience = 30000;  // milliseconds without a byte
constexpr std::string_view kHeadEnd = "\r\n\r\n", kLastChunk = "\r\n0\r\n\r\n";

// One for all connections: they are read one at a time.
std::string& ReadBuffer() {
  static std::string buffer(kReadSize, '\0');
  return buffer;
}

std::string HeaderLines(const ServerAddress& address) {
  std::string lines = "Host: localhost\r\nAccept: application/json\r\n";
  if (!address.token.empty()) lines += "Authorization: Bearer " + address.token + "\r\n";
  return lines;
}

void WaitOn(int epoll, size_t index, int descriptor) {
  epoll_event event{EPOLLIN, {.u64 = index}};
  CHECK(epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event) == 0, "epoll");
}

}  // namespace

PlainConnection::PlainConnection(const ServerAddress& address)
    : descriptor_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in where{};
  where.sin_family = AF_INET;
  where.sin_port = htons(static_cast<uint16_t>(address.port));
  where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  CHECK(connect(descriptor_, reinterpret_cast<sockaddr*>(&where), sizeof where) == 0,
        "cannot connect to port {}", address.port);
  const int on = 1;
  setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (address.tls == nullptr) return;
  tls_ = std::make_unique<TlsEngine>(address.tls, "127.0.0.1");
  SendBytes(tls_->TakeCipher());
}

PlainConnection::~PlainConnection() {
  if (descriptor_ >= 0) close(descriptor_);
}

PlainConnection::PlainConnection(PlainConnection&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      tls_(std::move(other.tls_)),
      answer_(std::move(other.answer_)),
      head_size_(other.head_size_),
      whole_size_(other.whole_size_) {}

void PlainConnection::SendBytes(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    CHECK(n > 0, "the server closed the connection");
    bytes.remove_prefix(static_cast<size_t>(n));
  }
}

void PlainConnection::Send(const std::string& request) {
  answer_.clear();
  head_size_ = whole_size_ = 0;
  if (tls_ == nullptr) return SendBytes(request);
  tls_->Write(request);
  SendBytes(tls_->TakeCipher());
}

void PlainConnection::Receive() {
  std::string& buffer = ReadBuffer();
  const ssize_t n = recv(descriptor_, buffer.data(), buffer.size(), 0);
  CHECK(n > 0, "the server closed the connection");
  const std::string_view bytes(buffer.data(), static_cast<size_t>(n));
  if (tls_ == nullptr) {
    answer_ += bytes;
    return;
  }
  tls_->FeedCipher(bytes);
  tls_->Read(&answer_, SIZE_MAX);
  SendBytes(tls_->TakeCipher());
  CHECK(tls_->state().ok(), "{}", tls_->state().error().message());
}

bool PlainConnection::HasHead() {
  if (head_size_ != 0) return true;
  const size_t end = answer_.find(kHeadEnd);
  if (end == std::string::npos) return false;
  CHECK(answer_.starts_with("HTTP/1.1 2"), "the server says {}", answer_.substr(0, 2000));
  head_size_ = end + kHeadEnd.size();
  const size_t length = answer_.find("Content-Length: ");
  if (length < head_size_) whole_size_ = head_size_ + std::stoul(answer_.substr(length + 16, 20));
  return true;
}

bool PlainConnection::HasAnswer() {
  if (!HasHead()) return false;
  return whole_size_ != 0 ? answer_.size() >= whole_size_ : answer_.ends_with(kLastChunk);
}

void PlainConnection::ReadHead() {
  while (!HasHead()) Receive();
}

void PlainConnection::Exchange(const std::string& request) {
  Send(request);
  while (!HasAnswer()) Receive();
}

std::string GetRequest(const ServerAddress& address, const std::string& target) {
  return "GET " + target + " HTTP/1.1\r\n" + HeaderLines(address) + "\r\n";
}

std::string PostRequest(const ServerAddress& address, const std::string& target,
                        const std::string& body) {
  return "POST " + target + " HTTP/1.1\r\n" + HeaderLines(address) +
         "Content-Type: application/json\r\nContent-Length: " + std::to_string(body.size()) +
         "\r\n\r\n" + body;
}

std::string ConfigMapOf(const std::string& name, size_t bytes) {
  constexpr size_t kRest = 250;  // names, uid, times
  return R"({"kind":"ConfigMap","apiVersion":"v1","metadata":{"name":")" + name +
         R"("},"data":{"value":")" + std::string(bytes > kRest ? bytes - kRest : 0, 'v') + "\"}}";
}

WatchCrowd::WatchCrowd(const ServerAddress& address, int watchers, const std::string& target)
    : epoll_(epoll_create1(EPOLL_CLOEXEC)), previous_(static_cast<size_t>(watchers)) {
  watchers_.reserve(static_cast<size_t>(watchers));
  const std::string request = GetRequest(address, target);
  // Some hundred at a time: a client that was late with its handshake would be sent away.
  constexpr size_t kAtATime = 1000;
  for (size_t opened = 0; opened < previous_.size();) {
    while (watchers_.size() < std::min(opened + kAtATime, previous_.size())) {
      watchers_.emplace_back(address);
      watchers_.back().Send(request);
    }
    for (; opened < watchers_.size(); ++opened) {
      watchers_[opened].ReadHead();
      watchers_[opened].answer() = {};
      WaitOn(epoll_, opened, watchers_[opened].descriptor());
    }
  }
}

WatchCrowd::~WatchCrowd() {
  close(epoll_);
}

void WatchCrowd::ReadEvents(uint64_t events) {
  std::array<epoll_event, 256> ready;
  while (events > 0) {
    const int n = epoll_wait(epoll_, ready.data(), ready.size(), kPatience);
    CHECK(n > 0, "{} events did not come", events);
    for (int i = 0; i < n; ++i) {
      const uint64_t lines = LinesOf(ready[static_cast<size_t>(i)].data.u64);
      CHECK(lines <= events, "{} events more than were written", lines - events);
      events -= lines;
    }
  }
}

// Reads what is there. A line ends in "}\n"; chunk framing has "\r\n" only.
uint64_t WatchCrowd::LinesOf(size_t index) {
  PlainConnection& watcher = watchers_[index];
  watcher.Receive();
  std::string& text = watcher.answer();
  if (text.empty()) return 0;
  uint64_t lines = 0;
  for (size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1)) {
    lines += (at == 0 ? previous_[index] : text[at - 1]) == '}' ? 1 : 0;
  }
  previous_[index] = text.back();
  text.clear();
  return lines;
}

void CreateConfigMaps(const ServerAddress& address, const Creation& what) {
  const int epoll = epoll_create1(EPOLL_CLOEXEC);
  std::vector<PlainConnection> writers;
  writers.reserve(static_cast<size_t>(what.writers));
  int asked = 0, answered = 0;
  const auto write_next = [&](PlainConnection& writer) {
    if (asked == what.count) return;
    const std::string name = "c" + std::to_string(what.first + asked++);
    writer.Send(PostRequest(address, what.collection, ConfigMapOf(name, what.bytes)));
  };
  for (int i = 0; i < what.writers; ++i) {
    writers.emplace_back(address);
    WaitOn(epoll, static_cast<size_t>(i), writers.back().descriptor());
    write_next(writers.back());
  }
  std::array<epoll_event, 64> ready;
  while (answered < what.count) {
    const int n = epoll_wait(epoll, ready.data(), ready.size(), kPatience);
    CHECK(n > 0, "{} creates were not answered", asked - answered);
    for (int i = 0; i < n; ++i) {
      PlainConnection& writer = writers[ready[static_cast<size_t>(i)].data.u64];
      writer.Receive();
      if (!writer.HasAnswer()) continue;
      ++answered;
      write_next(writer);
    }
  }
  close(epoll);
}

void RaiseFileLimit() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace relist::benchmarks
