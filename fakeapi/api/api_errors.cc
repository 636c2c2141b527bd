#include "fakeapi/api/api_errors.h"

#include <fmt/core.h>

#include "core/wire/quote.h"
#include "fakeapi/api/resources.h"

namespace relist::fakeapi {
namespace {

StatusDetails DetailsOf(const ResourceType& resource, const std::string& name) {
  StatusDetails details;
  details.name = name;
  details.group = resource.resource.group;
  details.kind = resource.resource.plural;
  return details;
}

Error About(const ResourceType& resource, const std::string& name, int code, std::string reason,
            std::string message) {
  Error error = Error::Api(code, std::move(reason), std::move(message));
  error.status.details = DetailsOf(resource, name);
  return error;
}

// Statuses that the real server makes from a bare HTTP code carry empty details.
Error Generic(int code, std::string reason, std::string message) {
  Error error = Error::Api(code, std::move(reason), std::move(message));
  error.status.details = StatusDetails{};
  return error;
}

}  // namespace

FieldError FieldError::InvalidValue(std::string field, std::string_view value,
                                    std::string_view why) {
  return {"FieldValueInvalid", std::move(field),
          fmt::format("Invalid value: {}: {}", GoQuote(value), why)};
}

FieldError FieldError::Required(std::string field, std::string_view why) {
  return {"FieldValueRequired", std::move(field), fmt::format("Required value: {}", why)};
}

FieldError FieldError::Forbidden(std::string field, std::string_view why) {
  return {"FieldValueForbidden", std::move(field), fmt::format("Forbidden: {}", why)};
}

FieldError FieldError::NotSupported(std::string field, std::string shown,
                                    std::string_view supported) {
  return {"FieldValueNotSupported", std::move(field),
          fmt::format("Unsupported value: {}: supported values: {}", shown, supported)};
}

FieldError FieldError::TooLong(std::string field, size_t max_bytes) {
  return {"FieldValueTooLong", std::move(field),
          fmt::format("Too long: may not be more than {} bytes", max_bytes)};
}

Error BadRequest(std::string message) {
  return Error::Api(400, "BadRequest", std::move(message));
}

namespace {

// Why no object can have `name`, as the real server's storage says it; "" where one could.
std::string_view WhyNoName(const std::string& name) {
  if (name == ".") return "may not be '.'";
  if (name == "..") return "may not be '..'";
  return name.find('%') == std::string::npos ? "" : "may not contain '%'";
}

}  // namespace

Error NotFound(const ResourceType& resource, const std::string& name) {
  if (const std::string_view why = WhyNoName(name); !why.empty()) {
    return BadRequest(fmt::format("Name parameter invalid: {}: {}", GoQuote(name), why));
  }
  return About(resource, name, 404, "NotFound",
               fmt::format("{} {} not found", resource.resource.GroupResource(), GoQuote(name)));
}

Error NoSuchResource() {
  return Generic(404, "NotFound", "the server could not find the requested resource");
}

Error MethodNotAllowed() {
  return Generic(405, "MethodNotAllowed",
                 "the server does not allow this method on the requested resource");
}

Error AlreadyExists(const ResourceType& resource, const std::string& name, bool is_going) {
  return About(resource, name, 409, "AlreadyExists",
               fmt::format("{}{} {} already exists", is_going ? "object is being deleted: " : "",
                           resource.resource.GroupResource(), GoQuote(name)));
}

Error Conflict(const ResourceType& resource, const std::string& name, const std::string& why) {
  return About(resource, name, 409, "Conflict",
               fmt::format("Operation cannot be fulfilled on {} {}: {}",
                           resource.resource.GroupResource(), GoQuote(name), why));
}

Error ObjectModified(const ResourceType& resource, const std::string& name) {
  return Conflict(resource, name,
                  "the object has been modified; please apply your changes to the latest version "
                  "and try again");
}

Error Forbidden(const ResourceType& resource, const std::string& name, const std::string& why) {
  return About(
      resource, name, 403, "Forbidden",
      fmt::format("{} {} is forbidden: {}", resource.resource.GroupResource(), GoQuote(name), why));
}

Error Invalid(std::string_view kind, std::string_view group, const std::string& name,
              const std::vector<FieldError>& errors) {
  std::string text;
  StatusDetails details;
  details.name = name;
  details.group = group;
  details.kind = kind;
  for (const FieldError& error : errors) {
    if (!text.empty()) text += ", ";
    text += error.field + ": " + error.text;
    details.causes.push_back({error.reason, error.text, error.field});
  }
  if (errors.size() > 1) text = "[" + text + "]";
  const std::string group_kind =
      group.empty() ? std::string(kind) : fmt::format("{}.{}", kind, group);
  Error error = Error::Api(422, "Invalid",
                           fmt::format("{} {} is invalid: {}", group_kind, GoQuote(name), text));
  error.status.details = std::move(details);
  return error;
}

Error UnsupportedMediaType(std::string message) {
  return Error::Api(415, "UnsupportedMediaType", std::move(message));
}

Error RawInternalError(std::string message) {
  return Error::Api(500, "", std::move(message));
}

Error NotImplemented(std::string what) {
  return Error::Api(501, "NotImplemented", std::move(what));
}

std::string GoQuote(std::string_view text) {
  return QuoteText(text, HexCase::kLower);
}

}  // namespace relist::fakeapi
