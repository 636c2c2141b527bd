// The URLs of kubeconfigs and of the environment: servers and proxies.
//
//   Result<Url> url = ParseUrl("https://me:s%40crt@[::1]:6443/prefix");
//   Result<ServerUrl> server = ParseServerUrl("https://10.0.0.1:6443/k8s/");
//
// Errors are one line: "`https://`: a URL without a host". Passwords are not told.
#pragma once

#include <string>

#include "core/result.h"

namespace relist {

struct Url {
  std::string scheme;              // lower case
  std::string username, password;  // decoded
  std::string host;                // without brackets
  int port = 0;                    // 0: none given
  std::string path;                // with its query; "" or from the slash on
};

Result<Url> ParseUrl(const std::string& text);

// "https://10.0.0.1:6443/prefix": host, port (80 or 443 if it has none) and the rest, without
// slashes at its end.
struct ServerUrl {
  bool tls = false;
  std::string host;
  int port = 0;
  std::string path;
};
Result<ServerUrl> ParseServerUrl(const std::string& text);

// "10.0.0.1:6443", "[::1]:6443".
std::string HostAndPort(const std::string& host, int port);

}  // namespace relist
