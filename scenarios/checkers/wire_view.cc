#include "scenarios/checkers/wire_view.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "core/wire/digest.h"
#include "core/wire/resource_version.h"
#include "fakeapi/api/request_target.h"
#include "fakeapi/api/resource_path.h"
#include "fakeapi/api/resources.h"
#include "fakeapi/read/read_options.h"
#include "fakeapi/store/selectors.h"

namespace relist {
namespace {

// As apimachinery converts a parameter: only "0" and "false" are false.
bool IsTrue(std::string_view text) {
  return text != "0" && !fakeapi::SameHeaderName(text, "false");
}

std::optional<int64_t> IntegerOf(std::string_view text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value)
                                                                  : std::nullopt;
}

void ReadParameter(const std::string& name, const std::string& value, WireAsk* ask) {
  if (name == "resourceVersion") {
    ask->rv_text = value;
  } else if (name == "resourceVersionMatch") {
    ask->match = value;
  } else if (name == "continue") {
    ask->continue_token = value;
  } else if (name == "labelSelector") {
    ask->scope.labels = value;
  } else if (name == "fieldSelector") {
    ask->scope.fields = value;
  } else if (name == "limit") {
    ask->limit = IntegerOf(value).value_or(0);
  } else if (name == "timeoutSeconds") {
    ask->timeout_seconds = IntegerOf(value);
  } else if (name == "allowWatchBookmarks") {
    ask->bookmarks = IsTrue(value);
  } else if (name == "sendInitialEvents") {
    ask->send_initial_events = IsTrue(value);
  }
}

// Of a repeated name the first counts.
void ReadQuery(const fakeapi::HeaderList& query, WireAsk* ask) {
  for (size_t i = 0; i < query.size(); ++i) {
    const auto& [name, value] = query[i];
    const auto begin = query.begin();
    const bool again = std::any_of(begin, begin + static_cast<std::ptrdiff_t>(i),
                                   [&](const auto& earlier) { return earlier.first == name; });
    if (!again) ReadParameter(name, value, ask);
  }
  ask->rv = ask->rv_text.empty() ? 0 : ParseResourceVersion(ask->rv_text);
}

// A name may come from the path of a legacy watch, or from the field selector.
void FindName(const fakeapi::ResourceType& type, const std::string& path_name, WireAsk* ask) {
  std::string ns = ask->scope.ns;
  ask->scope.name = path_name;
  if (!ask->scope.fields.empty()) {
    const auto fields = fakeapi::FieldSelector::Parse(type, ask->scope.fields);
    if (fields.ok() && fields->name()) ask->scope.name = *fields->name();
    if (fields.ok() && fields->ns() && ns.empty()) ns = *fields->ns();
  }
  ask->single = !ask->scope.name.empty() && (!type.namespaced() || !ns.empty());
}

std::string_view WithoutBrace(const Object& object) {
  const std::string_view bytes = object.bytes();
  const bool has_head = bytes.starts_with(R"({"kind":)") || bytes.starts_with(R"({"apiVersion":)");
  return bytes.size() < 3 || has_head ? std::string_view() : bytes.substr(1);
}

void AddHead(const TruthCommit& commit, Digest* digest) {
  std::string_view kind = commit.object->kind(), version = commit.object->api_version();
  std::string group_version;
  if (kind.empty() || version.empty()) {  // a history that was written down does not say it again
    const fakeapi::ResourceType* type = fakeapi::FindByName(commit.resource);
    if (!type) return;
    kind = type->kind();
    version = group_version = type->resource.GroupVersion();
  }
  digest->Add(R"({"kind":")").Add(kind).Add(R"(","apiVersion":")").Add(version).Add(R"(",)");
}

// An object that left the selection goes as it was, at the version that took it away.
void AddAtVersion(std::string_view bytes, const std::string& version, Digest* digest) {
  static constexpr std::string_view kName = R"("resourceVersion":")";
  const size_t name = bytes.find(kName);
  if (name == std::string_view::npos) {
    digest->Add(bytes);
    return;
  }
  const size_t begin = name + kName.size();
  digest->Add(bytes.substr(0, begin)).Add(version).Add(bytes.substr(bytes.find('"', begin)));
}

}  // namespace

bool WireAsk::WantsInitial() const {
  if (kind != Kind::kWatch || !rv) return false;
  if (send_initial_events) return *send_initial_events;
  return *rv == 0 && (legacy_watch || match.empty());
}

WireAsk AskOf(std::string_view method, std::string_view target_text, std::string_view accept) {
  WireAsk ask;
  if (method != "GET") return ask;
  const fakeapi::RequestTarget target = fakeapi::ParseTarget(target_text);
  const fakeapi::ResourcePath path = fakeapi::ParseResourcePath(target.path);
  if (path.kind != fakeapi::PathKind::kResource || !path.subresource.empty()) return ask;
  if (!path.key.name.empty() && !path.legacy_watch) return ask;
  const bool is_watch = path.legacy_watch || fakeapi::WantsWatch(target.query);
  ask.kind = is_watch ? WireAsk::Kind::kWatch : WireAsk::Kind::kList;
  ask.legacy_watch = path.legacy_watch;
  ask.plain = accept.empty();
  ask.scope.resource = path.resource->resource.GroupResource();
  ask.scope.ns = path.key.ns;
  ReadQuery(target.query, &ask);
  FindName(*path.resource, path.key.name, &ask);
  return ask;
}

std::optional<uint64_t> LineDigest(const ScopedEvent& event, EventType type) {
  const bool left = type == EventType::kDeleted && event.commit->type != EventType::kDeleted;
  const TruthCommit* shown = left ? event.last_match : event.commit;
  if (!shown || !shown->object) return std::nullopt;
  const std::string_view bytes = WithoutBrace(*shown->object);
  if (bytes.empty()) return std::nullopt;
  Digest digest;
  digest.Add(R"({"type":")").Add(Name(type)).Add(R"(","object":)");
  AddHead(*shown, &digest);
  if (left)
    AddAtVersion(bytes, std::to_string(event.commit->rv), &digest);
  else
    digest.Add(bytes);
  return digest.Add("}\n").value();
}

uint64_t WireView::ShownBefore(const WireRequest& asked, uint64_t order) const {
  uint64_t shown = 0;
  for (const WireRequest& request : requests) {
    if (request.replica != asked.replica || request.ask.scope.resource != asked.ask.scope.resource)
      continue;
    if (request.IsFromCache() && request.answered_order < order)
      shown = std::max(shown, request.rv);
    for (const WireLine& line : request.lines) {
      if (line.order < order) shown = std::max(shown, line.rv);
    }
  }
  return shown;
}

const StreamShape& WireView::ShapeOf(const WireRequest& stream) const {
  shapes_.resize(requests.size());
  std::optional<StreamShape>& shape = shapes_[static_cast<size_t>(&stream - requests.data())];
  if (!shape) shape = ReckonShape(*this, stream);
  return *shape;
}

}  // namespace relist
