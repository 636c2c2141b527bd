#include "core/wire/status.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "core/wire/json_text.h"

namespace relist {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

int Number(const json& from, const char* key) {
  const auto it = from.find(key);
  if (it == from.end() || !it->is_number_integer()) return 0;
  const auto value = it->get<int64_t>();
  return value >= 0 && value <= INT32_MAX ? static_cast<int>(value) : 0;
}

void Put(ordered_json* to, const char* key, const std::string& value) {
  if (!value.empty()) (*to)[key] = value;
}

ordered_json DetailsToJson(const StatusDetails& details) {
  ordered_json out = ordered_json::object();
  Put(&out, "name", details.name);
  Put(&out, "group", details.group);
  Put(&out, "kind", details.kind);
  Put(&out, "uid", details.uid);
  for (const StatusCause& cause : details.causes) {
    ordered_json one = ordered_json::object();
    Put(&one, "reason", cause.reason);
    Put(&one, "message", cause.message);
    Put(&one, "field", cause.field);
    out["causes"].push_back(std::move(one));
  }
  if (details.retry_after_seconds != 0) out["retryAfterSeconds"] = details.retry_after_seconds;
  return out;
}

StatusDetails DetailsFromJson(const json& value) {
  StatusDetails out{TextAt(value, "name"),
                    TextAt(value, "group"),
                    TextAt(value, "kind"),
                    TextAt(value, "uid"),
                    {},
                    0};
  out.retry_after_seconds = Number(value, "retryAfterSeconds");
  if (const auto causes = value.find("causes"); causes != value.end() && causes->is_array()) {
    for (const json& cause : *causes) {
      if (!cause.is_object()) continue;
      out.causes.push_back(
          {TextAt(cause, "reason"), TextAt(cause, "message"), TextAt(cause, "field")});
    }
  }
  return out;
}

// apimachinery's knownReasons: with any other reason the code decides.
bool HasUnknownReason(const Error& e) {
  static constexpr std::array<std::string_view, 18> kKnown = {"Unauthorized",
                                                              "Forbidden",
                                                              "NotFound",
                                                              "AlreadyExists",
                                                              "Conflict",
                                                              "Gone",
                                                              "Invalid",
                                                              "ServerTimeout",
                                                              "Timeout",
                                                              "TooManyRequests",
                                                              "BadRequest",
                                                              "MethodNotAllowed",
                                                              "NotAcceptable",
                                                              "RequestEntityTooLarge",
                                                              "UnsupportedMediaType",
                                                              "InternalError",
                                                              "Expired",
                                                              "ServiceUnavailable"};
  return std::find(kKnown.begin(), kKnown.end(), e.status.reason) == kKnown.end();
}

}  // namespace

std::string Status::ToJson() const {
  ordered_json out = {
      {"kind", "Status"}, {"apiVersion", "v1"}, {"metadata", ordered_json::object()}};
  Put(&out["metadata"], "continue", continue_token);
  Put(&out, "status", status);
  Put(&out, "message", message);
  Put(&out, "reason", reason);
  if (details) out["details"] = DetailsToJson(*details);
  if (code != 0) out["code"] = code;
  return EscapeAsGo(out.dump(-1, ' ', false, ordered_json::error_handler_t::replace));
}

std::optional<Status> Status::FromJson(const json& value) {
  if (!value.is_object() || TextAt(value, "kind") != "Status") return std::nullopt;
  const std::string version = TextAt(value, "apiVersion");
  if (version != "v1" && version != "meta.k8s.io/v1") return std::nullopt;
  Status out;
  out.code = Number(value, "code");
  out.status = TextAt(value, "status");
  out.reason = TextAt(value, "reason");
  out.message = TextAt(value, "message");
  if (const auto meta = value.find("metadata"); meta != value.end() && meta->is_object()) {
    out.continue_token = TextAt(*meta, "continue");
  }
  if (const auto details = value.find("details"); details != value.end() && details->is_object()) {
    out.details = DetailsFromJson(*details);
  }
  return out;
}

std::optional<Status> Status::Parse(std::string_view bytes, bool versionless) {
  if (JsonDepth(bytes) > 100) return std::nullopt;  // a Status nests five levels
  std::string text(bytes);
  json value;
  if (!ParseJson(&text, &value)) return std::nullopt;
  if (versionless && value.is_object() && !value.contains("apiVersion")) value["apiVersion"] = "v1";
  return FromJson(value);
}

std::string_view Name(Transport t) {
  switch (t) {
    case Transport::kNone:
      return "none";
    case Transport::kRefused:
      return "refused";
    case Transport::kReset:
      return "reset";
    case Transport::kEof:
      return "eof";
    case Transport::kUnexpectedEof:
      return "unexpected eof";
    case Transport::kTimeout:
      return "timeout";
    case Transport::kTls:
      return "tls";
    case Transport::kProtocol:
      return "protocol";
    case Transport::kStopped:
      return "stopped";
    case Transport::kOther:
      return "other";
  }
  return "?";
}

Error Error::Api(int code, std::string reason, std::string message) {
  Error e;
  e.status.code = code;
  e.status.reason = std::move(reason);
  e.status.message = std::move(message);
  return e;
}

Error Error::Net(Transport transport, std::string message) {
  Error e;
  e.transport = transport;
  e.status.message = std::move(message);
  return e;
}

bool IsExpired(const Error& e) {
  return e.status.reason == "Expired" || e.status.reason == "Gone" ||
         (HasUnknownReason(e) && e.status.code == 410);
}

bool IsTooLargeResourceVersion(const Error& e) {
  static constexpr std::string_view kText = "Too large resource version";
  if (e.status.details) {
    for (const StatusCause& cause : e.status.details->causes) {
      if (cause.reason == "ResourceVersionTooLarge") return true;
    }
  }
  const bool timeout =
      e.status.reason == "Timeout" || (HasUnknownReason(e) && e.status.code == 504);
  if (!timeout || !e.status.details) return false;
  for (const StatusCause& cause : e.status.details->causes) {
    if (cause.message == kText) return true;
  }
  return e.status.message.find(kText) != std::string::npos;
}

bool IsTooManyRequests(const Error& e) {
  return e.status.code == 429 || e.status.reason == "TooManyRequests";
}

bool IsInternalError(const Error& e) {
  return e.status.reason == "InternalError" || (HasUnknownReason(e) && e.status.code == 500);
}

bool IsConnectionRefused(const Error& e) {
  return e.transport == Transport::kRefused;
}

bool IsNotFound(const Error& e) {
  return e.status.reason == "NotFound" || (HasUnknownReason(e) && e.status.code == 404);
}

bool IsConflict(const Error& e) {
  return e.status.reason == "Conflict" || (HasUnknownReason(e) && e.status.code == 409);
}

bool IsUnauthorized(const Error& e) {
  return e.status.reason == "Unauthorized" || (HasUnknownReason(e) && e.status.code == 401);
}

bool IsForbidden(const Error& e) {
  return e.status.reason == "Forbidden" || (HasUnknownReason(e) && e.status.code == 403);
}

}  // namespace relist
