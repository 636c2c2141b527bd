#include "core/runtime/socket_connection.h"

#include <fmt/core.h>
#include <netinet/tcp.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace relist {
namespace {

// Nobody who waits for a slow reader needs more than this in memory; TCP's window does the rest.
constexpr size_t kReceivedMax = 1 << 20;

// Go's words for the common ones, so that logs read alike.
std::string Words(int error_number) {
  switch (error_number) {
    case ECONNREFUSED:
      return "connection refused";
    case ECONNRESET:
      return "connection reset by peer";
    case ETIMEDOUT:
      return "connection timed out";
    default:
      return std::strerror(error_number);
  }
}

Transport KindOf(int error_number) {
  switch (error_number) {
    case ECONNREFUSED:
      return Transport::kRefused;
    case ECONNRESET:
    case EPIPE:
      return Transport::kReset;
    case ETIMEDOUT:
      return Transport::kTimeout;
    default:
      return Transport::kOther;
  }
}

void SetOption(int fd, int level, int name, int value) {
  setsockopt(fd, level, name, &value, sizeof value);
}

// The kernel's clock has no rate: what a port runs faster, it is told in shorter times.
int RealUnits(Duration time, double rate, Duration unit) {
  const auto units = static_cast<double>(time.count()) / rate / static_cast<double>(unit.count());
  return static_cast<int>(std::clamp(units, 1.0, 1e6));
}

// As Go's dialer tunes them: no delay, and TCP's probes.
void TuneSocket(int fd, const SocketPortOptions& options) {
  const TcpKeepAlive& probes = options.keep_alive;
  SetOption(fd, IPPROTO_TCP, TCP_NODELAY, 1);
  if (probes.on) {
    SetOption(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
    SetOption(fd, IPPROTO_TCP, TCP_KEEPIDLE, RealUnits(probes.idle, options.rate, Seconds(1)));
    SetOption(fd, IPPROTO_TCP, TCP_KEEPINTVL, RealUnits(probes.interval, options.rate, Seconds(1)));
    SetOption(fd, IPPROTO_TCP, TCP_KEEPCNT, probes.count);
  }
  if (options.user_timeout > Duration{}) {
    SetOption(fd, IPPROTO_TCP, TCP_USER_TIMEOUT,
              RealUnits(options.user_timeout, options.rate, Millis(1)));
  }
  if (options.on_socket) options.on_socket(fd);
}

// A port of the ephemeral range where nobody listens may be dialled from that very port: TCP then
// connects the socket to itself.
bool ConnectedToItself(int fd) {
  SocketAddress here, there;
  here.size = there.size = sizeof here.storage;
  getsockname(fd, reinterpret_cast<sockaddr*>(&here.storage), &here.size);
  getpeername(fd, reinterpret_cast<sockaddr*>(&there.storage), &there.size);
  return here.ToString() == there.ToString();
}

}  // namespace

SocketConnection::SocketConnection(SocketReactor& reactor, const Endpoint& endpoint)
    : reactor_(reactor),
      endpoint_(endpoint),
      give_up_(reactor.Now() + reactor.options().connect_timeout) {
  const ProxyHop* proxy = endpoint.proxy.get();
  const std::string& host = proxy ? proxy->host : endpoint.host;
  const int port = proxy ? proxy->port : endpoint.port;
  where_ = fmt::format("{}:{}", host, port);
  if (auto known = ResolveAtOnce(host, port)) {
    addresses_ = std::move(*known);
    TryAddresses();
  } else {
    reactor_.SetDeadline(this, give_up_);
    reactor_.LookUp(host, port, this);
  }
}

void SocketConnection::OnAddresses(Result<std::vector<SocketAddress>> addresses) {
  if (!addresses.ok()) return FailToDial(addresses.error());
  addresses_ = std::move(*addresses);
  const std::string& host = endpoint_.proxy ? endpoint_.proxy->host : endpoint_.host;
  error_ = Error::Net(Transport::kOther, fmt::format("dial tcp: lookup {}: no such host", host));
  TryAddresses();
}

// Go tells whether it was the proxy that could not be reached.
void SocketConnection::FailToDial(const Error& error) {
  if (!endpoint_.proxy) return Fail(error);
  Fail(Error::Net(error.transport, "proxyconnect tcp: " + error.message()));
}

// ---- Connecting: one address after the other, each with its share of the time that is left

void SocketConnection::TryAddresses() {
  while (next_address_ < addresses_.size()) {
    const TimePoint now = reactor_.Now();
    const auto others = static_cast<int64_t>(addresses_.size() - next_address_);
    reactor_.SetDeadline(this, now + (give_up_ - now) / others);
    if (TryAddress(addresses_[next_address_++])) return;
  }
  FailToDial(Error(error_));
}

// False if it failed at once.
bool SocketConnection::TryAddress(const SocketAddress& address) {
  where_ = address.ToString();
  fd_ = socket(address.family(), SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP);
  if (fd_ < 0) return AddressFailed(errno);
  TuneSocket(fd_, reactor_.options());
  const int failed = connect(fd_, address.raw(), address.size);
  if (failed != 0 && errno != EINPROGRESS) return AddressFailed(errno);
  connecting_ = true;
  watched_ = EPOLLOUT;
  reactor_.Watch(fd_, watched_, this);
  return true;
}

// Remembers the failure that says most: one address without a route does not hide that another
// refused. Returns false.
bool SocketConnection::AddressFailed(int error_number) {
  DropSocket();
  const Transport kind = KindOf(error_number);
  if (kind != Transport::kOther || error_.transport == Transport::kNone ||
      error_.transport == Transport::kOther) {
    const std::string why =
        error_number == ETIMEDOUT ? "i/o timeout" : "connect: " + Words(error_number);
    error_ = Error::Net(kind, fmt::format("dial tcp {}: {}", where_, why));
  }
  return false;
}

void SocketConnection::ConnectEnded() {
  int error_number = 0;
  socklen_t size = sizeof error_number;
  getsockopt(fd_, SOL_SOCKET, SO_ERROR, &error_number, &size);
  if (error_number == 0 && ConnectedToItself(fd_)) error_number = ECONNREFUSED;
  if (error_number == 0) return Connected();
  AddressFailed(error_number);
  TryAddresses();
}

void SocketConnection::Connected() {
  connecting_ = false;
  error_ = {};
  if (ClientLayers::Needed(endpoint_)) {
    layers_.emplace(endpoint_);
    LimitStage();
    layers_->Write(std::exchange(to_send_, {}));
    to_send_ = layers_->TakeWire();
  } else {
    reactor_.SetDeadline(this, kNever);
    Change(State::kOpen);
  }
  Flush();
}

// Each handshake has a deadline of its own, from when its turn comes.
void SocketConnection::LimitStage() {
  if (layers_->stage() == stage_) return;
  stage_ = layers_->stage();
  if (stage_ == ClientLayers::Stage::kOpen) {
    reactor_.SetDeadline(this, kNever);
    return Change(State::kOpen);
  }
  const SocketPortOptions& options = reactor_.options();
  reactor_.SetDeadline(
      this, reactor_.Now() + (stage_ == ClientLayers::Stage::kProxy ? options.proxy_timeout
                                                                    : options.handshake_timeout));
}

void SocketConnection::OnDeadline() {
  if (layers_) {
    std::string why = "net/http: TLS handshake timeout";
    if (stage_ == ClientLayers::Stage::kProxyTls) why = "proxyconnect tcp: " + why;
    if (stage_ == ClientLayers::Stage::kProxy) why = "proxyconnect tcp: context deadline exceeded";
    return Fail(Error::Net(Transport::kTimeout, why));
  }
  AddressFailed(ETIMEDOUT);
  TryAddresses();
}

// ---- Open

void SocketConnection::OnEvents(uint32_t events) {
  if (connecting_) return ConnectEnded();
  const bool broken = (events & (EPOLLERR | EPOLLHUP)) != 0;
  if (state_ == State::kPeerDone && broken) return DropSocket();  // nothing more to learn
  if ((events & EPOLLIN) != 0 || broken) ReadSome();
  if (fd_ >= 0 && (events & EPOLLOUT) != 0) Flush();
}

// One read for each event: what came before a reset is handed over before the reset is seen.
void SocketConnection::ReadSome() {
  std::vector<char>& buffer = reactor_.buffer();
  const ssize_t got = recv(fd_, buffer.data(), buffer.size(), 0);
  if (got < 0) {
    if (errno == EAGAIN || errno == EINTR) return;
    return Fail(Error::Net(KindOf(errno), fmt::format("read tcp {}: {}", where_, Words(errno))));
  }
  if (got == 0) return PeerFinished();
  const std::string_view bytes(buffer.data(), static_cast<size_t>(got));
  if (layers_) {
    FeedLayers(bytes);
  } else {
    received_.Append(bytes);
    Notify();
  }
  WatchWhatMatters();
}

// Everything that is decrypted is taken out at once: bytes that wait inside OpenSSL wake nobody.
void SocketConnection::FeedLayers(std::string_view bytes) {
  layers_->FeedWire(bytes);
  const size_t before = received_.size();
  layers_->Read(received_.bytes());
  to_send_ += layers_->TakeWire();
  if (state_ == State::kOpening && layers_->state().ok()) LimitStage();
  if (received_.size() > before) Notify();
  Flush();  // the alert that says why, too
  if (!layers_->state().ok()) return Fail(layers_->state().error());
  if (layers_->peer_done()) PeerFinished();
}

void SocketConnection::PeerFinished() {
  if (state_ == State::kOpening) {
    const bool by_proxy = stage_ < ClientLayers::Stage::kTls;
    return Fail(Error::Net(Transport::kEof,
                           by_proxy ? "proxyconnect tcp: EOF" : "EOF inside the TLS handshake"));
  }
  if (state_ == State::kOpen) Change(State::kPeerDone);
  WatchWhatMatters();
}

void SocketConnection::Send(std::string bytes) {
  if (closed_ || state_ == State::kFailed) return;
  if (layers_) {
    layers_->Write(bytes);
    to_send_ += layers_->TakeWire();
  } else {
    to_send_ += bytes;
  }
  if (fd_ >= 0 && !connecting_) Flush();
}

// A failure to write is not ours to report: an answer may lie before the reset that the reader will
// find.
void SocketConnection::Flush() {
  size_t sent = 0;
  while (sent < to_send_.size()) {
    const ssize_t n = send(fd_, to_send_.data() + sent, to_send_.size() - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0 && errno != EAGAIN) sent = to_send_.size();
    if (n < 0) break;
    sent += static_cast<size_t>(n);
  }
  to_send_.erase(0, sent);
  WatchWhatMatters();
}

void SocketConnection::WatchWhatMatters() {
  if (fd_ < 0 || connecting_) return;
  uint32_t wanted = to_send_.empty() ? 0u : EPOLLOUT;
  if (state_ != State::kPeerDone && received_.size() < kReceivedMax) wanted |= EPOLLIN;
  if (wanted != watched_) reactor_.ChangeWatch(fd_, watched_ = wanted, this);
}

size_t SocketConnection::Receive(std::string* into, size_t max) {
  const size_t n = received_.Take(into, max);
  if (n > 0) WatchWhatMatters();
  return n;
}

// ---- The end

void SocketConnection::DropSocket() {
  connecting_ = false;
  if (fd_ < 0) return;
  reactor_.Unwatch(fd_);
  close(std::exchange(fd_, -1));
}

void SocketConnection::Change(State state) {
  state_ = state;
  received_.StateChanged();
  Notify();
}

void SocketConnection::Fail(Error error) {
  reactor_.Forget(this);
  DropSocket();
  error_ = std::move(error);
  received_.DropBytes();
  to_send_.clear();
  Change(State::kFailed);
}

void SocketConnection::Abort(Error error) {
  if (!closed_ && state_ != State::kFailed) Fail(std::move(error));
}

void SocketConnection::Close() {
  if (std::exchange(closed_, true)) return;
  reactor_.Forget(this);
  if (fd_ >= 0 && layers_ && to_send_.empty()) {
    layers_->Finish();
    to_send_ = layers_->TakeWire();
    Flush();
  }
  DropSocket();
  received_.Clear();
  to_send_.clear();
  if (state_ == State::kFailed) return;
  state_ = State::kFailed;
  error_ = Error::Net(Transport::kStopped, "connection closed");
}

}  // namespace relist
