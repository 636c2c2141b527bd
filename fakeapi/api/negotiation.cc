#include "fakeapi/api/negotiation.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <vector>

#include "fakeapi/api/api_errors.h"

namespace relist::fakeapi {
namespace {

constexpr std::string_view kMediaTypes =
    "application/json, application/yaml, application/vnd.kubernetes.protobuf";
constexpr std::string_view kStreamTypes =
    "application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch";

// Without what is not written here, for those who asked for it.
constexpr std::string_view kMediaTypesHere = "application/json, application/yaml";

struct AcceptClause {
  std::string type, subtype;
  double q = 1;
  HeaderList parameters;

  int Wildness() const { return (type == "*" ? 2 : 0) + (subtype == "*" ? 1 : 0); }
  bool Covers(std::string_view subtype_offered) const {
    if (type == "*") return subtype == "*" || subtype == subtype_offered;
    return type == "application" && (subtype == "*" || subtype == subtype_offered);
  }
};

std::string_view TrimmedAccept(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

// Cuts the next part off `rest`.
std::string_view NextPart(std::string_view* rest, char separator) {
  const size_t end = rest->find(separator);
  const std::string_view part = rest->substr(0, end);
  rest->remove_prefix(end == std::string_view::npos ? rest->size() : end + 1);
  return TrimmedAccept(part);
}

AcceptClause ParseClause(std::string_view text) {
  AcceptClause clause;
  const std::string_view media = NextPart(&text, ';');
  const size_t slash = media.find('/');
  clause.type = media.substr(0, slash);
  if (slash != std::string_view::npos) clause.subtype = media.substr(slash + 1);
  if (media == "*") clause.subtype = "*";
  while (!text.empty()) {
    std::string_view parameter = NextPart(&text, ';');
    const std::string name(NextPart(&parameter, '='));
    const std::string value(TrimmedAccept(parameter));
    if (name == "q") {
      clause.q = std::strtod(value.c_str(), nullptr);
    } else {
      clause.parameters.emplace_back(name, value);
    }
  }
  return clause;
}

// Sorted as the real server looks at them: by q, the wilder later, else in the client's order.
std::vector<AcceptClause> ParseAccept(std::string_view accept) {
  std::vector<AcceptClause> clauses;
  if (TrimmedAccept(accept).empty()) accept = "*/*";
  while (!accept.empty()) {
    const std::string_view part = NextPart(&accept, ',');
    if (!part.empty()) clauses.push_back(ParseClause(part));
  }
  std::stable_sort(clauses.begin(), clauses.end(), [](const auto& a, const auto& b) {
    return a.q != b.q ? a.q > b.q : a.Wildness() < b.Wildness();
  });
  return clauses;
}

// The router looks first, at media types alone and without q: none of these is a 406 of its own.
bool RouterAccepts(const std::vector<AcceptClause>& clauses) {
  return std::any_of(clauses.begin(), clauses.end(), [](const AcceptClause& clause) {
    if (clause.type == "*" && clause.subtype == "*") return true;
    return clause.type == "application" && (clause.subtype == "json" || clause.subtype == "yaml" ||
                                            clause.subtype == "vnd.kubernetes.protobuf");
  });
}

Error RouterRefuses(Wanted wanted) {
  const bool is_streamed = wanted == Wanted::kList || wanted == Wanted::kWatch;
  Error error = Error::Api(406, "NotAcceptable",
                           fmt::format("406: Not Acceptable\n\nAvailable representations: {}{}",
                                       kMediaTypes, is_streamed ? ", " : "") +
                               (is_streamed ? std::string(kStreamTypes) : ""));
  error.status.details = StatusDetails{};
  return error;
}

std::optional<Shape> ParseShape(std::string_view name) {
  if (name == "Table") return Shape::kTable;
  if (name == "PartialObjectMetadata") return Shape::kPartialObjectMetadata;
  if (name == "PartialObjectMetadataList") return Shape::kPartialObjectMetadataList;
  return std::nullopt;
}

// What a clause asks for, if this server can do that; nothing sends us on to the next clause.
std::optional<Negotiated> Satisfy(const AcceptClause& clause, Media media, Wanted wanted) {
  Negotiated form;
  form.media = media;
  std::string as, group, version;
  for (const auto& [name, value] : clause.parameters) {
    if (name == "as") as = value;
    if (name == "g") group = value;
    if (name == "v") version = value;
    if (name == "stream" && !value.empty() && (value != "watch" || media == Media::kYaml)) {
      return std::nullopt;
    }
    if (name == "pretty") form.pretty = value == "1";
  }
  if (as.empty() && group.empty() && version.empty()) return form;
  if (wanted == Wanted::kPlain) return std::nullopt;
  const std::optional<Shape> shape = ParseShape(as);
  if (!shape || group != "meta.k8s.io" || (version != "v1" && version != "v1beta1")) {
    return std::nullopt;
  }
  form.shape = *shape;
  form.version = version;
  return form;
}

Error OnlyThese(std::string_view media_types) {
  return Error::Api(406, "NotAcceptable",
                    fmt::format("only the following media types are accepted: {}", media_types));
}

Error WrongShape(std::string_view asked, std::string_view what, std::string_view type) {
  return Error::Api(
      406, "NotAcceptable",
      fmt::format("you requested {}, but the requested object is {} (*{})", asked, what, type));
}

std::shared_ptr<const Status> CheckShape(const Negotiated& form, Wanted wanted,
                                         std::string_view type) {
  if (wanted == Wanted::kList && form.shape == Shape::kPartialObjectMetadata) {
    return std::make_shared<Status>(WrongShape("PartialObjectMetadata", "a list", type).status);
  }
  if (wanted != Wanted::kList && form.shape == Shape::kPartialObjectMetadataList) {
    return std::make_shared<Status>(
        WrongShape("PartialObjectMetadataList", "not a list", type).status);
  }
  return nullptr;
}

std::optional<Negotiated> FirstThatFits(const std::vector<AcceptClause>& clauses, Wanted wanted) {
  for (const AcceptClause& clause : clauses) {
    for (const Media media : {Media::kJson, Media::kYaml}) {
      if (!clause.Covers(media == Media::kJson ? "json" : "yaml")) continue;
      if (std::optional<Negotiated> form = Satisfy(clause, media, wanted)) return form;
    }
  }
  return std::nullopt;
}

}  // namespace

const std::string& Negotiated::content_type() const {
  static const std::string kJsonType = "application/json", kYamlType = "application/yaml";
  return media == Media::kYaml ? kYamlType : kJsonType;
}

Result<Negotiated> Negotiate(std::string_view accept, Wanted wanted, std::string_view object_type) {
  // What nearly every client sends.
  if (accept == "application/json") return Negotiated{};
  const std::vector<AcceptClause> clauses = ParseAccept(accept);
  if (!RouterAccepts(clauses)) return RouterRefuses(wanted);
  const bool protobuf_asked = std::any_of(clauses.begin(), clauses.end(), [](const auto& clause) {
    return clause.subtype == "vnd.kubernetes.protobuf";
  });
  std::optional<Negotiated> form = FirstThatFits(clauses, wanted);
  if (!form) return OnlyThese(protobuf_asked ? kMediaTypesHere : kMediaTypes);
  form->refusal = CheckShape(*form, wanted, object_type);
  if (wanted == Wanted::kWatch && form->media == Media::kYaml) {
    form->refusal = std::make_shared<Status>(OnlyThese(kStreamTypes).status);
  }
  const std::optional<Negotiated> plain = FirstThatFits(clauses, Wanted::kPlain);
  form->error_media = plain ? plain->media : Media::kJson;
  form->error_raw = !plain;
  return std::move(*form);
}

Negotiated NotNegotiated(std::string_view accept) {
  Negotiated form = FirstThatFits(ParseAccept(accept), Wanted::kPlain).value_or(Negotiated());
  form.error_media = form.media;
  form.raw = !FirstThatFits(ParseAccept(accept), Wanted::kPlain);
  return form;
}

bool WantsPretty(const HeaderList& query, std::string_view user_agent) {
  if (const std::string_view asked = QueryValue(query, "pretty"); !asked.empty()) {
    // Go's ParseBool.
    for (const std::string_view yes : {"1", "t", "T", "true", "TRUE", "True"}) {
      if (asked == yes) return true;
    }
    return false;
  }
  return user_agent.starts_with("curl") || user_agent.starts_with("Wget") ||
         user_agent.starts_with("Mozilla/5.0");
}

Result<IncludeObject> ParseIncludeObject(std::string_view text) {
  if (text.empty() || text == "Metadata") return IncludeObject::kMetadata;
  if (text == "None") return IncludeObject::kNone;
  if (text == "Object") return IncludeObject::kObject;
  return BadRequest(
      fmt::format("Unable to convert to Table as requested: includeObject: Invalid value: {}: must "
                  "be 'Metadata', 'Object', 'None', or empty",
                  GoQuote(text)));
}

std::string_view QueryValue(const HeaderList& query, std::string_view name) {
  for (const auto& [key, value] : query) {
    if (key == name) return value;
  }
  return {};
}

bool HasQuery(const HeaderList& query, std::string_view name) {
  return std::any_of(query.begin(), query.end(),
                     [&](const auto& parameter) { return parameter.first == name; });
}

}  // namespace relist::fakeapi
