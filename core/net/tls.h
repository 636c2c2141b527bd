// TLS for clients: one context for a kubeconfig's cluster and user, and the engine that turns
// records into bytes.
//
//   Result<std::shared_ptr<TlsClientContext>> tls = TlsClientContext::Make({.ca_pem = ca});
//   if (!tls.ok()) return tls.error();                  // Transport::kTls, says which file is bad
//   port.Connect({"127.0.0.1", 6443, *tls});
//
// TLS 1.2 and 1.3. A certificate is judged as Go judges it: by its SANs (DNS names, or IP addresses
// where the name is one), never by its subject. A context may be used from any thread; an engine
// from one.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/result.h"

namespace relist {

struct TlsClientOptions {
  std::string ca_pem;             // any number of certificates; empty: the system's authorities
  std::string cert_pem, key_pem;  // client certificate with its chain; both or neither
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
//
//   TlsEngine engine(context, "127.0.0.1");
//   engine.Write("GET / HTTP/1.1\r\n\r\n");     // goes out when hands were shaken
//   Send(engine.TakeCipher());                  // after everything that may have made some
//   engine.FeedCipher(ReceiveSome());
//   engine.Read(&plain, 1 << 20);
class TlsEngine {
 public:
  TlsEngine(std::shared_ptr<TlsClientContext> context, const std::string& host);
  ~TlsEngine();
  TlsEngine(const TlsEngine&) = delete;
  TlsEngine& operator=(const TlsEngine&) = delete;

  void FeedCipher(std::string_view bytes);  // from the socket
  std::string TakeCipher();                 // for the socket; call after everything else
  void Write(std::string_view plain);
  // Appends all that is decrypted, up to `max`: read until it gives 0.
  size_t Read(std::string* into, size_t max);
  // Says close_notify, if hands were shaken.
  void Finish();
  bool handshake_done() const;
  bool peer_done() const;  // close_notify
  // The Error of a handshake, or of a record, that failed (Transport::kTls, says why). TLS 1.3
  // tells a client that its certificate is refused only after the handshake.
  const Result<void>& state() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace relist
