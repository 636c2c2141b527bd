// The system calls around the front's sockets: listening, closing in the three ways, limits.
//
//   Result<Listener> listener = Listener::Bind("127.0.0.1", 0);
//   listener->Open();       // now connections are taken
//   listener->Close();      // now they are refused; the port stays ours
#pragma once

#include <sys/socket.h>

#include <string>
#include <utility>

#include "core/result.h"

namespace relist::fakeapi {

// A file descriptor that is closed with its owner.
class OwnedFd {
 public:
  OwnedFd() = default;
  explicit OwnedFd(int fd) : fd_(fd) {}
  OwnedFd(OwnedFd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  OwnedFd& operator=(OwnedFd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~OwnedFd() { Reset(); }
  int get() const { return fd_; }
  void Reset();

 private:
  int fd_ = -1;
};

class Listener {
 public:
  // An IP address, or "localhost". Error: the port is in use, or not ours to take; the address is
  // none.
  static Result<Listener> Bind(const std::string& address, int port);

  Result<void> Open();
  // New connections are refused, those that nobody took are reset. The port is kept by a bound
  // socket.
  Result<void> Close();
  bool is_open() const { return open_; }
  int fd() const { return fd_.get(); }
  int port() const { return port_; }

  // As accept4, nonblocking and ready for small writes; -1 with errno.
  int Accept() const;

 private:
  Result<OwnedFd> MakeBound() const;

  std::string address_;
  sockaddr_storage where_{};
  socklen_t where_size_ = 0;
  int port_ = 0;
  bool open_ = false;
  OwnedFd fd_;
};

// Closing `fd` after this sends RST.
void ResetOnClose(int fd);
// Bytes written that the peer's kernel has not acknowledged.
int UnsentBytes(int fd);
// As many descriptors as the system lets this process have.
void RaiseDescriptorLimit();

}  // namespace relist::fakeapi
