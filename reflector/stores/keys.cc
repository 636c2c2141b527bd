#include "reflector/stores/keys.h"

#include <fmt/format.h>

#include "reflector/parity_switch.h"

namespace relist {
namespace {

constexpr const char* kKeyError = "KeyError";

}  // namespace

Result<ObjectKey> MetaNamespaceKey(const Object& object) {
  return object.key();
}

KeyFunction KeyFromIndex(std::function<std::vector<std::string>(const Object&)> index) {
  return [index = std::move(index)](const Object& object) -> Result<ObjectKey> {
    const std::vector<std::string> values = index(object);
    if (values.size() > 1) {
      return Error::Net(Transport::kOther,
                        fmt::format("too many keys: {}", fmt::join(values, " ")));
    }
    if (values.empty()) return Error::Net(Transport::kOther, "unexpected empty indexKeys");
    return ObjectKey{"", values.front()};
  };
}

Result<ObjectKey> ParseObjectKey(std::string_view text) {
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos) return ObjectKey{"", std::string(text)};
  if (Behaves("STO-01") && text.find('/', slash + 1) != std::string_view::npos) {
    return Error::Net(Transport::kOther, fmt::format("unexpected key format: \"{}\"", text));
  }
  return ObjectKey{std::string(text.substr(0, slash)), std::string(text.substr(slash + 1))};
}

Result<ObjectKey> KeyOf(const KeyFunction& function, const Object& object) {
  if (!function) return object.key();
  Result<ObjectKey> key = function(object);
  if (!key.ok()) return KeyError(object, key.error());
  return key;
}

Error KeyError(const Object& object, const Error& why) {
  Error error = why;
  error.status.message =
      fmt::format("couldn't create key for object {}: {}", object.key().ToString(), why.message());
  if (!error.status.details) error.status.details.emplace();
  error.status.details->causes.push_back(
      {.reason = kKeyError, .message = why.message(), .field = ""});
  return error;
}

bool IsKeyError(const Error& error) {
  if (!error.status.details) return false;
  for (const StatusCause& cause : error.status.details->causes) {
    if (cause.reason == kKeyError) return true;
  }
  return false;
}

}  // namespace relist
