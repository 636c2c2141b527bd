// Which proxy the way to a server takes: that of a kubeconfig's proxy-url, or that of the
// environment, as Go's httpproxy reads it.
//
//   const ProxyEnvironment environment = ProxyEnvironment::OfProcess();
//   Result<std::optional<ProxyUrl>> proxy = ProxyFor(environment, /*tls=*/true, "10.0.0.1", 6443);
//   options.proxy = *proxy;
//
// HTTPS_PROXY is for servers with TLS, HTTP_PROXY for those without, the lower-case names where
// those are empty; a value without scheme is http://. NO_PROXY is a list, comma between: host names
// (themselves and what is below them; with a dot or *. before them only what is below), addresses,
// both with a :port or without, networks (10.0.0.0/8), or * for all. localhost and loopback
// addresses never take a proxy. Pure, but for OfProcess.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/net/proxy_handshake.h"
#include "core/result.h"

namespace relist {

struct ProxyUrl {
  std::string scheme;  // http, https, socks5
  std::string host;
  int port = 0;
  std::string username, password;
  bool operator==(const ProxyUrl&) const = default;
};

// Ports are 80, 443 and 1080 where none is given. Other schemes are an Error of one line.
Result<ProxyUrl> ParseProxyUrl(const std::string& text);
// As somebody else may read it: with its credentials, as a plugin needs them.
std::string ToText(const ProxyUrl& proxy);

struct ProxyEnvironment {
  std::string http_proxy, https_proxy, no_proxy;
  bool cgi = false;  // REQUEST_METHOD is set: HTTP_PROXY may come from a stranger's header
  static ProxyEnvironment OfProcess();
};

// Nothing: go there directly. An Error where the proxy that is named is none, or where a CGI
// program would use HTTP_PROXY.
Result<std::optional<ProxyUrl>> ProxyFor(const ProxyEnvironment& environment, bool tls,
                                         const std::string& host, int port);

// Where a connection goes. `tls` is for an https:// proxy.
std::shared_ptr<const ProxyHop> HopOf(const ProxyUrl& proxy, std::shared_ptr<TlsClientContext> tls);

}  // namespace relist
