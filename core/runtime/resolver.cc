#include "core/runtime/resolver.h"

#include <arpa/inet.h>
#include <fmt/core.h>
#include <netdb.h>

#include <cstring>
#include <memory>

namespace relist {
namespace {

std::optional<SocketAddress> Numeric(const std::string& host, int port) {
  SocketAddress address;
  auto* v4 = reinterpret_cast<sockaddr_in*>(&address.storage);
  auto* v6 = reinterpret_cast<sockaddr_in6*>(&address.storage);
  if (inet_pton(AF_INET, host.c_str(), &v4->sin_addr) == 1) {
    v4->sin_family = AF_INET;
    v4->sin_port = htons(static_cast<uint16_t>(port));
    address.size = sizeof *v4;
  } else if (inet_pton(AF_INET6, host.c_str(), &v6->sin6_addr) == 1) {
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(static_cast<uint16_t>(port));
    address.size = sizeof *v6;
  } else {
    return std::nullopt;
  }
  return address;
}

}  // namespace

std::string SocketAddress::ToString() const {
  char text[INET6_ADDRSTRLEN] = "?";
  if (family() == AF_INET) {
    const auto* v4 = reinterpret_cast<const sockaddr_in*>(&storage);
    inet_ntop(AF_INET, &v4->sin_addr, text, sizeof text);
    return fmt::format("{}:{}", text, ntohs(v4->sin_port));
  }
  const auto* v6 = reinterpret_cast<const sockaddr_in6*>(&storage);
  inet_ntop(AF_INET6, &v6->sin6_addr, text, sizeof text);
  return fmt::format("[{}]:{}", text, ntohs(v6->sin6_port));
}

std::optional<std::vector<SocketAddress>> ResolveAtOnce(const std::string& host, int port) {
  if (host == "localhost") return std::vector{*Numeric("::1", port), *Numeric("127.0.0.1", port)};
  if (const auto address = Numeric(host, port)) return std::vector{*address};
  return std::nullopt;
}

Result<std::vector<SocketAddress>> LookUp(const std::string& host, int port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_ADDRCONFIG;
  addrinfo* found = nullptr;
  const int failed = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (failed != 0) {
    return Error::Net(Transport::kOther,
                      fmt::format("dial tcp: lookup {}: {}", host,
                                  failed == EAI_NONAME ? "no such host" : gai_strerror(failed)));
  }
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(found, freeaddrinfo);
  std::vector<SocketAddress> addresses;
  for (const addrinfo* one = found; one; one = one->ai_next) {
    SocketAddress& address = addresses.emplace_back();
    std::memcpy(&address.storage, one->ai_addr, one->ai_addrlen);
    address.size = one->ai_addrlen;
  }
  return addresses;
}

}  // namespace relist
