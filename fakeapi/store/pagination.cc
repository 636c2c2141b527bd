#include "fakeapi/store/pagination.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "core/wire/base64.h"
#include "core/wire/object.h"
#include "fakeapi/api/api_errors.h"
#include "fakeapi/api/http_types.h"
#include "fakeapi/api/resources.h"
#include "fakeapi/encoding/json_reader.h"
#include "fakeapi/encoding/json_writer.h"

namespace relist::fakeapi {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view kVersion = "meta.k8s.io/v1";
// A token is flat; what a reader that recurses can bear.
constexpr int kTokenDepthMax = 100;

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

std::string_view GoKindOf(const ordered_json& value) {
  if (value.is_array()) return "array";
  if (value.is_object()) return "object";
  if (value.is_string()) return "string";
  return value.is_boolean() ? "bool" : "number";
}

Error WrongType(std::string_view what, std::string_view where) {
  return BadToken(fmt::format(": json: cannot unmarshal {} into Go {}", what, where));
}

Error WrongField(std::string_view what, std::string_view field, std::string_view type) {
  return WrongType(what, fmt::format("struct field continueToken.{} of type {}", field, type));
}

// The number as it was written: Go repeats one that is no int64.
std::string_view NumberOf(std::string_view text, const std::string& key) {
  const size_t found = text.find('"' + key + '"');
  if (found == std::string_view::npos) return {};
  text.remove_prefix(found + key.size() + 2);
  text.remove_prefix(std::min(text.find_first_not_of(": \t\r\n"), text.size()));
  return text.substr(0, text.find_first_not_of("+-.0123456789eE"));
}

// Go finds fields by their names in any case, and takes null for nothing.
Result<void> ReadField(std::string_view text, const std::string& key, const ordered_json& value,
                       ContinueToken* token, std::string* version) {
  const bool is_version = SameHeaderName(key, "v"), is_start = SameHeaderName(key, "start");
  if (value.is_null()) return {};
  if (is_version || is_start) {
    const std::string_view field = is_version ? "v" : "start";
    if (!value.is_string()) return WrongField(GoKindOf(value), field, "string");
    (is_version ? *version : token->start) = value.get<std::string>();
  } else if (SameHeaderName(key, "rv")) {
    const bool fits =
        value.is_number_unsigned() ? value.get<uint64_t>() <= INT64_MAX : value.is_number_integer();
    if (!value.is_number()) return WrongField(GoKindOf(value), "rv", "int64");
    if (!fits) return WrongField(fmt::format("number {}", NumberOf(text, key)), "rv", "int64");
    token->revision = value.get<int64_t>();
  }
  return {};
}

Result<ContinueToken> ReadToken(std::string_view text, const ordered_json& value) {
  if (!value.is_object() && !value.is_null()) {
    return WrongType(GoKindOf(value), "value of type storage.continueToken");
  }
  ContinueToken token;
  std::string version;
  for (const auto& [key, field] : value.items()) {
    if (Result<void> read = ReadField(text, key, field, &token, &version); !read.ok()) {
      return read.error();
    }
  }
  if (version != kVersion) {
    return BadToken(fmt::format(": server does not recognize this encoded version {}", version));
  }
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
  if (JsonDepth(*bytes) > kTokenDepthMax) return BadToken(": json: exceeded max depth");
  const Result<JsonDocument> document = ReadJson(*bytes);
  if (!document.ok()) return BadToken(": " + document.error().message());
  return ReadToken(*bytes, *document->value);
}

std::string StartAfter(const std::string& ns, const ObjectKey& last) {
  std::string start = ns.empty() ? last.ToString() : last.name;
  start += '\0';
  return start;
}

}  // namespace relist::fakeapi
