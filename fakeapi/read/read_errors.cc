#include "fakeapi/read/read_errors.h"

#include <fmt/format.h>

namespace relist::fakeapi {

Error TooLargeRevision(uint64_t wanted, uint64_t current, bool retry) {
  Error error = Error::Api(
      504, "Timeout",
      fmt::format("Timeout: Too large resource version: {}, current: {}", wanted, current));
  error.status.details.emplace();
  error.status.details->causes.push_back(
      {"ResourceVersionTooLarge", "Too large resource version", ""});
  if (retry) error.status.details->retry_after_seconds = 1;
  return error;
}

Error NotReady(int64_t retry_after_seconds) {
  Error error = Error::Api(429, "TooManyRequests", "storage is (re)initializing");
  error.status.details.emplace();
  error.status.details->retry_after_seconds = retry_after_seconds;
  return error;
}

Error ExpiredList() {
  return Error::Api(410, "Expired", "The resourceVersion for the provided list is too old.");
}

Error ExpiredPage(std::string token) {
  Error error = Error::Api(
      410, "Expired",
      "The provided continue parameter is too old to display a consistent list result. You can "
      "start a new list without the continue parameter, or use the continue token in this "
      "response to retrieve the remainder of the results. Continuing with the provided token "
      "results in an inconsistent list - objects that were created, modified, or deleted between "
      "the time the first chunk was returned and now may show up in the list.");
  error.status.continue_token = std::move(token);
  return error;
}

Status ExpiredWatch(uint64_t wanted, uint64_t oldest) {
  return Error::Api(410, "Expired",
                    fmt::format("too old resource version: {} ({})", wanted, oldest))
      .status;
}

}  // namespace relist::fakeapi
