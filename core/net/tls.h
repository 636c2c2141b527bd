// TLS for clients: one context for a kubeconfig's cluster and user, and the engine that turns
// records into bytes.
//
//   Result<std::shared_ptr<TlsClientContext>> tls = TlsClientContext::Make({.ca_pem = ca});
#pragma once

#include <memory>
#include <string>

#include "core/result.h"

namespace relist {

struct TlsClientOptions {
  std::string ca_pem;             // empty: the system's authorities
  std::string cert_pem, key_pem;  // client certificate; both or neither
  std::string server_name;        // for SNI and verification; empty: the endpoint's host
  bool insecure_skip_verify = false;
};

class TlsClientContext {
 public:
  static Result<std::shared_ptr<TlsClientContext>> Make(const TlsClientOptions& options);
  ~TlsClientContext();
  TlsClientContext(const TlsClientContext&) = delete;
  TlsClientContext& operator=(const TlsClientContext&) = delete;

 private:
  friend class TlsEngine;
  TlsClientContext();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// A client's TLS session over memory: ciphertext in and out, plaintext in and out. No socket, no
// clock.
class TlsEngine {
 public:
  TlsEngine(std::shared_ptr<TlsClientContext> context, const std::string& host);
  ~TlsEngine();

  void FeedCipher(const std::string& bytes);  // from the socket
  std::string TakeCipher();                   // for the socket; call after everything else
  void Write(const std::string& plain);
  size_t Read(std::string* into, size_t max);  // all that is decrypted: read until it gives 0
  bool handshake_done() const;
  bool peer_done() const;             // close_notify
  const Result<void>& state() const;  // the Error of a failed handshake (Transport::kTls, says why)

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace relist
