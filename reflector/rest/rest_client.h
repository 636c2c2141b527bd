// HTTP/1.1 requests to one API server, on the loop, over connections that never block: client-go's
// rest layer (catalogue NET-01 to NET-07, NET-13).
//
//   RestClient rest(loop, {.endpoint = {.host = "127.0.0.1", .port = 8001}});
//   Task<Result<std::string>> get = rest.Get("/api/v1/nodes", stop);
//   Result<std::string> body = co_await get;
//
// Other verbs than GET are in rest_request.h. What it retries before anybody hears of it is in
// rest_retry.h. Every wait ends at once when `stop` is set. Belongs to the loop's thread.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "core/runtime/loop.h"
#include "core/runtime/port.h"
#include "reflector/lister_watcher.h"
#include "reflector/planted_bugs.h"
#include "reflector/recorder.h"
#include "reflector/rest/rate_limiter.h"
#include "reflector/rest/rest_request.h"

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

class HttpExchange;

class RestClient {
 public:
  RestClient(Loop& loop, RestClientOptions options);
  ~RestClient();

  // A good answer (200 to 206), after retries; otherwise the Status, or what the transport said
  // (NET-07). `verb` and `recorder` (may be null) are for the history; the good answer itself is
  // left to the caller to record. `accept`: what is asked for; empty: JSON.
  Task<Result<HttpAnswer>> Get(std::string target, std::string verb,
                               std::shared_ptr<Recorder> recorder, Signal& stop,
                               std::string accept = {});
  // Any verb, with a body or without: the same, in rest_request.cc. Status errors in a good answer
  // are errors, too.
  Task<Result<HttpAnswer>> Do(RestRequest request, Signal& stop);
  // Opens a watch. Where connecting fails often enough, an empty stream, no error (NET-05). The
  // client must outlive the task, not the stream.
  Task<Result<std::unique_ptr<WatchStream>>> Watch(std::string target,
                                                   std::optional<Duration> timeout,
                                                   std::shared_ptr<Recorder> recorder, Signal& stop,
                                                   std::string accept = {});
  const RestClientOptions& options() const { return options_; }
  Loop& loop() { return loop_; }
  size_t idle_connections() const { return idle_.size(); }

 private:
  friend class HttpWatchStream;
  struct Idle {
    std::unique_ptr<Connection> connection;
    TimePoint since;
  };
  // What a request is, for its retries.
  struct Call {
    RestRequest request;
    std::string verb;
    bool watch = false;
    std::optional<Duration> timeout;  // of one attempt
    std::shared_ptr<Recorder> recorder;
  };
  // An answer whose head is there.
  struct Answered {
    std::unique_ptr<HttpExchange> exchange;
    TimePoint deadline;
    int request = 0;
  };

  // With its retries (NET-03 to NET-06): what comes out is final, good or bad.
  Task<Result<Answered>> DoCall(Call call, Signal& stop);
  // The answer of a call, read whole, or the error that it is.
  Task<Result<HttpAnswer>> Finish(Call call, Signal& stop);
  // One attempt, up to the answer's head; once more where a connection that was kept turns out
  // dead.
  Task<Result<std::unique_ptr<HttpExchange>>> Attempt(RestRequest request, TimePoint deadline,
                                                      Signal& stop);
  Task<Result<std::string>> ReadBody(HttpExchange& exchange, TimePoint deadline, Signal& stop);
  Task<Error> ReadError(Answered& answered, std::shared_ptr<Recorder> recorder, Signal& stop);
  std::unique_ptr<Connection> TakeIdle();
  void GiveBack(std::unique_ptr<Connection> connection);
  void FinishWith(HttpExchange& exchange);
  std::string RequestBytes(const RestRequest& request);
  const std::string& Token();

  Loop& loop_;
  RestClientOptions options_;
  RateLimiter limiter_;
  std::deque<Idle> idle_;
  std::string file_token_;
  TimePoint file_token_read_;
  // Streams that are still open give their connection back through this; null when we are gone.
  std::shared_ptr<RestClient*> self_;
};

}  // namespace relist
