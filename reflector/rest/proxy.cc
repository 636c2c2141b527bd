#include "reflector/rest/proxy.h"

#include <arpa/inet.h>
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>

#include "core/wire/list_options.h"
#include "reflector/rest/url.h"

namespace relist {
namespace {

std::string EnvironmentValue(const char* name, const char* lower) {
  for (const char* one : {name, lower}) {
    if (const char* value = std::getenv(one); value && *value) return value;
  }
  return "";
}

std::string LowerTrimmed(std::string_view text) {
  std::string out;
  for (const char c : text) out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  while (!out.empty() && (out.back() == ' ' || out.back() == '\t')) out.pop_back();
  out.erase(0, std::min(out.find_first_not_of(" \t"), out.size()));
  return out;
}

// An address as its bytes: 4, or 16 where it is no IPv4 address written as IPv6.
std::optional<std::string> AddressBytes(const std::string& text) {
  static constexpr char kMapped[] = "\0\0\0\0\0\0\0\0\0\0\xff\xff";
  char bytes[sizeof(in6_addr)];
  if (inet_pton(AF_INET, text.c_str(), bytes) == 1) return std::string(bytes, sizeof(in_addr));
  if (inet_pton(AF_INET6, text.c_str(), bytes) != 1) return std::nullopt;
  if (std::memcmp(bytes, kMapped, 12) == 0) return std::string(bytes + 12, sizeof(in_addr));
  return std::string(bytes, sizeof bytes);
}

bool IsLoopback(const std::string& bytes) {
  return bytes.size() == 4 ? bytes[0] == 127 : bytes == std::string(15, '\0') + '\1';
}

// "10.0.0.0/8" and an address; false also where the first is no network.
bool NetworkHas(const std::string& network, const std::string& address) {
  const size_t slash = network.find('/');
  if (slash == std::string::npos) return false;
  const std::optional<std::string> base = AddressBytes(network.substr(0, slash));
  size_t bits = 0;
  const char* end = network.data() + network.size();
  const auto [stop, error] = std::from_chars(network.data() + slash + 1, end, bits);
  if (!base || error != std::errc() || stop != end || base->size() != address.size() ||
      bits > 8 * base->size()) {
    return false;
  }
  for (size_t bit = 0; bit < bits; ++bit) {
    if (((*base)[bit / 8] ^ address[bit / 8]) >> (7 - bit % 8) & 1) return false;
  }
  return true;
}

// What NO_PROXY says about one host.
class Exclusion {
 public:
  Exclusion(std::string host, int port)
      : host_(std::move(host)), port_(std::to_string(port)), address_(AddressBytes(host_)) {}

  bool By(const std::string& entry) const {
    if (entry == "*") return true;
    if (entry.find('/') != std::string::npos) return address_ && NetworkHas(entry, *address_);
    std::string name = entry, port;
    SplitPort(&name, &port);
    if (name.empty() || (!port.empty() && port != port_)) return false;
    if (const auto bytes = AddressBytes(name)) return address_ && *bytes == *address_;
    return !address_ && NameFits(name);
  }

 private:
  // "name:port", "[v6]:port"; a bare IPv6 address has colons of its own.
  static void SplitPort(std::string* name, std::string* port) {
    const size_t colon = name->rfind(':');
    if (colon == std::string::npos) return;
    const bool bracketed = colon > 0 && (*name)[colon - 1] == ']';
    if (!bracketed && name->find(':') != colon) return;
    *port = name->substr(colon + 1);
    name->resize(colon);
    if (bracketed) *name = name->substr(1, name->size() - 2);
  }
  bool NameFits(std::string name) const {
    if (name.starts_with("*.")) name.erase(0, 1);
    if (name.starts_with('.')) return host_.ends_with(name);
    return host_ == name || host_.ends_with("." + name);
  }

  std::string host_, port_;
  std::optional<std::string> address_;
};

bool TakesProxy(const std::string& no_proxy, const std::string& host, int port) {
  const std::string name = LowerTrimmed(host);
  if (name == "localhost") return false;
  if (const auto bytes = AddressBytes(name); bytes && IsLoopback(*bytes)) return false;
  const Exclusion exclusion(name, port);
  for (size_t begin = 0; begin <= no_proxy.size();) {
    const size_t end = std::min(no_proxy.find(',', begin), no_proxy.size());
    const std::string entry = LowerTrimmed(no_proxy.substr(begin, end - begin));
    if (!entry.empty() && exclusion.By(entry)) return false;
    begin = end + 1;
  }
  return true;
}

}  // namespace

ProxyEnvironment ProxyEnvironment::OfProcess() {
  return {EnvironmentValue("HTTP_PROXY", "http_proxy"),
          EnvironmentValue("HTTPS_PROXY", "https_proxy"), EnvironmentValue("NO_PROXY", "no_proxy"),
          !EnvironmentValue("REQUEST_METHOD", "REQUEST_METHOD").empty()};
}

Result<ProxyUrl> ParseProxyUrl(const std::string& text) {
  const Result<Url> url = ParseUrl(text);
  if (!url.ok()) return url.error();
  const bool socks = url->scheme == "socks5" || url->scheme == "socks5h";
  if (!socks && url->scheme != "http" && url->scheme != "https") {
    return Error::Net(Transport::kOther,
                      fmt::format("unsupported scheme \"{}\" of a proxy, must be http, https, or "
                                  "socks5",
                                  url->scheme));
  }
  ProxyUrl out{socks ? "socks5" : url->scheme, url->host, url->port, url->username, url->password};
  if (out.port == 0) out.port = socks ? 1080 : url->scheme == "https" ? 443 : 80;
  return out;
}

std::string ToText(const ProxyUrl& proxy) {
  std::string user;
  if (!proxy.username.empty() || !proxy.password.empty()) {
    user = EscapeQuery(proxy.username) + ":" + EscapeQuery(proxy.password) + "@";
  }
  return proxy.scheme + "://" + user + HostAndPort(proxy.host, proxy.port);
}

Result<std::optional<ProxyUrl>> ProxyFor(const ProxyEnvironment& environment, bool tls,
                                         const std::string& host, int port) {
  const std::string& value = tls ? environment.https_proxy : environment.http_proxy;
  const char* name = tls ? "HTTPS_PROXY" : "HTTP_PROXY";
  if (value.empty()) return std::optional<ProxyUrl>();
  if (!tls && environment.cgi) {
    return Error::Net(
        Transport::kOther,
        "refusing to use HTTP_PROXY value in CGI environment (REQUEST_METHOD is set)");
  }
  if (!TakesProxy(environment.no_proxy, host, port)) return std::optional<ProxyUrl>();
  Result<ProxyUrl> proxy =
      ParseProxyUrl(value.find("://") == std::string::npos ? "http://" + value : value);
  if (!proxy.ok()) {
    return Error::Net(Transport::kOther, fmt::format("{}: {}", name, proxy.error().message()));
  }
  return std::optional<ProxyUrl>(std::move(*proxy));
}

std::shared_ptr<const ProxyHop> HopOf(const ProxyUrl& proxy,
                                      std::shared_ptr<TlsClientContext> tls) {
  ProxyHop hop{proxy.scheme == "socks5" ? ProxyHop::Kind::kSocks5 : ProxyHop::Kind::kHttp,
               proxy.host,
               proxy.port,
               proxy.scheme == "https" ? std::move(tls) : nullptr,
               proxy.username,
               proxy.password};
  return std::make_shared<const ProxyHop>(std::move(hop));
}

}  // namespace relist
