// Names to socket addresses: what can be told at once, and what has to be asked.
//
//   std::optional<std::vector<SocketAddress>> known = ResolveAtOnce("localhost", 6443);
//   Result<std::vector<SocketAddress>> asked = LookUp("api.example.com", 6443);   // blocks
//
// Both may be called from any thread.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <optional>
#include <string>
#include <vector>

#include "core/result.h"

namespace relist {

struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t size = 0;
  int family() const { return storage.ss_family; }
  const sockaddr* raw() const { return reinterpret_cast<const sockaddr*>(&storage); }
  std::string ToString() const;  // "127.0.0.1:80", "[::1]:80"
};

// A numeric address, or localhost (::1, then 127.0.0.1, whatever /etc/hosts says). Nothing for
// other names.
std::optional<std::vector<SocketAddress>> ResolveAtOnce(const std::string& host, int port);

// getaddrinfo: seconds, where the name server is far. Error::Net(kOther) in Go's words.
Result<std::vector<SocketAddress>> LookUp(const std::string& host, int port);

}  // namespace relist
