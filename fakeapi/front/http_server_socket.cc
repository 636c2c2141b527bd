#include "fakeapi/front/http_server_socket.h"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace relist::fakeapi {
namespace {

// A storm of a thousand watches arrives in one moment; a short backlog makes each retry for
// seconds.
constexpr int kBacklog = 4096;

Error SystemError(const std::string& what) {
  return Error::Net(Transport::kOther, fmt::format("{}: {}", what, std::strerror(errno)));
}

}  // namespace

void OwnedFd::Reset() {
  if (fd_ >= 0) close(fd_);
  fd_ = -1;
}

Result<Listener> Listener::Bind(const std::string& address, int port) {
  Listener out;
  out.address_ = address;
  out.port_ = port;
  const char* text = address == "localhost" ? "127.0.0.1" : address.c_str();
  sockaddr_in v4{};
  sockaddr_in6 v6{};
  if (port < 0 || port > 65535) {
    return Error::Net(Transport::kOther, fmt::format("{} is not a port", port));
  }
  if (inet_pton(AF_INET, text, &v4.sin_addr) == 1) {
    v4.sin_family = AF_INET;
    v4.sin_port = htons(static_cast<uint16_t>(port));
    std::memcpy(&out.where_, &v4, sizeof v4);
    out.where_size_ = sizeof v4;
  } else if (inet_pton(AF_INET6, text, &v6.sin6_addr) == 1) {
    v6.sin6_family = AF_INET6;
    v6.sin6_port = htons(static_cast<uint16_t>(port));
    std::memcpy(&out.where_, &v6, sizeof v6);
    out.where_size_ = sizeof v6;
  } else {
    return Error::Net(Transport::kOther, fmt::format("\"{}\" is not an IP address", address));
  }
  Result<OwnedFd> bound = out.MakeBound();
  if (!bound.ok()) return bound.error();
  out.fd_ = std::move(*bound);
  out.where_size_ = sizeof out.where_;
  getsockname(out.fd_.get(), reinterpret_cast<sockaddr*>(&out.where_), &out.where_size_);
  // The port has the same place in both families.
  std::memcpy(&v4, &out.where_, sizeof v4);
  out.port_ = ntohs(v4.sin_port);
  return out;
}

Result<OwnedFd> Listener::MakeBound() const {
  OwnedFd fd(socket(where_.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (fd.get() < 0) return SystemError("socket");
  const int on = 1;
  setsockopt(fd.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(fd.get(), reinterpret_cast<const sockaddr*>(&where_), where_size_) == 0) return fd;
  const std::string place = fmt::format("port {} on {}", port_, address_);
  if (errno == EADDRINUSE) return Error::Net(Transport::kOther, place + " is in use");
  if (errno == EACCES) return Error::Net(Transport::kOther, place + " needs more privileges");
  return SystemError(place);
}

Result<void> Listener::Open() {
  if (fd_.get() < 0) {
    Result<OwnedFd> bound = MakeBound();
    if (!bound.ok()) return bound.error();
    fd_ = std::move(*bound);
  }
  if (listen(fd_.get(), kBacklog) != 0) {
    if (errno != EADDRINUSE) return SystemError("listen");
    return Error::Net(Transport::kOther, fmt::format("port {} on {} is in use", port_, address_));
  }
  open_ = true;
  return {};
}

Result<void> Listener::Close() {
  fd_.Reset();
  open_ = false;
  Result<OwnedFd> bound = MakeBound();
  if (!bound.ok()) return bound.error();
  fd_ = std::move(*bound);
  return {};
}

int Listener::Accept() const {
  const int fd = accept4(fd_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (fd < 0) return fd;
  const int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  return fd;
}

void ResetOnClose(int fd) {
  const linger at_once{1, 0};
  setsockopt(fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
}

int UnsentBytes(int fd) {
  int bytes = 0;
  return ioctl(fd, SIOCOUTQ, &bytes) == 0 ? bytes : 0;
}

void RaiseDescriptorLimit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace relist::fakeapi
