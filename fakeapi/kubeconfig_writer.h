// The kubeconfig that leads clients to this server: its address, its CA, and a token.
//
//   KubeconfigText({.server = "https://127.0.0.1:6443", .ca_pem = pem, .token = "secret"});
//   WriteKubeconfig("/tmp/relist-6443.kubeconfig", text);   // mode 0600
//
// kubectl and client-go read user credentials for https only: a token beside an http server is of
// no use to them.
#pragma once

#include <string>

#include "core/result.h"

namespace relist::fakeapi {

struct KubeconfigContents {
  std::string server;
  std::string ca_pem;  // empty: none (plain HTTP)
  std::string token;   // empty: none
};

std::string KubeconfigText(const KubeconfigContents& contents);

// Appears under `path` whole or not at all, readable by its owner alone, whatever lay there before.
// Error: which file, and why it can't be written.
Result<void> WriteKubeconfig(const std::string& path, const std::string& text);

}  // namespace relist::fakeapi
