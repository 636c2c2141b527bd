#include "fakeapi/http/wire_notes.h"

#include <memory>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "core/wire/digest.h"
#include "core/wire/json_text.h"
#include "core/wire/object_key.h"
#include "fakeapi/http/http_encoder.h"

namespace relist::fakeapi {
namespace {

bool IsForJsonObjects(std::string_view accept) {
  return accept.find("as=") == std::string_view::npos &&
         accept.find("yaml") == std::string_view::npos;
}

// What stands at "object" of a line; "" where it is none of ours.
std::string ObjectIn(const Slices& chunk) {
  static constexpr std::string_view kName = R"(","object":)";
  static constexpr std::string_view kEnd = "}\n";
  std::string text;
  ForPayload(chunk, [&text](std::string_view piece) { text += piece; });
  const size_t at = text.find(kName);
  if (at == std::string::npos || !text.ends_with(kEnd)) return "";
  return text.substr(at + kName.size(), text.size() - at - kName.size() - kEnd.size());
}

}  // namespace

void NoteRequest(History* history, TimePoint now, uint64_t id, int connection,
                 const Request& request, size_t replica) {
  if (history == nullptr) return;
  HistoryEntry& entry = history->Add(now, "server", "request");
  entry.Set("id", std::to_string(id))
      .Set("conn", std::to_string(connection))
      .Set("method", request.method)
      .Set("target", request.target);
  const std::string_view agent = request.Header("User-Agent");
  if (!agent.empty()) entry.Set("agent", std::string(agent));  // whose request it is
  const std::string_view accept = request.Header("Accept");
  if (!IsForJsonObjects(accept)) entry.Set("accept", std::string(accept));
  if (replica != 0) entry.Set("replica", std::to_string(replica));
}

void NoteAnswer(History* history, TimePoint now, uint64_t id, const Response& response) {
  if (history == nullptr) return;
  HistoryEntry& entry = history->Add(now, "server", "answer");
  entry.Set("id", std::to_string(id)).Set("status", std::to_string(response.status));
  if (!response.list_resource_version.empty()) entry.Set("rv", response.list_resource_version);
  if (response.items >= 0) entry.Set("items", std::to_string(response.items));
  if (response.digest) entry.Set("digest", response.digest());
  if (!response.continue_token.empty()) entry.Set("continue", response.continue_token);
  if (response.status < 400) return;
  for (const auto& [name, value] : response.headers) {
    if (SameHeaderName(name, "Retry-After")) entry.Set("retry_after", value);
  }
  std::string body = response.BodyText();
  while (body.ends_with('\n')) body.pop_back();
  if (body.starts_with('{'))
    entry.SetObject(std::make_shared<const Object>(std::move(body), Object::Head{}));
}

void NoteOpen(History* history, TimePoint now, uint64_t id) {
  if (history == nullptr) return;
  history->Add(now, "server", "open").Set("id", std::to_string(id)).Set("status", "200");
}

void NoteLine(History* history, TimePoint now, uint64_t id, const WatchLine& line, LineFate fate) {
  if (history == nullptr) return;
  HistoryEntry& entry = history->Add(now, "server", "event");
  entry.Set("id", std::to_string(id)).Set("type", std::string(Name(line.type)));
  if (!line.key.empty()) entry.Set("key", line.key);
  if (!line.uid.empty()) entry.Set("uid", line.uid);
  if (line.revision != 0) entry.Set("rv", std::to_string(line.revision));
  if (line.initial_events_end) entry.Set("end", "true");
  if (line.error_code != 0) entry.Set("code", std::to_string(line.error_code));
  if (fate == LineFate::kKept) entry.Set("kept", "true");
  if (fate == LineFate::kCutShort) return;
  if (line.type != EventType::kBookmark && line.type != EventType::kError) {
    Digest digest;
    ForPayload(line.chunk, [&digest](std::string_view piece) { digest.Add(piece); });
    entry.Set("body", digest.Text());
  } else if (std::string object = ObjectIn(line.chunk); !object.empty()) {
    entry.SetObject(std::make_shared<const Object>(std::move(object), Object::Head{}));
  }
}

void NoteFaultLine(History* history, TimePoint now, uint64_t id, std::string_view text) {
  if (history == nullptr) return;
  HistoryEntry& entry = history->Add(now, "server", "event");
  entry.Set("id", std::to_string(id)).Set("fault", "true");
  std::string bytes(text);
  nlohmann::json line;
  const bool is_event = ParseJson(&bytes, &line) && line.is_object() && line.contains("object");
  if (!is_event) {
    while (bytes.ends_with('\n')) bytes.pop_back();
    entry.Set("text", std::move(bytes));
    return;
  }
  const nlohmann::json& object = line["object"];
  const auto found = object.is_object() ? object.find("metadata") : object.end();
  static const nlohmann::json kNone = nlohmann::json::object();
  const nlohmann::json& metadata = found != object.end() && found->is_object() ? *found : kNone;
  const auto set = [&entry](const char* field, const std::string& value) {
    if (!value.empty()) entry.Set(field, value);
  };
  const std::string type = TextAt(line, "type");
  set("type", type);
  const ObjectKey key{TextAt(metadata, "namespace"), TextAt(metadata, "name")};
  if (!key.name.empty()) set("key", key.ToString());
  set("uid", TextAt(metadata, "uid"));
  set("rv", TextAt(metadata, "resourceVersion"));
  const auto annotations = metadata.find("annotations");
  const bool ends = annotations != metadata.end() && annotations->is_object() &&
                    TextAt(*annotations, std::string(kInitialEventsEnd).c_str()) == "true";
  if (ends) set("end", "true");
  const auto code = object.is_object() ? object.find("code") : object.end();
  if (type == Name(EventType::kError) && code != object.end() && code->is_number_integer())
    set("code", code->dump());
  entry.SetObject(std::make_shared<const Object>(object.dump(), Object::Head{}));
}

void NoteEnd(History* history, TimePoint now, uint64_t id, std::string how) {
  if (history == nullptr) return;
  history->Add(now, "server", "end").Set("id", std::to_string(id)).Set("how", std::move(how));
}

}  // namespace relist::fakeapi
