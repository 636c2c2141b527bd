#include "reflector/rest/rest_retry.h"

#include <fmt/core.h>

#include <charconv>

namespace relist {
namespace {

constexpr size_t kBodyTextMax = 2048;  // client-go keeps this much of an unstructured body

std::optional<int> WholeNumber(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

struct Generic {
  std::string_view reason, message;
};

Generic GenericOf(int code) {
  switch (code) {
    case 400:
      return {"BadRequest", "the server rejected our request for an unknown reason"};
    case 401:
      return {"Unauthorized", "the server has asked for the client to provide credentials"};
    case 403:
      return {"Forbidden", ""};
    case 404:
      return {"NotFound", "the server could not find the requested resource"};
    case 405:
      return {"MethodNotAllowed",
              "the server does not allow this method on the requested resource"};
    case 406:
      return {"NotAcceptable", ""};
    case 409:
      return {"Conflict", "the server reported a conflict"};
    case 415:
      return {"UnsupportedMediaType", ""};
    case 422:
      return {"Invalid", "the server rejected our request due to an error in our request"};
    case 429:
      return {"TooManyRequests",
              "the server has received too many requests and has asked us to try again later"};
    case 503:
      return {"ServiceUnavailable", "the server is currently unable to handle the request"};
    case 504:
      return {"Timeout",
              "the server was unable to return a response in the time allotted, but may still be "
              "processing the request"};
    default:
      if (code >= 500)
        return {"InternalError",
                "an error on the server has prevented the request from succeeding"};
      return {"", "the server responded with the status code but did not return more information"};
  }
}

}  // namespace

std::optional<Duration> RetryDelayOfAnswer(int status, std::string_view retry_after) {
  if (status != 429 && status < 500) return std::nullopt;
  const std::optional<int> seconds = WholeNumber(retry_after);
  if (!seconds) return std::nullopt;
  return Seconds(*seconds);
}

bool RetriesTransport(const Error& error, bool watch) {
  switch (error.transport) {
    case Transport::kReset:
    case Transport::kEof:
    case Transport::kUnexpectedEof:
      return true;
    case Transport::kTimeout:
      return watch;
    default:
      return false;
  }
}

bool IsEmptyWatch(const Error& error) {
  return RetriesTransport(error, /*watch=*/true);
}

Error ErrorOfAnswer(int status, const std::string& body, std::string_view retry_after) {
  if (std::optional<Status> said = Status::Parse(body); said && said->status != "Success") {
    Error error;
    error.status = std::move(*said);
    if (error.status.code == 0) error.status.code = status;
    return error;
  }
  const Generic generic = GenericOf(status);
  Error error = Error::Api(status, std::string(generic.reason), std::string(generic.message));
  const std::string text = body.substr(0, kBodyTextMax);
  if (error.status.message.empty()) error.status.message = text;
  StatusDetails details;
  details.causes.push_back({"UnexpectedServerResponse", text, ""});
  details.retry_after_seconds = WholeNumber(retry_after).value_or(0);
  error.status.details = std::move(details);
  return error;
}

std::optional<Error> FailureIn200(std::string_view kind, std::string_view body) {
  if (kind != "Status") return std::nullopt;
  std::optional<Status> said = Status::Parse(body);
  if (!said || said->status == "Success") return std::nullopt;
  Error error;
  error.status = std::move(*said);
  return error;
}

}  // namespace relist
