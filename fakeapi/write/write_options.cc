#include "fakeapi/write/write_options.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "core/wire/object.h"
#include "fakeapi/api/api_errors.h"
#include "fakeapi/api/go_number.h"
#include "fakeapi/api/negotiation.h"
#include "fakeapi/encoding/json_path.h"
#include "fakeapi/encoding/json_reader.h"
#include "fakeapi/encoding/protobuf.h"
#include "fakeapi/encoding/yaml_codec.h"
#include "fakeapi/write/body_reader.h"

namespace relist::fakeapi {
namespace {

using nlohmann::ordered_json;

constexpr int kOptionsDepthMax = 100;

// dryRun may be given more than once; only All is known.
Result<bool> ParseDryRun(const std::vector<std::string>& values, std::string_view kind) {
  for (const std::string& value : values) {
    if (value == "All") continue;
    std::string shown;
    for (const std::string& one : values) shown += (shown.empty() ? "" : ", ") + GoQuote(one);
    return Invalid(kind, "meta.k8s.io", "",
                   {FieldError::NotSupported("dryRun", "[" + shown + "]", "\"All\"")});
  }
  return !values.empty();
}

std::vector<std::string> QueryValues(const HeaderList& query, std::string_view name) {
  std::vector<std::string> values;
  for (const auto& [key, value] : query) {
    if (key == name && !value.empty()) values.push_back(value);
  }
  return values;
}

Result<FieldValidation> ParseFieldValidation(std::string_view text, std::string_view kind) {
  if (text.empty() || text == "Warn") return FieldValidation::kWarn;
  if (text == "Strict") return FieldValidation::kStrict;
  if (text == "Ignore") return FieldValidation::kIgnore;
  return Invalid(kind, "meta.k8s.io", "",
                 {FieldError::NotSupported("fieldValidation", GoQuote(text),
                                           R"("", "Ignore", "Strict", "Warn")")});
}

Result<Propagation> ParsePropagation(const std::string& text) {
  if (text == "Background") return Propagation::kBackground;
  if (text == "Foreground") return Propagation::kForeground;
  if (text == "Orphan") return Propagation::kOrphan;
  return Invalid("DeleteOptions", "meta.k8s.io", "",
                 {FieldError::NotSupported("propagationPolicy", GoQuote(text),
                                           R"("Foreground", "Background", "Orphan", "nil")")});
}

// The old field and the new one, which may not both be set.
Result<void> SetPropagation(std::optional<bool> orphan, const std::string& policy,
                            DeleteOptions* options) {
  if (!policy.empty()) {
    Result<Propagation> parsed = ParsePropagation(policy);
    if (!parsed.ok()) return parsed.error();
    options->propagation = *parsed;
  }
  if (!orphan) return {};
  if (!policy.empty()) {
    return Invalid("DeleteOptions", "meta.k8s.io", "",
                   {FieldError::InvalidValue("propagationPolicy", policy,
                                             "orphanDependents and deletionPropagation cannot be "
                                             "both set")});
  }
  options->propagation = *orphan ? Propagation::kOrphan : Propagation::kBackground;
  options->orphan_dependents_false = !*orphan;
  return {};
}

Result<DeleteOptions> DeleteOptionsOfQuery(const HeaderList& query) {
  DeleteOptions options;
  if (const std::string text(QueryValue(query, "gracePeriodSeconds")); !text.empty()) {
    int64_t seconds = 0;
    const GoNumber verdict = ParseGoInt(text, &seconds);
    if (verdict != GoNumber::kGood) return BadRequest(GoNumberText("ParseInt", text, verdict));
    options.grace_period_seconds = seconds;
  }
  std::optional<bool> orphan;
  if (HasQuery(query, "orphanDependents")) {
    const std::string_view text = QueryValue(query, "orphanDependents");
    orphan = text != "false" && text != "0";
  }
  const std::string policy(QueryValue(query, "propagationPolicy"));
  if (Result<void> set = SetPropagation(orphan, policy, &options); !set.ok()) return set.error();
  Result<bool> dry = ParseDryRun(QueryValues(query, "dryRun"), "DeleteOptions");
  if (!dry.ok()) return dry.error();
  options.dry_run = *dry;
  return options;
}

// As JSON would say it; what is of another kind is not decoded, but named, to be refused.
Result<ordered_json> ReadProtobufOptions(const std::string& body) {
  Result<ProtobufBody> read = ReadProtobufBody(body);
  if (!read.ok()) return BadRequest(read.error().message());
  ordered_json value = ordered_json::object();
  if (read->kind.empty() || read->kind == "DeleteOptions") {
    Result<ordered_json> decoded = DecodeProtobuf(*FindProtobufKind("DeleteOptions"), read->raw);
    if (!decoded.ok()) return BadRequest(decoded.error().message());
    value = std::move(*decoded);
  }
  value["kind"] = std::move(read->kind);
  value["apiVersion"] = std::move(read->api_version);
  return value;
}

Result<ordered_json> ReadOptionsBody(const Request& request) {
  Result<BodyMedia> media = BodyMediaOf(request);
  if (!media.ok()) return media.error();
  if (*media == BodyMedia::kProtobuf) return ReadProtobufOptions(request.body);
  if (JsonDepth(request.body) > kOptionsDepthMax) return BadRequest("exceeded max depth");
  if (*media == BodyMedia::kYaml) {
    std::vector<std::string> repeated;  // nobody is told
    Result<ordered_json> value = ReadYaml(request.body, &repeated);
    return value.ok() ? std::move(value) : BadRequest(value.error().message());
  }
  Result<JsonDocument> document = ReadJson(request.body);
  if (!document.ok()) {
    return BadRequest("couldn't get version/kind; json parse error: " + document.error().message());
  }
  return std::move(*document->value);
}

bool IsDeleteOptions(const std::string& kind, const std::string& api_version) {
  if (kind != "DeleteOptions") return false;
  if (api_version == "v1" || api_version == "meta.k8s.io/v1") return true;
  for (const ResourceType* type : AllResources()) {
    if (type->resource.GroupVersion() == api_version) return true;
  }
  return false;
}

Result<DeleteOptions> DeleteOptionsOfBody(const ordered_json& body) {
  if (!body.is_object()) {
    return BadRequest("couldn't get version/kind; json parse error: json: the body is no object");
  }
  std::string kind = TextAt(body, "kind"), api_version = TextAt(body, "apiVersion");
  if (kind.empty()) kind = "DeleteOptions";
  if (api_version.empty()) api_version = "v1";
  if (!IsDeleteOptions(kind, api_version)) {
    return BadRequest(
        fmt::format("no kind {} is registered for version {} in scheme "
                    "\"pkg/runtime/scheme.go:110\"",
                    GoQuote(kind), GoQuote(api_version)));
  }
  DeleteOptions options;
  if (const ordered_json& grace = At(body, "gracePeriodSeconds"); grace.is_number_integer()) {
    options.grace_period_seconds = grace.get<int64_t>();
  } else if (!grace.is_null()) {
    return BadRequest(
        "json: cannot unmarshal into Go struct field DeleteOptions.gracePeriodSeconds of type "
        "int64");
  }
  if (const ordered_json& uid = At(body, "preconditions.uid"); uid.is_string()) {
    options.uid = uid.get<std::string>();
  }
  if (const ordered_json& rv = At(body, "preconditions.resourceVersion"); rv.is_string()) {
    options.resource_version = rv.get<std::string>();
  }
  std::optional<bool> orphan;
  if (const ordered_json& flag = At(body, "orphanDependents"); flag.is_boolean()) {
    orphan = flag.get<bool>();
  }
  if (Result<void> set = SetPropagation(orphan, TextAt(body, "propagationPolicy"), &options);
      !set.ok()) {
    return set.error();
  }
  std::vector<std::string> dry_runs;
  for (const ordered_json& one : ItemsAt(body, "dryRun")) {
    dry_runs.push_back(one.is_string() ? one.get<std::string>() : one.dump());
  }
  Result<bool> dry = ParseDryRun(dry_runs, "DeleteOptions");
  if (!dry.ok()) return dry.error();
  options.dry_run = *dry;
  return options;
}

}  // namespace

Result<WriteOptions> ParseWriteOptions(std::string_view kind, const HeaderList& query) {
  WriteOptions options;
  Result<bool> dry = ParseDryRun(QueryValues(query, "dryRun"), kind);
  if (!dry.ok()) return dry.error();
  options.dry_run = *dry;
  Result<FieldValidation> validation =
      ParseFieldValidation(QueryValue(query, "fieldValidation"), kind);
  if (!validation.ok()) return validation.error();
  options.validation = *validation;
  return options;
}

Result<DeleteOptions> ParseDeleteOptions(const Request& request, const HeaderList& query) {
  if (request.body.empty()) return DeleteOptionsOfQuery(query);
  Result<ordered_json> body = ReadOptionsBody(request);
  if (!body.ok()) return body.error();
  return DeleteOptionsOfBody(*body);
}

}  // namespace relist::fakeapi
