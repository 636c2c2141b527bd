// HTTP/1.1 requests to one API server, on the loop, over connections that never block: client-go's
// rest layer (catalogue NET-01 to NET-07, NET-13).
//
//   RestClient rest(loop, {.endpoint = {.host = "127.0.0.1", .port = 8001}});
//   Task<Result<HttpAnswer>> get = rest.Get("/api/v1/nodes", "LIST", nullptr, stop);
//   Result<HttpAnswer> nodes = co_await get;     // (*nodes).body
//
// Other verbs than GET are in rest_request.h. What it retries before anybody hears of it is in
// rest_retry.h. Every wait ends at once when `stop` is set. Belongs to the loop's thread.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/runtime/loop.h"
#include "core/runtime/port.h"
#include "reflector/lister_watcher.h"
#include "reflector/recorder.h"
#include "reflector/rest/rate_limiter.h"
#include "reflector/rest/rest_log.h"
#include "reflector/rest/rest_options.h"
#include "reflector/rest/rest_request.h"
#include "reflector/rest/rest_transport.h"

namespace relist {

class RestClient {
 public:
  RestClient(Loop& loop, RestClientOptions options);
  ~RestClient();

  // A good answer (200 to 206), after retries; otherwise the Status, or what the transport said
  // (NET-07). `verb` and `recorder` (may be null) are for the history; the good answer itself is
  // left to the caller to record. `accept`: what is asked for; empty: JSON. `bound`: of all
  // attempts together, the first's wait for the rate limiter aside.
  Task<Result<HttpAnswer>> Get(std::string target, std::string verb,
                               std::shared_ptr<Recorder> recorder, Signal& stop,
                               std::string accept = {}, std::optional<Duration> bound = {});
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
  size_t idle_connections() const { return transport_.connections()->idle(); }

 private:
  // What a request is, for its retries.
  struct Call {
    RestRequest request;
    std::string verb;
    bool watch = false;
    std::optional<Duration> timeout;  // of one attempt
    std::shared_ptr<Recorder> recorder;
    std::optional<Duration> bound;  // of all of them
  };
  // An answer whose head is there.
  struct Answered {
    std::unique_ptr<HttpExchange> exchange;
    TimePoint deadline;
    int request = 0;
    std::string url;
  };

  // With its retries (NET-03 to NET-06): what comes out is final, good or bad.
  Task<Result<Answered>> DoCall(Call call, Signal& stop);
  // Waits for the rate limiter; true if stopped. `reason` of the retry, "" of a first attempt.
  Task<bool> Throttle(Call& call, std::string reason, Signal& stop);
  // Whether an attempt is to be followed by another, and what the pause before it is.
  std::optional<Duration> PauseBeforeRetry(const Call& call,
                                           const Result<std::unique_ptr<HttpExchange>>& sent);
  // The answer of a call, read whole, or the error that it is.
  Task<Result<HttpAnswer>> Finish(Call call, Signal& stop);
  Task<Result<std::string>> ReadBody(HttpExchange& exchange, TimePoint deadline, Signal& stop);
  // The little that is worth reading of an answer that nobody wants, for its connection's sake.
  Task<void> Drain(HttpExchange& exchange, TimePoint deadline, Signal& stop);
  Task<Error> ReadError(Answered& answered, std::shared_ptr<Recorder> recorder, Signal& stop);
  void TellWarnings(const HttpResponseHead& head);

  Loop& loop_;
  const RestClientOptions options_;
  const WarningHandler warning_handler_;
  RateLimiter limiter_;
  RestLog log_;
  RestTransport transport_;
};

}  // namespace relist
