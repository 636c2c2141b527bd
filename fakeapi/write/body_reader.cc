#include "fakeapi/write/body_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/wire/object.h"
#include "fakeapi/api/api_errors.h"
#include "fakeapi/encoding/go_json_error.h"
#include "fakeapi/encoding/json_path.h"
#include "fakeapi/encoding/json_reader.h"
#include "fakeapi/encoding/protobuf.h"
#include "fakeapi/encoding/yaml_codec.h"
#include "fakeapi/objects/kind_rules.h"
#include "fakeapi/objects/object_schema.h"

namespace relist::fakeapi {
namespace {

using nlohmann::ordered_json;

constexpr size_t kSummaryMax = 30;
constexpr size_t kComplaintsMax = 100;

std::string MediaTypeOf(std::string_view header) {
  std::string_view media = header.substr(0, header.find(';'));
  while (!media.empty() && media.back() == ' ') media.remove_suffix(1);
  while (!media.empty() && media.front() == ' ') media.remove_prefix(1);
  std::string lower(media);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
  return lower;
}

// The start of a body for an error: as it is if it could be JSON, in hex if not.
std::string Summary(std::string_view body) {
  if (body.empty()) return "<empty>";
  const std::string_view start = body.substr(0, kSummaryMax);
  std::string shown;
  if (body.front() == '{') {
    shown = start;
  } else {
    for (const char c : start) shown += fmt::format("{:02x}", static_cast<unsigned char>(c));
  }
  return body.size() > kSummaryMax ? shown + " ..." : shown;
}

Error Unrecognized(const ResourceType& resource, const std::string& why, std::string_view body) {
  return BadRequest(fmt::format("the object provided is unrecognized (must be of type {}): {} ({})",
                                resource.kind(), why, Summary(body)));
}

Error NoVersionKind(const ResourceType& resource, const std::string& why, std::string_view body) {
  return Unrecognized(resource, "couldn't get version/kind; json parse error: " + why, body);
}

// Bodies that are JSON, but no object: Go's text for its struct of kind and apiVersion.
std::string NotAnObject(const ordered_json& value) {
  const char* type = value.is_array()     ? "array"
                     : value.is_string()  ? "string"
                     : value.is_boolean() ? "bool"
                                          : "number";
  return fmt::format(
      "json: cannot unmarshal {} into Go value of type struct {{ APIVersion string "
      "\"json:\\\"apiVersion,omitempty\\\"\"; Kind string \"json:\\\"kind,omitempty\\\"\" }}",
      type);
}

// "v1" of "apps/v1".
std::string VersionOf(const std::string& group_version) {
  return group_version.substr(group_version.find('/') + 1);
}

std::string InternalName(const ResourceType& resource) {
  const std::string& group = resource.resource.group;
  return (group.empty() ? "core" : group.substr(0, group.find('.'))) + "." + resource.kind();
}

// Kind and version as the body has them, with the resource's for what it lacks.
struct BodyKind {
  std::string kind, group_version;
};

BodyKind OrOfResource(const ResourceType& resource, BodyKind found) {
  if (found.kind.empty()) found.kind = resource.kind();
  if (found.group_version.empty()) found.group_version = resource.resource.GroupVersion();
  return found;
}

// A body of the right kind, in which something is wrong.
Error CannotBeHandled(const ResourceType& resource, const Error& why) {
  return BadRequest(fmt::format("{} in version {} cannot be handled as a {}: {}", resource.kind(),
                                GoQuote(resource.resource.version), resource.kind(),
                                why.message()));
}

Result<BodyKind> KindOfBody(const ResourceType& resource, const ordered_json& value,
                            std::string_view body) {
  BodyKind found{TextAt(value, "kind"), TextAt(value, "apiVersion")};
  for (const char* field : {"kind", "apiVersion"}) {
    const ordered_json& at = At(value, field);
    if (at.is_string() || at.is_null()) continue;
    return NoVersionKind(resource,
                         fmt::format("json: cannot unmarshal {} into Go struct field .{} of type "
                                     "string",
                                     at.is_object() ? "object" : at.type_name(), field),
                         body);
  }
  return OrOfResource(resource, std::move(found));
}

Result<void> CheckKind(const ResourceType& resource, const BodyKind& found) {
  if (found.kind == resource.kind() && found.group_version == resource.resource.GroupVersion()) {
    return {};
  }
  const std::string version = VersionOf(found.group_version);
  const auto refuse = [&](const std::string& why) {
    return BadRequest(fmt::format("{} in version {} cannot be handled as a {}: {}", found.kind,
                                  GoQuote(version), resource.kind(), why));
  };
  if (FindKind(found.group_version, found.kind) != nullptr) {
    return refuse(fmt::format("converting ({}.{}) to ({}): unknown conversion", version, found.kind,
                              InternalName(resource)));
  }
  return refuse(
      fmt::format("no kind {} is registered for version {} in scheme \"pkg/runtime/scheme.go:110\"",
                  GoQuote(found.kind), GoQuote(found.group_version)));
}

// A body of protobuf says its kind apart from the object, which can be read only as that kind.
Result<JsonDocument> ParseProtobufBody(const ResourceType& resource, const std::string& body) {
  Result<ProtobufBody> read = ReadProtobufBody(body);
  if (!read.ok()) return Unrecognized(resource, read.error().message(), body);
  const BodyKind found =
      OrOfResource(resource, {std::move(read->kind), std::move(read->api_version)});
  if (Result<void> good = CheckKind(resource, found); !good.ok()) return good.error();
  const ProtobufMessage* const message = FindProtobufKind(resource.kind());
  CHECK(message != nullptr, "{} is served and not in the table", resource.kind());
  Result<ordered_json> value = DecodeProtobuf(*message, read->raw);
  if (!value.ok()) return CannotBeHandled(resource, value.error());
  JsonDocument document;
  *document.value = std::move(*value);
  return document;
}

Result<JsonDocument> ParseBody(const ResourceType& resource, const Request& request,
                               BodyMedia media) {
  const std::string& body = request.body;
  if (media == BodyMedia::kProtobuf) return ParseProtobufBody(resource, body);
  if (media == BodyMedia::kJson) {
    if (NestsDeeperThan(body, kJsonDepthMax)) {
      return NoVersionKind(resource, GoJsonError(body).value_or("exceeded max depth"), body);
    }
    Result<JsonDocument> document = ReadJson(body);
    if (!document.ok()) return NoVersionKind(resource, document.error().message(), body);
    return document;
  }
  JsonDocument document;
  Result<ordered_json> value = ReadYaml(body, &document.repeated_yaml);
  if (!value.ok()) return Unrecognized(resource, value.error().message(), body);
  *document.value = std::move(*value);
  return document;
}

// Each once, and no more than Go's decoder gathers.
void AddComplaint(std::string complaint, std::vector<std::string>* found) {
  if (found->size() >= kComplaintsMax) return;
  if (std::find(found->begin(), found->end(), complaint) == found->end()) {
    found->push_back(std::move(complaint));
  }
}

// What a document repeats. Strictly, YAML's lines are one error.
std::vector<std::string> RepeatedIn(const JsonDocument& document, FieldValidation validation) {
  std::vector<std::string> found;
  for (const std::string& path : document.duplicates) {
    AddComplaint("duplicate field " + GoQuote(path), &found);
  }
  if (document.repeated_yaml.empty()) return found;
  if (validation != FieldValidation::kStrict) {
    for (const std::string& line : document.repeated_yaml) AddComplaint(line, &found);
    return found;
  }
  return {fmt::format("yaml: unmarshal errors:\n  {}", fmt::join(document.repeated_yaml, "\n  "))};
}

}  // namespace

Result<BodyMedia> BodyMediaOf(const Request& request) {
  const std::string media = MediaTypeOf(request.Header("Content-Type"));
  if (media.empty() || media == "application/json") return BodyMedia::kJson;
  if (media == "application/yaml") return BodyMedia::kYaml;
  if (media == "application/vnd.kubernetes.protobuf") return BodyMedia::kProtobuf;
  return UnsupportedMediaType(
      "the body of the request was in an unknown format - accepted media types include: "
      "application/json, application/yaml, application/vnd.kubernetes.protobuf");
}

Result<void> ReadObjectBody(const ResourceType& resource, const Request& request,
                            FieldValidation validation, ordered_json* value,
                            std::vector<std::string>* warnings) {
  Result<BodyMedia> media = BodyMediaOf(request);
  if (!media.ok()) return media.error();
  Result<JsonDocument> document = ParseBody(resource, request, *media);
  if (!document.ok()) return document.error();
  *value = std::move(*document->value);
  if (value->is_null()) *value = ordered_json::object();
  if (!value->is_object()) return NoVersionKind(resource, NotAnObject(*value), request.body);
  Result<BodyKind> found = KindOfBody(resource, *value, request.body);
  if (!found.ok()) return found.error();
  if (Result<void> good = CheckKind(resource, *found); !good.ok()) return good.error();
  Result<void> decoded =
      DecodeObject(resource, validation, RepeatedIn(*document, validation), value, warnings);
  if (decoded.ok()) return {};
  return CannotBeHandled(resource, decoded.error());
}

Result<void> DecodeObject(const ResourceType& resource, FieldValidation validation,
                          std::vector<std::string> complaints, ordered_json* value,
                          std::vector<std::string>* warnings) {
  Result<std::vector<std::string>> unknown = FitToSchema(resource, value);
  if (!unknown.ok()) return unknown.error();
  if (validation != FieldValidation::kIgnore) {
    for (const std::string& path : *unknown) {
      AddComplaint("unknown field " + GoQuote(path), &complaints);
    }
    if (validation == FieldValidation::kStrict && !complaints.empty()) {
      return Error::Net(Transport::kProtocol,
                        fmt::format("strict decoding error: {}", fmt::join(complaints, ", ")));
    }
    warnings->insert(warnings->end(), complaints.begin(), complaints.end());
  }
  return DecodeRules(resource, value);
}

}  // namespace relist::fakeapi
