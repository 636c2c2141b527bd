// One attempt at a request, for RestClient: credentials, a connection that was kept or a new one,
// through a proxy if need be, the request's bytes, and the wait for the head of its answer.
//
//   Task<Result<std::unique_ptr<HttpExchange>>> send = transport.Send(request, deadline, stop);
//   Result<std::unique_ptr<HttpExchange>> exchange = co_await send;
//   ... read the body ...
//   transport.FinishWith(**exchange);
//
// Looks after certificates that rotate: when the client's own changes, all connections end, open
// watches too, as a connection that was cut ends (client-go: cert_rotation.go). Belongs to the
// loop's thread.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/runtime/loop.h"
#include "reflector/rest/http_exchange.h"
#include "reflector/rest/rest_connections.h"
#include "reflector/rest/rest_identity.h"
#include "reflector/rest/rest_options.h"
#include "reflector/rest/rest_request.h"

namespace relist {

class RestTransport {
 public:
  // `options` must outlive it.
  RestTransport(Loop& loop, const RestClientOptions& options);
  ~RestTransport();

  // Up to the answer's head; once more where a connection that was kept turns out dead before a
  // byte of the answer (reads only).
  Task<Result<std::unique_ptr<HttpExchange>>> Send(RestRequest request, TimePoint deadline,
                                                   Signal& stop);
  // The answer was read: its connection may be used again.
  void FinishWith(HttpExchange& exchange);
  // For streams, which may outlive us.
  const std::shared_ptr<RestConnections>& connections() const { return connections_; }
  // "https://10.0.0.1:6443/prefix" and the target.
  std::string UrlOf(const std::string& target) const;

 private:
  Task<Result<void>> Prepare(Signal& stop);
  Result<void> TakePluginCertificate(const ExecPlugin& plugin);
  std::unique_ptr<Connection> Connect();
  std::shared_ptr<TlsClientContext> ProxyTls(const Endpoint& endpoint);
  std::string RequestBytes(const RestRequest& request);
  Task<void> WatchCertificate();
  void EndAll();

  Loop& loop_;
  const RestClientOptions& options_;
  const std::string user_agent_;
  const bool absolute_;  // requests carry the whole URL: plain HTTP by an HTTP proxy
  const std::shared_ptr<RestConnections> connections_;
  RestIdentity identity_;
  std::optional<TlsSource> tls_;
  uint64_t plugin_version_ = 0;  // whose certificate is in use
  TaskScope background_;
};

}  // namespace relist
