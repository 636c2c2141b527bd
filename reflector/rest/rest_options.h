// How a RestClient reaches its server, as whom, and how patient it is. LoadKubeconfig and
// InClusterConfig fill it in.
//
//   RestClientOptions options{.endpoint = {.host = "127.0.0.1", .port = 8001}};
//   options.qps = 50;
//   options.log = StderrLog();
//
// Values: copy freely; what they point to is shared.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/runtime/port.h"
#include "reflector/log.h"
#include "reflector/planted_bugs.h"
#include "reflector/rest/proxy.h"
#include "reflector/rest/rest_identity.h"
#include "reflector/rest/tls_source.h"
#include "reflector/rest/warnings.h"

namespace relist {

struct RestClientOptions {
  Endpoint endpoint;         // its proxy is made of `proxy`
  std::string path_prefix;   // "/k8s/clusters/c1": what the server's URL has after the host
  std::string bearer_token;  // sent as given; LoadKubeconfig gives none for plain HTTP
  std::string token_file;    // read again every 50 s; wins over bearer_token
  std::string user_agent;    // empty: DefaultUserAgent()
  bool accept_gzip = true;

  double qps = 5;  // NET-06; 0: no limit
  int burst = 10;
  int max_retries = 10;
  bool keep_alive = true;  // use a connection again after an answer that was read whole
  Duration idle_timeout = Seconds(90);  // how long an idle connection is kept
  Duration connect_timeout = Seconds(30);

  // A deadline of our own for half-open connections, which client-go lacks and hangs on (NET-12).
  // Watches: timeoutSeconds and this margin. Lists: as given. Nothing: none, as client-go.
  std::optional<Duration> watch_deadline_margin = Seconds(30);
  std::optional<Duration> list_deadline = Seconds(90);

  PlantedBugs bugs;

  // More ways to say who we are; a token goes before a password, and either before the plugin.
  std::string username, password;
  std::optional<ExecConfig> exec;
  Impersonation impersonate;

  // What endpoint.tls was made of, so that it can be made again when files change, or a plugin
  // gives a certificate. Nothing: endpoint.tls is used as it is.
  std::optional<TlsSettings> tls;

  // Nothing: straight to the server. LoadKubeconfig looks into the environment; this does not.
  std::optional<ProxyUrl> proxy;
  // Of an https:// proxy. Null: that of the endpoint, with its authorities, server name and client
  // certificate, as Go has it; a proxy with a certificate of the web's needs one of its own.
  std::shared_ptr<TlsClientContext> proxy_tls;

  // Requests with timeoutSeconds carry `timeout=7m12s`, too, and lists with it are given up when it
  // has passed, retries and all: as client-go's typed clients do, and its dynamic one does not
  // (NET-01).
  bool timeout_parameter = false;

  // Told of each answer that is tried again by itself (NET-03), before the pause. On the loop.
  std::function<void(int status, Duration pause)> on_retry;
  std::shared_ptr<Log> log;        // null: nothing is said
  WarningHandler warning_handler;  // null: LoggedWarnings(log)
};

}  // namespace relist
