// What lies between a client's socket and its user: TLS, a proxy, TLS to the proxy, in any mixture.
// Sans-IO: bytes of the wire in and out, plain bytes in and out.
//
//   ClientLayers layers(endpoint);             // TCP is connected, to the proxy if there is one
//   Send(layers.TakeWire());                   // after everything that may have made some
//   layers.FeedWire(ReceiveSome());
//   if (layers.stage() == ClientLayers::Stage::kOpen) ...
//   layers.Write("GET / HTTP/1.1\r\n\r\n");    // goes out when it can
//   layers.Read(&plain);
//
// A connection without TLS through an HTTP proxy has no layers: who uses it writes requests in
// absolute form (RFC 9112, 3.2.2). Not thread-safe.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/net/proxy_handshake.h"
#include "core/net/tls.h"
#include "core/runtime/port.h"

namespace relist {

class ClientLayers {
 public:
  // What is being done, in this order; those that an endpoint does not need are left out.
  enum class Stage { kProxyTls, kProxy, kTls, kOpen };

  static bool Needed(const Endpoint& endpoint);
  explicit ClientLayers(const Endpoint& endpoint);

  void FeedWire(std::string_view bytes);
  std::string TakeWire();
  void Write(std::string_view plain);
  // Appends all that is there; how much.
  size_t Read(std::string* into);
  // Says close_notify where TLS is spoken.
  void Finish();

  Stage stage() const;
  bool peer_done() const;  // close_notify, of the innermost TLS or of the proxy's
  // The Error of the layer that failed; those of the proxy begin with "proxyconnect tcp: ".
  const Result<void>& state() const { return state_; }

 private:
  void FeedProxied(std::string_view bytes);
  void PassProxy();
  void MoveOutwards();

  const std::string host_;
  const std::shared_ptr<TlsClientContext> tls_context_;
  std::optional<TlsEngine> proxy_tls_;
  std::optional<ProxyHandshake> proxy_;  // until it let us through
  std::optional<TlsEngine> tls_;         // from then on
  std::string unsent_;                   // plain bytes, until the proxy let us through
  std::string wire_;                     // for the socket
  std::string plain_;                    // for the user, where there is no inner TLS
  Result<void> state_;
};

}  // namespace relist
