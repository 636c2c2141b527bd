#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "fakeapi/control.h"
#include "fakeapi/encoding/json_writer.h"

namespace relist::fakeapi {
namespace {

using nlohmann::ordered_json;
using Type = ControlKey::Type;

constexpr ControlKey kReplicaKey = {"replica", Type::kReplica,
                                    "which one, from 0; left out, each of them"};

ordered_json SchemaOf(const ControlKey& key) {
  ordered_json schema;
  switch (key.type) {
    case Type::kBool:
      schema = {{"type", "boolean"}};
      break;
    case Type::kRevision:
    case Type::kReplica:
      schema = {{"type", "integer"}, {"minimum", 0}};
      break;
    case Type::kDuration:
      schema = {{"type", "string"}, {"pattern", R"(^([0-9]+(\.[0-9]+)?(ms|s|m|h)|0)$)"}};
      break;
    case Type::kName:
      schema = {{"type", "string"}, {"minLength", 1}, {"maxLength", kControlNameBytesMax}};
      break;
    case Type::kList:
      schema = {{"type", "array"}, {"items", {{"type", "object"}}}};
      break;
  }
  schema["description"] = key.about;
  return schema;
}

ordered_json AnswersOf(const ControlEndpoint& endpoint) {
  const bool is_lines = std::string_view(endpoint.name) == "history";
  const char* media = is_lines ? "application/x-ndjson" : "application/json";
  const ordered_json schema = {{"type", is_lines ? "string" : "object"}};
  ordered_json answers;
  answers["200"] = {{"description", "done"}, {"content", {{media, {{"schema", schema}}}}}};
  answers["400"] = {{"description", "a Status that says what is wrong; nothing was done"}};
  answers["401"] = {{"description", "the server has a token, and the request lacks it"}};
  return answers;
}

ordered_json OperationOf(const ControlEndpoint& endpoint) {
  const bool ends = endpoint.method == std::string_view("DELETE");
  const std::string id = fmt::format("{}{}", ends ? "end-" : "", endpoint.name);
  ordered_json operation = {{"operationId", id}, {"summary", endpoint.about}};
  ordered_json properties = ordered_json::object(), required = ordered_json::array();
  for (const ControlKey& key : endpoint.keys) {
    properties[key.name] = SchemaOf(key);
    if (key.required) required.push_back(key.name);
  }
  if (!endpoint.keys.empty()) {
    ordered_json schema = {{"type", "object"}, {"additionalProperties", false}};
    schema["properties"] = std::move(properties);
    const bool needed = !required.empty();
    if (needed) schema["required"] = std::move(required);
    operation["requestBody"] = {{"required", needed},
                                {"content", {{"application/json", {{"schema", schema}}}}}};
  }
  operation["responses"] = AnswersOf(endpoint);
  return operation;
}

}  // namespace

const std::vector<ControlEndpoint>& ControlEndpoints() {
  static const std::vector<ControlEndpoint> kEndpoints = {
      {"compact",
       "POST",
       "etcd's floor moves: what is below cannot be listed any more",
       {{"revision", Type::kRevision,
         "to where; left out, to now. Refused, as etcd refuses it, where it is yet to come or was "
         "compacted before"},
        {"learned", Type::kBool,
         "the caches know, so exact lists and continue tokens from before expire, too"}}},
      {"evict",
       "POST",
       "the watch windows start empty: watches from before expire, open ones go on",
       {kReplicaKey}},
      {"restart",
       "POST",
       "as a restart of the apiserver: watches end, every connection closes, windows and snapshots "
       "are gone. The answer comes before its own connection closes",
       {kReplicaKey,
        {"notReady", Type::kDuration,
         "for so long, a week at most, lists and watches are answered with 429, as while caches "
         "are "
         "filled"}}},
      {"bookmark",
       "POST",
       "every watch that allows bookmarks gets one now; answers how many",
       {kReplicaKey}},
      {"lag",
       "POST",
       "writes come to the caches so much later than they were made",
       {{"lag", Type::kDuration, "how much, a week at most; 0 ends it", true}, kReplicaKey}},
      {"pause", "POST", "writes do not come to the caches, until resume", {kReplicaKey}},
      {"resume", "POST", "what pause held back comes", {kReplicaKey}},
      {"inject",
       "POST",
       "faults, as a scenario has them, from now on; answers how many, and the name by which "
       "messages, the state and DELETE know them",
       {{"faults", Type::kList,
         "as under `faults:` of a scenario; `client` is a User-Agent, and what no right server may "
         "do is allowed",
         true}}},
      {"inject",
       "DELETE",
       "faults that were injected strike no more; answers how many. Requests that one has struck "
       "already stay as they are",
       {{"name", Type::kName, "those of one inject; left out, all"}}},
      {"snapshot",
       "POST",
       "remembers all objects under a name, to be gone back to by reset",
       {{"name", Type::kName, "what it is called; one of that name is replaced", true}}},
      {"reset",
       "POST",
       "empty again, for the next test, or as it was at a snapshot; faults that were injected, "
       "lags, watches and the history end; connections stay",
       {{"snapshot", Type::kName, "its name"}}},
      {"state",
       "GET",
       "revisions, floors, replicas, open watches, snapshots, what is injected",
       {}},
      {"history", "GET", "everything that happened since the start, or the last reset", {}},
      {"openapi.json", "GET", "this description", {}},
  };
  return kEndpoints;
}

std::string ControlOpenApi() {
  ordered_json paths = ordered_json::object();
  for (const ControlEndpoint& endpoint : ControlEndpoints()) {
    std::string method = endpoint.method;
    std::transform(method.begin(), method.end(), method.begin(),
                   [](char c) { return static_cast<char>(c - 'A' + 'a'); });
    paths[fmt::format("/relist/v1/{}", endpoint.name)][method] = OperationOf(endpoint);
  }
  const ordered_json info = {{"title", "Relist: what a test does to the fake apiserver"},
                             {"version", "v1"}};
  return WriteJson({{"openapi", "3.0.3"}, {"info", info}, {"paths", paths}});
}

}  // namespace relist::fakeapi
