// HTTP/1.1 requests to one API server, on the loop, over connections that never block: client-go's
// rest layer (catalogue NET-01 to NET-07, NET-13).
//
//   RestClient rest(loop, {.endpoint = {.host = "127.0.0.1", .port = 8001}});
//   Task<Result<std::string>> get = rest.Get("/api/v1/nodes", stop);
//   Result<std::string> body = co_await get;
//
// What it retries before anybody hears of it is in rest_retry.h. Every wait ends at once when
// `stop` is set. Belongs to the loop's thread.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "core/runtime/loop.h"
#include "core/runtime/port.h"
#include "core/wire/resource.h"
#include "reflector/lister_watcher.h"
#include "reflector/planted_bugs.h"
#include "reflector/rate_limiter.h"
#include "reflector/recorder.h"

namespace relist {

struct RestClientOptions {
  Endpoint endpoint;
  std::string path_prefix;   // "/k8s/clusters/c1": what the server's URL has after the host
  std::string bearer_token;  // sent as given; LoadKubeconfig gives none for plain HTTP
  std::string token_file;    // read again once a minute; wins over bearer_token
  std::string user_agent = "relist/0.1.0";
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
};

struct HttpAnswer {
  int status = 0;
  std::string content_type;
  std::string retry_after;  // the header, as it came
  std::string body;
};

class HttpExchange;

class RestClient {
 public:
  RestClient(Loop& loop, RestClientOptions options);
  ~RestClient();

  // The body of a good answer (200 to 206), after retries; otherwise the Status, or what the
  // transport said (NET-07). `recorder` may be null.
  Task<Result<std::string>> Get(std::string target, std::shared_ptr<Recorder> recorder,
                                Signal& stop);
  // Opens a watch. Where connecting fails often enough, an empty stream, no error (NET-05).
  Task<Result<std::unique_ptr<WatchStream>>> Watch(std::string target,
                                                   std::optional<Duration> timeout,
                                                   std::shared_ptr<Recorder> recorder,
                                                   Signal& stop);
  const RestClientOptions& options() const { return options_; }
  Loop& loop() { return loop_; }
  size_t idle_connections() const { return idle_.size(); }

 private:
  friend class HttpWatchStream;
  struct Idle {
    std::unique_ptr<Connection> connection;
    TimePoint since;
  };
  struct Sent;  // a request that is on its way

  std::unique_ptr<Connection> TakeIdle();
  void GiveBack(std::unique_ptr<Connection> connection);
  std::string RequestBytes(const std::string& target);
  std::string Token();
  Task<Result<std::unique_ptr<HttpExchange>>> Send(std::string target, TimePoint deadline,
                                                   Signal& stop);

  Loop& loop_;
  RestClientOptions options_;
  RateLimiter limiter_;
  std::deque<Idle> idle_;
  std::string file_token_;
  TimePoint file_token_read_;
  // Streams that are still open give their connection back through this; empty when we are gone.
  std::shared_ptr<RestClient*> self_;
};

// Lists and watches one collection through a RestClient.
class RestListerWatcher : public ListerWatcher {
 public:
  struct Selectors {
    std::string label, field;
  };
  // `rest` must outlive it. An empty ns: all namespaces. `recorder` may be null.
  RestListerWatcher(RestClient& rest, Resource resource, std::string ns, Selectors selectors,
                    std::shared_ptr<Recorder> recorder);

  Task<Result<ListPage>> List(ListOptions options, Signal& stop) override;
  Task<Result<std::unique_ptr<WatchStream>>> Watch(ListOptions options, Signal& stop) override;

 private:
  std::string Target(ListOptions options) const;
  RestClient& rest_;
  Resource resource_;
  std::string ns_;
  Selectors selectors_;
  std::shared_ptr<Recorder> recorder_;
};

}  // namespace relist
