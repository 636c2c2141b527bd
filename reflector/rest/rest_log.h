// The lines that a RestClient leaves in the log: what client-go says by itself, and, one line for
// each, what a person would otherwise have to guess from the errors that follow.
//
//   RestLog log(options.log);
//   log.Waited(now, waited, "", "GET", url);
//
// Belongs to the loop's thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/net/http_response_decoder.h"
#include "core/result.h"
#include "core/time.h"
#include "reflector/log.h"

namespace relist {

class RestLog {
 public:
  explicit RestLog(std::shared_ptr<Log> log) : log_(std::move(log)) {}

  // The rate limiter held a request up: said from a second on, and once in ten (client-go:
  // globalThrottledLogger). `reason`: why it is sent again; empty: it is not.
  void Waited(TimePoint now, Duration waited, const std::string& reason, std::string_view verb,
              const std::string& url);
  // A request is tried again; `reason` of RetryReason.
  void Retry(std::string_view verb, const std::string& url, const std::string& reason);
  // An answer that is not what it should be: HTML of a proxy's, an error that is no Status, a body
  // that was cut.
  void BadAnswer(const std::string& url, const HttpResponseHead& head, std::string_view body);
  void BadBody(const std::string& url, const Error& error);

 private:
  std::shared_ptr<Log> log_;
  TimePoint waited_said_;
};

// client-go: getRetryReason. `head` is null where the connection failed with `error`.
std::string RetryReason(int retry, Duration pause, const HttpResponseHead* head,
                        const Error& error);

}  // namespace relist
