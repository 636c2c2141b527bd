#include "reflector/rest/rest_transport.h"

#include <algorithm>

#include "reflector/rest/url.h"
#include "reflector/rest/user_agent.h"

namespace relist {
namespace {

IdentityOptions IdentityOf(const RestClientOptions& options) {
  return {options.bearer_token, options.token_file, options.username,
          options.password,     options.exec,       options.impersonate};
}

}  // namespace

RestTransport::RestTransport(Loop& loop, const RestClientOptions& options)
    : loop_(loop),
      options_(options),
      user_agent_(options.user_agent.empty() ? DefaultUserAgent() : options.user_agent),
      absolute_(options.proxy && options.proxy->scheme != "socks5" && !options.endpoint.tls),
      connections_(
          std::make_shared<RestConnections>(loop, options.keep_alive, options.idle_timeout)),
      identity_(loop, IdentityOf(options), options.log),
      background_(loop) {
  if (options_.tls && options_.endpoint.tls) {
    tls_.emplace(*options_.tls, options_.endpoint.tls, loop_.Now(), options_.log);
    if (tls_->has_certificate_files()) background_.Spawn(WatchCertificate());
  }
}

RestTransport::~RestTransport() {
  connections_->Close();
}

std::string RestTransport::UrlOf(const std::string& target) const {
  const Endpoint& endpoint = options_.endpoint;
  return (endpoint.tls ? "https://" : "http://") + HostAndPort(endpoint.host, endpoint.port) +
         options_.path_prefix + target;
}

std::string RestTransport::RequestBytes(const RestRequest& request) {
  const Endpoint& endpoint = options_.endpoint;
  std::string out = request.method + ' ';
  out += absolute_ ? UrlOf(request.target) : options_.path_prefix + request.target;
  out += " HTTP/1.1\r\nHost: " + HostAndPort(endpoint.host, endpoint.port);
  out += "\r\nUser-Agent: " + user_agent_;
  out += "\r\nAccept: " + request.accept + "\r\n";
  if (options_.accept_gzip) out += "Accept-Encoding: gzip\r\n";
  if (!options_.keep_alive) out += "Connection: close\r\n";
  if (absolute_ && !(options_.proxy->username.empty() && options_.proxy->password.empty())) {
    out += "Proxy-Authorization: " +
           BasicAuthorization(options_.proxy->username, options_.proxy->password) + "\r\n";
  }
  out += identity_.Headers();
  AppendBody(request, &out);
  return out;
}

std::shared_ptr<TlsClientContext> RestTransport::ProxyTls(const Endpoint& endpoint) {
  if (options_.proxy->scheme != "https") return nullptr;
  if (options_.proxy_tls) return options_.proxy_tls;
  return endpoint.tls ? endpoint.tls : *TlsClientContext::Make({});
}

std::unique_ptr<Connection> RestTransport::Connect() {
  Endpoint endpoint = options_.endpoint;
  if (tls_) {
    endpoint.tls = tls_->Context(loop_.Now());
    if (tls_->TakeRotated()) EndAll();
  }
  if (options_.proxy) endpoint.proxy = HopOf(*options_.proxy, ProxyTls(endpoint));
  return loop_.port().Connect(endpoint);
}

// Who reads on them sees what client-go's readers see: an end, at which reads are tried again.
void RestTransport::EndAll() {
  connections_->AbortAll(Error::Net(Transport::kEof, "use of closed network connection"));
}

// client-go: dynamicClientCert.run
Task<void> RestTransport::WatchCertificate() {
  for (;;) {
    Task<void> pause = Sleep(loop_, TlsSource::kCheckPeriod);
    co_await pause;
    if (tls_->CheckCertificate(loop_.Now())) EndAll();
  }
}

Result<void> RestTransport::TakePluginCertificate(const ExecPlugin& plugin) {
  if (plugin.version() == plugin_version_) return {};
  const bool first = plugin_version_ == 0;
  plugin_version_ = plugin.version();
  if (!tls_) return {};
  const Result<bool> changed = tls_->UseCertificate(plugin.cert_pem(), plugin.key_pem());
  if (!changed.ok()) return changed.error();
  if (*changed && !first) EndAll();
  return {};
}

Task<Result<void>> RestTransport::Prepare(Signal& stop) {
  Task<Result<void>> ready = identity_.Prepare(stop);
  Result<void> prepared = co_await ready;
  if (!prepared.ok()) co_return prepared;
  co_return TakePluginCertificate(*identity_.plugin());
}

void RestTransport::FinishWith(HttpExchange& exchange) {
  std::unique_ptr<Connection> connection = exchange.TakeReusable();
  connections_->GiveBack(std::move(connection), exchange.TakeLease());
  exchange.Close();
}

Task<Result<std::unique_ptr<HttpExchange>>> RestTransport::Send(RestRequest request,
                                                                TimePoint deadline, Signal& stop) {
  for (;;) {
    if (identity_.plugin()) {
      Task<Result<void>> ready = Prepare(stop);
      Result<void> prepared = co_await ready;
      if (!prepared.ok()) co_return prepared.error();
    }
    if (tls_ && tls_->CheckAuthorities(loop_.Now())) connections_->Renew();
    const uint64_t identity_version = identity_.version();
    std::unique_ptr<Connection> connection = connections_->TakeIdle();
    const bool reused = connection != nullptr;
    if (!reused) connection = Connect();
    ConnectionLease lease = connections_->Lend(*connection);
    auto exchange = std::make_unique<HttpExchange>(std::move(connection), RequestBytes(request),
                                                   reused, std::move(lease));
    const TimePoint open_by = loop_.Now() + options_.connect_timeout;
    Timer timer(loop_, std::min(deadline, open_by));
    for (;;) {
      while (!exchange->head() && exchange->Pump()) {
      }
      // Whatever came of the body, the head is an answer: what is wrong behind it is told to who
      // reads on.
      if (exchange->head()) {
        if (exchange->head()->status == 401) identity_.Refused(identity_version);
        co_return std::move(exchange);
      }
      if (exchange->done()) break;
      if (stop.Ready()) co_return Error::Net(Transport::kStopped, "stopped");
      if (!exchange->opening() && timer.when() != deadline) timer.Reset(deadline);
      if (timer.Ready()) {
        co_return Error::Net(Transport::kTimeout, exchange->opening()
                                                      ? "timeout while connecting"
                                                      : "timeout while awaiting headers");
      }
      Select which(loop_, stop, exchange->source(), timer);
      co_await which;
    }
    // Whether a write was done before the connection died is not ours to guess.
    if (!exchange->stale() || request.method != "GET") co_return exchange->error();
  }
}

}  // namespace relist
