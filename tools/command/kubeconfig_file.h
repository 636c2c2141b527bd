// The kubeconfig with which any client finds a server that `relist serve` runs.
//
//   KubeconfigText({.server = "https://127.0.0.1:6443", .ca_pem = ca, .token = "t"});
#pragma once

#include <string>
#include <vector>

namespace relist::command {

struct KubeconfigFacts {
  std::string server;                 // URL
  std::vector<std::string> replicas;  // URLs of further ones
  std::string ca_pem;                 // empty: plain HTTP
  // Empty: none is asked for. Over TLS one is written all the same, which such a server takes as it
  // takes anything: kubectl asks for a user name where it has no credentials.
  std::string token;
};

// JSON, which is YAML, too. One user; a cluster and a context named relist, and of
// further replicas replica-1, replica-2 ...
std::string KubeconfigText(const KubeconfigFacts& facts);

// "http://127.0.0.1:8080": an address that means every interface is reached over loopback; IPv6 is
// put in brackets.
std::string UrlOf(bool tls, const std::string& address, int port);

}  // namespace relist::command
