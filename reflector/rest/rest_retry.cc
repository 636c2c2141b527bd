#include "reflector/rest/rest_retry.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "core/wire/quote.h"
#include "reflector/parity_switch.h"
#include "reflector/rest/media_type.h"

namespace relist {
namespace {

constexpr size_t kBodyTextMax = 2048;  // client-go keeps this much of an unstructured body
constexpr std::string_view kJson = "application/json";
constexpr std::string_view kUnexpected = "UnexpectedServerResponse";

// strconv.Atoi: a sign and digits.
std::optional<int64_t> WholeNumber(std::string_view text) {
  if (text.starts_with('+') && text.size() > 1 && text[1] != '-') text.remove_prefix(1);
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::string TrimmedText(std::string_view text) {
  static constexpr std::string_view kSpace = " \t\r\n\v\f";
  const size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(kSpace) - begin + 1));
}

// What is kept of a body that is no Status: text, or nothing that a person could read.
std::string TextOf(std::string_view content_type, const std::string& body) {
  const bool text = content_type.empty() || ParseMediaType(content_type).type.starts_with("text/");
  return text ? TrimmedText(std::string_view(body).substr(0, kBodyTextMax)) : "unknown";
}

Error Unparsable(const std::string& why) {
  Error error = Error::Api(500, "InternalError", "Internal error occurred: " + why);
  error.status.details = StatusDetails{};
  error.status.details->causes.push_back({"", why, ""});
  return error;
}

struct Generic {
  std::string_view reason;
  std::string message;
};

// apimachinery: NewGenericServerResponse. `said`: the server's words.
Generic GenericOf(int code, const std::string& said) {
  switch (code) {
    case 400:
      return {"BadRequest", "the server rejected our request for an unknown reason"};
    case 401:
      return {"Unauthorized", "the server has asked for the client to provide credentials"};
    case 403:
      return {"Forbidden", said};
    case 404:
      return {"NotFound", "the server could not find the requested resource"};
    case 405:
      return {"MethodNotAllowed",
              "the server does not allow this method on the requested resource"};
    case 406:
      return {"NotAcceptable",
              said.empty() || said == "unknown"
                  ? "the server was unable to respond with a content type that the client supports"
                  : said};
    case 409:
      return {"Conflict", "the server reported a conflict"};
    case 415:
      return {"UnsupportedMediaType", said};
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
      if (code >= 500) {
        return {"InternalError",
                fmt::format("an error on the server ({}) has prevented the request from succeeding",
                            QuoteText(said, HexCase::kLower))};
      }
      return {"", fmt::format("the server responded with the status code {} but did not return "
                              "more information",
                              code)};
  }
}

}  // namespace

std::optional<Duration> RetryDelayOfAnswer(int status, std::string_view retry_after) {
  if ((status != 429 && status < 500) || !Behaves("NET-03")) return std::nullopt;
  const std::optional<int64_t> seconds = WholeNumber(retry_after);
  if (!seconds) return std::nullopt;
  static constexpr int64_t kCentury = int64_t{100} * 365 * 86400;
  return Seconds(std::clamp<int64_t>(*seconds, 0, kCentury));
}

bool RetriesTransport(const Error& error, bool watch) {
  switch (error.transport) {
    case Transport::kReset:
    case Transport::kEof:
      return watch ? Behaves("NET-05b") : Behaves("NET-04");
    case Transport::kTimeout:
      return watch && Behaves("NET-05c");
    default:
      return false;
  }
}

bool IsEmptyWatch(const Error& error) {
  return Behaves("NET-05") && RetriesTransport(error, /*watch=*/true);
}

Error ErrorOfAnswer(const BadAnswer& answer, const std::string& body) {
  const MediaType type =
      answer.content_type.empty() ? MediaType{} : ParseMediaType(answer.content_type);
  if (!type.why.empty()) return Unparsable(type.why);
  const bool json = type.type.empty() || type.type == kJson;
  if (json && Behaves("NET-07")) {
    std::optional<Status> said = Status::Parse(body, /*versionless=*/true);
    if (said && said->status == "Failure") {
      Error error;
      error.status = std::move(*said);
      return error;
    }
  }
  const std::string text = TextOf(answer.content_type, body);
  const Generic generic = GenericOf(answer.status, text);
  Error error = Error::Api(answer.status, std::string(generic.reason), generic.message);
  StatusDetails details;
  details.causes.push_back({std::string(kUnexpected), text, ""});
  details.retry_after_seconds =
      static_cast<int>(WholeNumber(answer.retry_after).value_or(0));  // as Go casts to an int32
  error.status.details = std::move(details);
  return error;
}

bool SaysNoStatus(const Error& error) {
  const std::optional<StatusDetails>& details = error.status.details;
  return details && !details->causes.empty() && details->causes[0].reason == kUnexpected;
}

std::optional<Error> WhyUnreadable(std::string_view content_type) {
  if (content_type.empty() || !Behaves("NET-02")) return std::nullopt;
  const MediaType type = ParseMediaType(content_type);
  if (!type.why.empty()) return Unparsable(type.why);
  if (type.type == kJson) return std::nullopt;
  return Error::Net(Transport::kProtocol,
                    fmt::format("serializer for {} doesn't exist", content_type));
}

std::optional<Error> WhyUnreadableWatch(std::string_view content_type) {
  const MediaType type = ParseMediaType(content_type);
  if (type.type.empty() || type.type == kJson || !Behaves("NET-02b")) return std::nullopt;
  return Error::Net(Transport::kProtocol,
                    fmt::format("no stream serializers registered for {}", type.type));
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
