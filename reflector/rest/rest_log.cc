#include "reflector/rest/rest_log.h"

#include <fmt/core.h>

#include <algorithm>

namespace relist {
namespace {

constexpr Duration kLongWait = Seconds(1);  // client-go: extraLongThrottleLatency
constexpr Duration kQuiet = Seconds(10);    // minLogInterval
constexpr size_t kShownOfBody = 120;

// The beginning of a body, for a person.
std::string Shown(std::string_view body) {
  const size_t begin = std::min(body.find_first_not_of(" \t\r\n"), body.size());
  body.remove_prefix(begin);
  return body.size() <= kShownOfBody ? std::string(body)
                                     : std::string(body.substr(0, kShownOfBody)) + " ...";
}

}  // namespace

void RestLog::Waited(TimePoint now, Duration waited, const std::string& reason,
                     std::string_view verb, const std::string& url) {
  if (waited <= kLongWait || (waited_said_ != TimePoint{} && now - waited_said_ < kQuiet)) return;
  waited_said_ = now;
  Say(log_, LogLevel::kInfo,
      fmt::format("Waited {} s before sending request: {}: {} {}", FormatSeconds(waited),
                  reason.empty() ? "client-side throttling, not priority and fairness" : reason,
                  verb, url));
}

void RestLog::Retry(std::string_view verb, const std::string& url, const std::string& reason) {
  if (log_) Say(log_, LogLevel::kInfo, fmt::format("{} {}: {}", verb, url, reason));
}

void RestLog::BadAnswer(const std::string& url, const HttpResponseHead& head,
                        std::string_view body) {
  if (!log_) return;
  const std::string_view type = head.Header("Content-Type");
  Say(log_, LogLevel::kWarning,
      fmt::format("{}: {} with {} where JSON of an API server belongs: {}", url, head.status,
                  type.empty() ? "no content type" : type,
                  body.empty() ? "(no text)" : Shown(body)));
}

void RestLog::BadBody(const std::string& url, const Error& error) {
  if (log_) Say(log_, LogLevel::kError, fmt::format("{}: {}", url, error.message()));
}

std::string RetryReason(int retry, Duration pause, const HttpResponseHead* head,
                        const Error& error) {
  const std::string message =
      fmt::format("retries: {}, retry-after: {}s - retry-reason: ", retry, pause / Seconds(1));
  if (!head) return message + "due to retryable error, error: " + error.message();
  if (head->status != 429) return message + std::to_string(head->status);
  return message + fmt::format("due to server-side throttling, FlowSchema UID: \"{}\"",
                               head->Header("X-Kubernetes-PF-FlowSchema-UID"));
}

}  // namespace relist
