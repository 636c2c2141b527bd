#include "fakeapi/answer/discovery.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "fakeapi/answer/representation.h"
#include "fakeapi/api/api_errors.h"
#include "fakeapi/api/negotiation.h"
#include "fakeapi/api/resources.h"

namespace relist::fakeapi {
namespace {

using nlohmann::ordered_json;

// The version whose behaviour is served.
constexpr const char* kServedMinor = "37";
constexpr const char* kServedVersion = "v1.37.2+relist";

// Groups besides the core one, each with its one version, in order of AllResources.
std::vector<std::string> Groups() {
  std::vector<std::string> groups;
  for (const ResourceType* type : AllResources()) {
    const std::string& group = type->resource.group;
    if (!group.empty() && (groups.empty() || groups.back() != group)) groups.push_back(group);
  }
  return groups;
}

std::vector<const ResourceType*> ResourcesOf(std::string_view group) {
  std::vector<const ResourceType*> types;
  for (const ResourceType* type : AllResources()) {
    if (type->resource.group == group) types.push_back(type);
  }
  return types;
}

ordered_json GroupVersionJson(const std::string& group) {
  return {{"groupVersion", group + "/v1"}, {"version", "v1"}};
}

ordered_json GroupJson(const std::string& group) {
  return {{"name", group},
          {"versions", ordered_json::array({GroupVersionJson(group)})},
          {"preferredVersion", GroupVersionJson(group)}};
}

ordered_json GroupDocument(const std::string& group) {
  ordered_json document = {{"kind", "APIGroup"}, {"apiVersion", "v1"}};
  document.update(GroupJson(group));
  return document;
}

ordered_json GroupList() {
  ordered_json groups = ordered_json::array();
  for (const std::string& group : Groups()) groups.push_back(GroupJson(group));
  return {{"kind", "APIGroupList"}, {"apiVersion", "v1"}, {"groups", std::move(groups)}};
}

void AppendResource(const ResourceType& type, ordered_json* resources) {
  ordered_json one = {{"name", type.resource.plural},
                      {"singularName", type.singular},
                      {"namespaced", type.namespaced()},
                      {"kind", type.kind()},
                      {"verbs", type.verbs}};
  if (!type.short_names.empty()) one["shortNames"] = type.short_names;
  if (!type.categories.empty()) one["categories"] = type.categories;
  if (!type.storage_version_hash.empty()) one["storageVersionHash"] = type.storage_version_hash;
  resources->push_back(std::move(one));
  for (const Subresource& sub : type.subresources) {
    ordered_json part = {{"name", type.resource.plural + "/" + sub.name},
                         {"singularName", ""},
                         {"namespaced", type.namespaced()}};
    if (!sub.group.empty()) part["group"] = sub.group;
    if (!sub.version.empty()) part["version"] = sub.version;
    part["kind"] = sub.kind;
    part["verbs"] = sub.verbs;
    resources->push_back(std::move(part));
  }
}

ordered_json ResourceList(const std::string& group) {
  ordered_json resources = ordered_json::array();
  for (const ResourceType* type : ResourcesOf(group)) AppendResource(*type, &resources);
  ordered_json list = {{"kind", "APIResourceList"}};
  // The core group's list is older than this field.
  if (!group.empty()) list["apiVersion"] = "v1";
  list["groupVersion"] = group.empty() ? "v1" : group + "/v1";
  list["resources"] = std::move(resources);
  return list;
}

ordered_json ResponseKind(const std::string& group, const std::string& version,
                          const std::string& kind) {
  return {{"group", group}, {"version", version}, {"kind", kind}};
}

ordered_json AggregatedResource(const ResourceType& type) {
  ordered_json one = {{"resource", type.resource.plural},
                      {"responseKind", ResponseKind("", "", type.kind())},
                      {"scope", type.namespaced() ? "Namespaced" : "Cluster"},
                      {"singularResource", type.singular},
                      {"verbs", type.verbs}};
  if (!type.short_names.empty()) one["shortNames"] = type.short_names;
  if (!type.categories.empty()) one["categories"] = type.categories;
  for (const Subresource& sub : type.subresources) {
    one["subresources"].push_back({{"subresource", sub.name},
                                   {"responseKind", ResponseKind(sub.group, sub.version, sub.kind)},
                                   {"verbs", sub.verbs}});
  }
  return one;
}

ordered_json AggregatedGroup(const std::string& group) {
  ordered_json resources = ordered_json::array();
  for (const ResourceType* type : ResourcesOf(group)) {
    resources.push_back(AggregatedResource(*type));
  }
  ordered_json metadata = ordered_json::object();
  if (!group.empty()) metadata["name"] = group;
  ordered_json version = {
      {"version", "v1"}, {"resources", std::move(resources)}, {"freshness", "Current"}};
  return {{"metadata", std::move(metadata)},
          {"versions", ordered_json::array({std::move(version)})}};
}

// "v2" or "v2beta1" where the client would rather have everything at once, "" where not.
std::string AggregatedVersion(std::string_view accept) {
  while (!accept.empty()) {
    const std::string_view clause = accept.substr(0, accept.find(','));
    accept.remove_prefix(std::min(clause.size() + 1, accept.size()));
    if (clause.find("application/json") == std::string_view::npos) continue;
    if (clause.find("as=APIGroupDiscoveryList") == std::string_view::npos) return "";
    if (clause.find("v=v2beta1") != std::string_view::npos) return "v2beta1";
    if (clause.find("v=v2") != std::string_view::npos) return "v2";
  }
  return "";
}

Response Aggregated(const std::string& version, const std::vector<std::string>& groups) {
  ordered_json items = ordered_json::array();
  for (const std::string& group : groups) items.push_back(AggregatedGroup(group));
  const ordered_json document = {{"kind", "APIGroupDiscoveryList"},
                                 {"apiVersion", "apidiscovery.k8s.io/" + version},
                                 {"metadata", ordered_json::object()},
                                 {"items", std::move(items)}};
  Response response = RenderJson(200, document.dump(), {});
  response.headers = {{"Content-Type", fmt::format("application/json;g=apidiscovery.k8s.io;v={};as="
                                                   "APIGroupDiscoveryList",
                                                   version)},
                      {"Cache-Control", "public"},
                      {"Vary", "Accept"}};
  return response;
}

ordered_json Versions(std::string_view host) {
  const ordered_json address = {{"clientCIDR", "0.0.0.0/0"},
                                {"serverAddress", host.empty() ? "127.0.0.1" : std::string(host)}};
  return {{"kind", "APIVersions"},
          {"versions", {"v1"}},
          {"serverAddressByClientCIDRs", ordered_json::array({address})}};
}

ordered_json ServerVersion() {
  return {{"major", "1"},        {"minor", kServedMinor},   {"gitVersion", kServedVersion},
          {"gitCommit", ""},     {"gitTreeState", "clean"}, {"buildDate", "1970-01-01T00:00:00Z"},
          {"goVersion", "none"}, {"compiler", "g++"},       {"platform", "linux/amd64"}};
}

ordered_json Paths() {
  ordered_json paths = {"/api", "/api/v1", "/apis"};
  for (const std::string& group : Groups()) {
    paths.push_back("/apis/" + group);
    paths.push_back("/apis/" + group + "/v1");
  }
  for (const char* path : {"/healthz", "/livez", "/openapi/v2", "/readyz", "/version"}) {
    paths.push_back(path);
  }
  return {{"paths", std::move(paths)}};
}

// What is answered as it is, without negotiation.
std::optional<Response> PlainAnswer(std::string_view path) {
  Negotiated raw;
  raw.raw = true;
  if (path == "/version") return RenderJson(200, ServerVersion().dump(), raw);
  if (path == "/") return RenderJson(200, Paths().dump(), raw);
  if (path == "/openapi/v2") {
    // kubectl create reads it as protobuf; nothing at all is a document without schemas.
    Response empty;
    empty.headers = {
        {"Content-Type", "application/com.github.proto-openapi.spec.v2.v1.0+protobuf"}};
    return empty;
  }
  return std::nullopt;
}

std::optional<ordered_json> Document(std::string_view path, std::string_view host) {
  if (path == "/api") return Versions(host);
  if (path == "/api/v1") return ResourceList("");
  if (path == "/apis") return GroupList();
  for (const std::string& group : Groups()) {
    if (path == "/apis/" + group) return GroupDocument(group);
    if (path == "/apis/" + group + "/v1") return ResourceList(group);
  }
  return std::nullopt;
}

// Those that the real server routes by verb; the others take any method.
bool IsForGetAlone(std::string_view path) {
  return path == "/version" || path == "/api" || path.ends_with("/v1");
}

}  // namespace

std::optional<Response> AnswerDiscovery(std::string_view path, const HeaderList& query,
                                        const Request& request) {
  // What is below a group may have slashes at its end, /apis one.
  const std::string_view asked = path;
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  if (path == "/" || path == "/openapi/v2") path = asked;
  if (path == "/apis" && asked.size() > path.size() + 1) return std::nullopt;
  std::optional<Response> plain = PlainAnswer(path);
  std::optional<ordered_json> document;
  if (!plain) document = Document(path, request.Header("Host"));
  if (!plain && !document) return std::nullopt;
  if (IsForGetAlone(path) && request.method != "GET") {
    return RenderStatus(MethodNotAllowed().status, {});
  }
  if (plain) return plain;
  const std::string_view accept = request.Header("Accept");
  if (path == "/api" || path == "/apis") {
    if (const std::string version = AggregatedVersion(accept); !version.empty()) {
      return Aggregated(version, path == "/api" ? std::vector<std::string>{""} : Groups());
    }
  }
  Result<Negotiated> form = Negotiate(accept, Wanted::kPlain);
  if (!form.ok()) return RenderStatus(form.error().status, NotNegotiated(accept));
  form->pretty |= WantsPretty(query, request.Header("User-Agent"));
  return RenderJson(200, document->dump(), *form);
}

}  // namespace relist::fakeapi
