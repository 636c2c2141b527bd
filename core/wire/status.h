// metav1.Status, and the error type of the whole project, which is a Status plus what the transport
// has to say.
//
//   Error e = Error::Api(410, "Expired", "too old resource version: 1 (5)");
//   if (IsExpired(e)) ...
//
// Classification follows client-go (catalogue RFL-12, RFL-13, NET-07). Values: copy freely, no
// thread affinity.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace relist {

struct StatusCause {
  std::string reason;  // "ResourceVersionTooLarge", "FieldValueForbidden"; JSON key "reason"
  std::string message;
  std::string field;  // empty: left out
  bool operator==(const StatusCause&) const = default;
};

struct StatusDetails {
  std::string name, group, kind, uid;  // empty: left out
  std::vector<StatusCause> causes;
  int retry_after_seconds = 0;  // 0: left out
  bool operator==(const StatusDetails&) const = default;
};

struct Status {
  int code = 0;  // HTTP status; 0 in a Success of a delete
  std::string status = "Failure";
  std::string reason;  // "Expired", "NotFound", ...; may be empty
  std::string message;
  std::string continue_token;  // metadata.continue, of an expired page only (SRV-11)
  std::optional<StatusDetails> details;
  bool operator==(const Status&) const = default;

  // One line of JSON in the real server's key order, without a newline.
  std::string ToJson() const;
  // Nothing if `value` is not an object of kind Status (apiVersion v1 or meta.k8s.io/v1).
  static std::optional<Status> FromJson(const nlohmann::json& value);
  // The same, from bytes; nothing if they are not JSON either. `versionless`: one without any
  // apiVersion will do, as in client-go an error's body.
  static std::optional<Status> Parse(std::string_view bytes, bool versionless = false);
};

// How a transport failed, where no server answered.
enum class Transport {
  kNone,           // a server answered: look at `status`
  kRefused,        // connection refused
  kReset,          // RST
  kEof,            // closed before the answer, or "probable EOF" (NET-09)
  kUnexpectedEof,  // closed inside an answer whose framing says that more was to come
  kTimeout,        // a deadline of ours, or of the socket
  kTls,            // handshake or certificate
  kProtocol,       // bytes that are not HTTP, or JSON that is not an object
  kStopped,        // we were asked to stop
  kOther,
};
std::string_view Name(Transport t);

struct Error {
  Transport transport = Transport::kNone;
  Status status;  // for a transport failure: message only

  static Error Api(int code, std::string reason, std::string message);
  static Error Net(Transport transport, std::string message);
  const std::string& message() const { return status.message; }
  bool operator==(const Error&) const = default;
};

bool IsExpired(const Error& e);                  // RFL-12: 410 in any of its clothes
bool IsTooLargeResourceVersion(const Error& e);  // RFL-13
bool IsTooManyRequests(const Error& e);          // code 429, whatever the reason
bool IsInternalError(const Error& e);  // reason InternalError, or code 500 without a reason
bool IsConnectionRefused(const Error& e);
bool IsNotFound(const Error& e);

}  // namespace relist
