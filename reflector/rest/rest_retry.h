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
std::optional<Duration> RetryDelayOfAnswer(int status, std::string_view retry_after);

// A connection that failed before an answer: reads are repeated after EOF and resets (NET-04), the
// opening of a watch after EOF, resets and time-outs (NET-05).
bool RetriesTransport(const Error& error, bool watch);
constexpr Duration kTransportRetryDelay = Seconds(1);

// Connecting a watch failed for good: true where that is an empty stream and no error (NET-05).
bool IsEmptyWatch(const Error& error);

// The error of an answer: the Status in its body, or one made from its code (NET-07). `status` is
// not 200 (of a watch), or outside 200 to 206.
Error ErrorOfAnswer(int status, const std::string& body, std::string_view retry_after);
// The Failure that a 200 body may still be; looks only if the body's kind says Status.
std::optional<Error> FailureIn200(std::string_view kind, std::string_view body);

}  // namespace relist
