#include "fakeapi/control.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/duration.h"
#include "core/wire/object.h"
#include "fakeapi/answer/representation.h"
#include "fakeapi/api/api_errors.h"
#include "fakeapi/encoding/json_reader.h"
#include "fakeapi/encoding/json_writer.h"

namespace relist::fakeapi {

using nlohmann::ordered_json;

// What a body says. Keys of an endpoint that has others are never set.
struct ControlHandler::Asked {
  bool learned = false;
  std::optional<uint64_t> revision;  // none: now
  WhichReplica replica;
  Duration length{};  // lag, notReady
  std::string name;   // name, snapshot
};

namespace {

constexpr std::string_view kRoot = "/relist/v1/";
// Of a body: what an inject says is judged by whoever takes it.
constexpr int kBodyDepthMax = 12;

Response Refuse(const Error& error) {
  return RenderStatus(error.status, Negotiated());
}

// "POST or DELETE"; "" where there is no such name.
std::string MethodsOf(std::string_view name) {
  std::string methods;
  for (const ControlEndpoint& one : ControlEndpoints()) {
    if (one.name == name) methods += (methods.empty() ? "" : " or ") + std::string(one.method);
  }
  return methods;
}

const ControlEndpoint* FindEndpoint(std::string_view name, std::string_view method) {
  const auto& all = ControlEndpoints();
  const auto at = std::find_if(all.begin(), all.end(), [&](const ControlEndpoint& one) {
    return one.name == name && one.method == method;
  });
  return at == all.end() ? nullptr : &*at;
}

std::string WhatThereIs() {
  std::string all;
  for (const std::string_view method : {"POST", "DELETE", "GET"}) {
    const char* before = all.empty() ? "" : "; ";
    all += fmt::format("{}{}", before, method);
    before = " ";
    for (const ControlEndpoint& endpoint : ControlEndpoints()) {
      if (endpoint.method != method) continue;
      all += fmt::format("{}{}", before, endpoint.name);
      before = ", ";
    }
  }
  return all;
}

bool IsName(const ordered_json& value) {
  if (!value.is_string()) return false;
  const std::string& name = value.get_ref<const std::string&>();
  return name.size() <= kControlNameBytesMax &&
         name.find_first_not_of(" \t\r\n") != std::string::npos;
}

std::string KeysOf(const ControlEndpoint& endpoint) {
  if (endpoint.keys.empty()) return "the body is empty or {}";
  std::string keys;
  for (const ControlKey& key : endpoint.keys) {
    keys += fmt::format("{}{}", keys.empty() ? "there are " : ", ", GoQuote(key.name));
  }
  return keys;
}

// "" where the value is right.
std::string FlawInValue(const ControlKey& key, const ordered_json& value, size_t replicas,
                        Duration* length) {
  switch (key.type) {
    case ControlKey::Type::kBool:
      return value.is_boolean() ? "" : "is true or false";
    case ControlKey::Type::kRevision:
      return value.is_number_unsigned() ? "" : "is a whole number, not negative and without quotes";
    case ControlKey::Type::kReplica:
      if (value.is_number_unsigned() && value.get<uint64_t>() < replicas) return "";
      return fmt::format("is the number of a replica, from 0 to {}", replicas - 1);
    case ControlKey::Type::kName:
      if (IsName(value)) return "";
      return fmt::format("is a name: text in quotes, not blank, {} bytes at most",
                         kControlNameBytesMax);
    case ControlKey::Type::kList:
      return value.is_array() ? "" : "is a list";
    case ControlKey::Type::kDuration:
      break;
  }
  if (!value.is_string()) return R"(is a length of time in quotes, such as "1500ms")";
  const Result<Duration> parsed = ParseDurationUpToAWeek(value.get_ref<const std::string&>());
  if (!parsed.ok()) return parsed.error().message();
  *length = *parsed;
  return "";
}

// etcd's own refusals. What was compacted can still be learned of.
Result<void> CheckRevision(std::optional<uint64_t> wanted, bool learned, uint64_t compacted,
                           uint64_t newest) {
  if (!wanted) return {};
  if (*wanted > newest) {
    return BadRequest(
        fmt::format("compact: {}: mvcc: required revision is a future revision (the newest is {})",
                    *wanted, newest));
  }
  if (*wanted < compacted || (*wanted == compacted && !learned)) {
    return BadRequest(fmt::format(
        "compact: {}: mvcc: required revision has been compacted (up to {})", *wanted, compacted));
  }
  return {};
}

}  // namespace

// An unknown key is an error: a misspelt "learned" would quietly do less.
Result<ControlHandler::Asked> ControlHandler::ReadBody(const ControlEndpoint& endpoint,
                                                       const std::string& text) const {
  const auto refuse = [&endpoint](const std::string& why) {
    return BadRequest(fmt::format("{}: {}", endpoint.name, why));
  };
  const bool is_empty = text.find_first_not_of(" \t\r\n") == std::string::npos;
  if (JsonDepth(text) > kBodyDepthMax) return refuse("the body nests too deep");
  const Result<JsonDocument> document = ReadJson(is_empty ? "{}" : text);
  if (!document.ok()) return refuse(document.error().message());
  const ordered_json& value = *document->value;
  if (!value.is_object()) return refuse("the body is not an object");
  if (!document->duplicates.empty()) {
    return refuse(fmt::format("{} comes twice", GoQuote(document->duplicates.front())));
  }
  Asked asked;
  for (const auto& [name, part] : value.get_ref<const ordered_json::object_t&>()) {
    const auto key =
        std::find_if(endpoint.keys.begin(), endpoint.keys.end(),
                     [&wanted = name](const ControlKey& one) { return one.name == wanted; });
    if (key == endpoint.keys.end()) {
      return refuse(fmt::format("{} is not known; {}", GoQuote(name), KeysOf(endpoint)));
    }
    const std::string flaw = FlawInValue(*key, part, server_.replicas(), &asked.length);
    if (!flaw.empty()) return refuse(fmt::format("{} {}", GoQuote(name), flaw));
    if (key->type == ControlKey::Type::kBool) asked.learned = part.get<bool>();
    if (key->type == ControlKey::Type::kRevision) asked.revision = part.get<uint64_t>();
    if (key->type == ControlKey::Type::kReplica) asked.replica = part.get<size_t>();
    if (key->type == ControlKey::Type::kName) asked.name = part.get<std::string>();
  }
  for (const ControlKey& key : endpoint.keys) {
    if (!key.required || value.contains(key.name)) continue;
    return refuse(fmt::format("{} is missing: {}", GoQuote(key.name), key.about));
  }
  return asked;
}

Reply ControlHandler::Handle(const Request& request, TimePoint received, TimePoint now) {
  const std::string_view target = request.target;
  if (!target.starts_with(kRoot)) return front_.Handle(request, received, now);
  server_.Tick(now);
  if (!server_.IsAuthorized(request)) {
    return Refuse(Error::Api(401, "Unauthorized", "Unauthorized"));
  }
  const std::string_view path = target.substr(0, target.find('?'));
  Response response = Control(request, path.substr(kRoot.size()), now);
  response.chunked = response.BodySize() > kChunkedOver;
  return response;
}

Response ControlHandler::Control(const Request& request, std::string_view name, TimePoint now) {
  const std::string methods = MethodsOf(name);
  if (methods.empty()) {
    return Refuse(Error::Api(
        404, "NotFound",
        fmt::format("{}{} is no control endpoint; there are: {}", kRoot, name, WhatThereIs())));
  }
  const ControlEndpoint* endpoint = FindEndpoint(name, request.method);
  if (endpoint == nullptr) {
    return Refuse(
        Error::Api(405, "MethodNotAllowed",
                   fmt::format("{}{} wants {}, not {}", kRoot, name, methods, request.method)));
  }
  if (request.target.find('?') != std::string::npos) {
    return Refuse(BadRequest(fmt::format("{}{} takes no parameters", kRoot, name)));
  }
  if (endpoint->method == std::string_view("GET")) return Read(name, now);
  const Result<Asked> asked = ReadBody(*endpoint, request.body);
  if (!asked.ok()) return Refuse(asked.error());
  const Result<std::string> more = Do(*endpoint, *asked, request.body, now);
  if (!more.ok()) return Refuse(more.error());
  return RenderJson(
      200, fmt::format(R"({{"action":"{}","revision":"{}"{}}})", name, server_.revision(), *more),
      Negotiated());
}

Response ControlHandler::Read(std::string_view name, TimePoint now) const {
  if (name == "state") return RenderJson(200, StateText(now), Negotiated());
  if (name == "openapi.json") return RenderJson(200, ControlOpenApi(), Negotiated());
  if (options_.history == nullptr) {
    return Refuse(Error::Api(404, "NotFound", "no history is kept: --history none"));
  }
  Response response;
  response.headers.emplace_back("Content-Type", "application/x-ndjson");
  response.body.push_back(Slice::Own(options_.history->Head() + options_.history->ToText()));
  return response;
}

std::string ControlHandler::StateText(TimePoint now) const {
  std::string text = server_.StateJson(now);
  if (!options_.injected) return text;
  ordered_json all = ordered_json::array();
  for (const Injected& one : options_.injected()) {
    all.push_back({{"name", one.name}, {"faults", one.faults}});
  }
  const size_t end = text.find_last_of('}');
  return text.insert(end, fmt::format(R"(,"injected":{})", WriteJson(all)));
}

// What the answer says beside action and revision.
Result<std::string> ControlHandler::Do(const ControlEndpoint& endpoint, const Asked& asked,
                                       const std::string& body, TimePoint now) {
  const std::string_view name = endpoint.name;
  if (name == "compact") {
    const Result<void> good = CheckRevision(asked.revision, asked.learned,
                                            server_.compacted_revision(), server_.revision());
    if (!good.ok()) return good.error();
    server_.Compact(now, asked.revision.value_or(server_.revision()), asked.learned);
  } else if (name == "evict") {
    server_.Evict(now, asked.replica);
  } else if (name == "restart") {
    server_.Restart(now, asked.replica, asked.length);
  } else if (name == "bookmark") {
    return fmt::format(R"(,"watches":{})", server_.Bookmark(now, asked.replica));
  } else if (name == "lag") {
    server_.SetLag(now, asked.length, asked.replica);
  } else if (name == "pause") {
    server_.Pause(now, asked.replica);
  } else if (name == "resume") {
    server_.Resume(now, asked.replica);
  } else if (name == "snapshot") {
    return fmt::format(R"(,"objects":{})", server_.SaveAs(now, asked.name));
  } else if (name == "inject") {
    return endpoint.method == std::string_view("DELETE") ? EndInjected(asked.name) : Inject(body);
  } else {
    return Reset(asked.name, now);
  }
  return std::string();
}

Result<std::string> ControlHandler::Inject(const std::string& body) {
  if (!options_.inject) return NotImplemented("no faults can be injected into this server");
  const Result<Injected> injected = options_.inject(body);
  if (!injected.ok()) return BadRequest(injected.error().message());
  return fmt::format(R"(,"faults":{},"name":"{}")", injected->faults, injected->name);
}

Result<std::string> ControlHandler::EndInjected(const std::string& name) {
  if (!options_.end_injected) return NotImplemented("no faults can be injected into this server");
  const Result<int> ended = options_.end_injected(name);
  if (!ended.ok()) return BadRequest(ended.error().message());
  return fmt::format(R"(,"ended":{})", *ended);
}

Result<std::string> ControlHandler::Reset(const std::string& snapshot, TimePoint now) {
  if (!snapshot.empty() && !server_.HasSaved(snapshot)) {
    return BadRequest(fmt::format("reset: there is no snapshot {}", GoQuote(snapshot)));
  }
  if (options_.before_reset) options_.before_reset();
  if (options_.history != nullptr) options_.history->Clear();
  server_.Reset(now, snapshot);
  return std::string();
}

}  // namespace relist::fakeapi
