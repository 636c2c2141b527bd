#include "fakeapi/store/pagination.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/wire/object.h"
#include "fakeapi/api/api_errors.h"
#include "fakeapi/api/resources.h"
#include "fakeapi/encoding/base64.h"
#include "fakeapi/encoding/json_reader.h"
#include "fakeapi/encoding/json_writer.h"

namespace relist::fakeapi {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view kVersion = "meta.k8s.io/v1";

Error BadToken(std::string_view why) {
  return BadRequest(fmt::format("invalid continue token: continue key is not valid{}", why));
}

// Go's path.Clean leaves the key as it is: no empty, "." or ".." step, no slash at the end.
bool IsCleanPath(std::string_view path) {
  if (path == "/") return true;
  while (!path.empty()) {
    path.remove_prefix(1);  // the slash
    const std::string_view step = path.substr(0, path.find('/'));
    if (step.empty() || step == "." || step == "..") return false;
    path.remove_prefix(step.size());
  }
  return true;
}

Result<ContinueToken> ReadToken(const ordered_json& value) {
  if (!value.is_object())
    return BadToken(": json: cannot unmarshal into Go value of type storage.continueToken");
  const std::string version = value.value("v", "");
  if (version != kVersion) {
    return BadToken(fmt::format(": server does not recognize this encoded version {}", version));
  }
  ContinueToken token{value.value("rv", int64_t{0}), value.value("start", "")};
  if (token.revision == 0) {
    return BadToken(": incorrect encoded start resourceVersion (version meta.k8s.io/v1)");
  }
  if (token.start.empty()) return BadToken(": encoded start key empty (version meta.k8s.io/v1)");
  if (!IsCleanPath(token.start.front() == '/' ? token.start : "/" + token.start)) {
    return BadToken(": " + token.start);
  }
  if (token.start.front() == '/') token.start.erase(0, 1);
  return token;
}

}  // namespace

std::string EncodeContinue(const ContinueToken& token) {
  const ordered_json value = {{"v", kVersion}, {"rv", token.revision}, {"start", token.start}};
  return EncodeBase64Url(WriteJson(value));
}

Result<ContinueToken> DecodeContinue(std::string_view text) {
  const Result<std::string> bytes = DecodeBase64Url(text);
  if (!bytes.ok()) return BadToken(": " + bytes.error().message());
  if (JsonDepth(*bytes) > 2)
    return BadToken(": json: cannot unmarshal into Go value of type storage.continueToken");
  const Result<JsonDocument> document = ReadJson(*bytes);
  if (!document.ok()) return BadToken(": " + document.error().message());
  try {
    return ReadToken(*document->value);
  } catch (const nlohmann::json::exception&) {
    return BadToken(": json: cannot unmarshal into Go value of type storage.continueToken");
  }
}

std::string StartAfter(const std::string& ns, const ObjectKey& last) {
  std::string start = ns.empty() ? last.ToString() : last.name;
  start += '\0';
  return start;
}

ObjectKey FirstKey(const ResourceType& resource, const std::string& ns, const std::string& start) {
  if (!ns.empty() || !resource.namespaced()) return {ns, start};
  return ObjectKey::Parse(start);
}

}  // namespace relist::fakeapi
