#include "fakeapi/control.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/wire/object.h"
#include "fakeapi/answer/representation.h"
#include "fakeapi/api/api_errors.h"
#include "fakeapi/encoding/json_reader.h"

namespace relist::fakeapi {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view kRoot = "/relist/v1/";
constexpr std::array<std::string_view, 5> kActions = {"compact", "evict", "restart", "bookmark",
                                                      "reset"};
constexpr std::string_view kHistory = "history";
constexpr std::string_view kWhatThereIs =
    "POST compact, evict, restart, bookmark, reset; GET history";

Response Refuse(const Error& error) {
  return RenderStatus(error.status, Negotiated());
}

struct ActionBody {
  bool learned = false;
  std::optional<uint64_t> revision;  // none: now
};

// An unknown key is an error: a misspelt "learned" would quietly do less.
Result<ActionBody> ReadBody(std::string_view action, const std::string& text) {
  const auto refuse = [action](const std::string& why) {
    return BadRequest(fmt::format("{}: {}", action, why));
  };
  ActionBody out;
  if (text.find_first_not_of(" \t\r\n") == std::string::npos) return out;
  if (JsonDepth(text) > 2) return refuse("the body nests too deep");
  const Result<JsonDocument> document = ReadJson(text);
  if (!document.ok()) return refuse(document.error().message());
  const ordered_json& value = *document->value;
  if (!value.is_object()) return refuse("the body is not an object");
  if (!document->duplicates.empty()) {
    return refuse(fmt::format("{} comes twice", GoQuote(document->duplicates.front())));
  }
  for (const auto& [key, part] : value.get_ref<const ordered_json::object_t&>()) {
    if (action != "compact") return refuse(GoQuote(key) + " is not known; the body is empty or {}");
    if (key == "learned") {
      if (!part.is_boolean()) return refuse("\"learned\" is true or false");
      out.learned = part.get<bool>();
    } else if (key == "revision") {
      if (!part.is_number_unsigned()) {
        return refuse("\"revision\" is a whole number, not negative and without quotes");
      }
      out.revision = part.get<uint64_t>();
    } else {
      return refuse(GoQuote(key) + " is not known; there are \"learned\" and \"revision\"");
    }
  }
  return out;
}

// etcd's own refusals. What was compacted can still be learned of.
Result<void> CheckRevision(const ActionBody& body, uint64_t compacted, uint64_t newest) {
  if (!body.revision) return {};
  if (*body.revision > newest) {
    return BadRequest(
        fmt::format("compact: {}: mvcc: required revision is a future revision (the newest is {})",
                    *body.revision, newest));
  }
  if (*body.revision < compacted || (*body.revision == compacted && !body.learned)) {
    return BadRequest(
        fmt::format("compact: {}: mvcc: required revision has been compacted (up to {})",
                    *body.revision, compacted));
  }
  return {};
}

}  // namespace

Reply ControlHandler::Handle(const Request& request, TimePoint received, TimePoint now) {
  const std::string_view target = request.target;
  if (!target.starts_with(kRoot)) return server_.Handle(request, received, now);
  if (!server_.IsAuthorized(request)) {
    return Refuse(Error::Api(401, "Unauthorized", "Unauthorized"));
  }
  const std::string_view path = target.substr(0, target.find('?'));
  Response response = Control(request, path.substr(kRoot.size()), now);
  response.chunked = response.BodySize() > kChunkedOver;
  return response;
}

Response ControlHandler::Control(const Request& request, std::string_view name, TimePoint now) {
  const bool is_action = std::find(kActions.begin(), kActions.end(), name) != kActions.end();
  if (!is_action && name != kHistory) {
    return Refuse(Error::Api(
        404, "NotFound",
        fmt::format("{}{} is no control endpoint; there are: {}", kRoot, name, kWhatThereIs)));
  }
  const std::string_view wanted = is_action ? "POST" : "GET";
  if (request.method != wanted) {
    return Refuse(
        Error::Api(405, "MethodNotAllowed",
                   fmt::format("{}{} wants {}, not {}", kRoot, name, wanted, request.method)));
  }
  if (request.target.find('?') != std::string::npos) {
    return Refuse(BadRequest(fmt::format("{}{} takes no parameters", kRoot, name)));
  }
  if (is_action) return Act(request, name, now);
  if (history_ == nullptr) {
    return Refuse(Error::Api(404, "NotFound", "no history is kept: --history none"));
  }
  Response response;
  response.headers.emplace_back("Content-Type", "application/x-ndjson");
  response.body.push_back(Slice::Own(history_->ToText()));
  return response;
}

Response ControlHandler::Act(const Request& request, std::string_view name, TimePoint now) {
  const Result<ActionBody> body = ReadBody(name, request.body);
  if (!body.ok()) return Refuse(body.error());
  if (name == "compact") {
    const Result<void> good =
        CheckRevision(*body, server_.compacted_revision(), server_.revision());
    if (!good.ok()) return Refuse(good.error());
    server_.Compact(now, body->revision.value_or(server_.revision()), body->learned);
  } else if (name == "evict") {
    server_.Evict(now);
  } else if (name == "restart") {
    server_.Restart(now);
  } else if (name == "bookmark") {
    server_.Bookmark(now);
  } else {
    server_.Reset(now);
  }
  return RenderJson(200,
                    fmt::format(R"({{"action":"{}","revision":"{}"}})", name, server_.revision()),
                    Negotiated());
}

}  // namespace relist::fakeapi
