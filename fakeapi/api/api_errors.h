// The Statuses that the real server's handlers make, with its texts (recordings: chapters crud,
// validation).
//
//   return NotFound(resource, "nope");        // 404 configmaps "nope" not found
//   return Invalid("ConfigMap", "", "a", {FieldError::Required("metadata.name", "name or
//   generateName is required")});
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/wire/status.h"

namespace relist::fakeapi {

struct ResourceType;

// One cause of a 422: field, reason, and the text that follows the field's name.
struct FieldError {
  std::string reason;  // "FieldValueInvalid"
  std::string field;   // "metadata.name"
  std::string text;    // "Invalid value: \"A\": must be ..."

  static FieldError InvalidValue(std::string field, std::string_view value,
                                 std::string_view why);  // value is quoted
  static FieldError Required(std::string field, std::string_view why);
  static FieldError Forbidden(std::string field, std::string_view why);
  static FieldError NotSupported(std::string field, std::string shown, std::string_view supported);
  static FieldError TooLong(std::string field, size_t max_bytes);
};

Error BadRequest(std::string message);  // 400
// 404; 400 where no object can have such a name (".", "..", "a%b").
Error NotFound(const ResourceType& resource, const std::string& name);
Error NoSuchResource();    // 404 "the server could not find ..."
Error MethodNotAllowed();  // 405
// 409. `is_going`: what is in the way was deleted, and is held by its finalizers.
Error AlreadyExists(const ResourceType& resource, const std::string& name, bool is_going = false);
Error Conflict(const ResourceType& resource, const std::string& name,
               const std::string& why);  // 409
Error ObjectModified(const ResourceType& resource,
                     const std::string& name);  // 409 of a stale resourceVersion
Error Forbidden(const ResourceType& resource, const std::string& name,
                const std::string& why);  // 403
// 422: `kind` and `group` of the object, or of the options ("CreateOptions", "meta.k8s.io").
Error Invalid(std::string_view kind, std::string_view group, const std::string& name,
              const std::vector<FieldError>& errors);
Error UnsupportedMediaType(std::string message);  // 415
// 500 without a reason, as raw Go errors come out.
Error RawInternalError(std::string message);
// 501: what is known and not done. `what` is a sentence: "server-side apply is not implemented by
// this server".
Error NotImplemented(std::string what);

// Go's %q for texts: quotes, backslashes and control characters are escaped.
std::string GoQuote(std::string_view text);

}  // namespace relist::fakeapi
