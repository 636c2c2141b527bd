// What the REST layer retries by itself, and how an answer becomes an error, as plain functions
// (catalogue NET-03, NET-04, NET-05, NET-07).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/result.h"
#include "core/time.h"

namespace relist {

// 429, or 500 and above, with an integer Retry-After: how long to wait; otherwise nothing (NET-03).
// Go reads "+1" and "-1" as integers; what is negative is not waited for.
std::optional<Duration> RetryDelayOfAnswer(int status, std::string_view retry_after);

// A connection that failed before an answer: reads are repeated after EOF and resets (NET-04), the
// opening of a watch after EOF, resets and time-outs (NET-05). Not so where it ended inside an
// answer's head: what net/http says then is none of the errors that client-go knows.
bool RetriesTransport(const Error& error, bool watch);
constexpr Duration kTransportRetryDelay = Seconds(1);

// Connecting a watch failed for good: true where that is an empty stream and no error (NET-05).
bool IsEmptyWatch(const Error& error);

// The error of an answer: the Failure in its body, if that is JSON, or one made from its code
// (NET-07). `status` is not 200 (of a watch), or outside 200 to 206. A Content-Type that is
// malformed is an InternalError, whatever the code.
struct BadAnswer {
  int status = 0;
  std::string_view content_type;  // "": as if it were JSON, but its text is kept
  std::string_view retry_after;
};
Error ErrorOfAnswer(const BadAnswer& answer, const std::string& body);
// It was made from the code: there was no Status in the body.
bool SaysNoStatus(const Error& error);

// Why a good answer's body cannot be read, by its Content-Type; nothing where it is JSON, or does
// not say (NET-02).
std::optional<Error> WhyUnreadable(std::string_view content_type);
// The same of a watch, which takes what is malformed for JSON.
std::optional<Error> WhyUnreadableWatch(std::string_view content_type);

// The Failure that a 200 body may still be; looks only if the body's kind says Status.
std::optional<Error> FailureIn200(std::string_view kind, std::string_view body);

}  // namespace relist
