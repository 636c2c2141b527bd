#include "fakeapi/api_server.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/wire/object.h"
#include "fakeapi/answer/discovery.h"
#include "fakeapi/answer/representation.h"
#include "fakeapi/api/api_errors.h"
#include "fakeapi/api/request_target.h"
#include "fakeapi/api/request_timeout.h"
#include "fakeapi/api/resource_path.h"
#include "fakeapi/api/resources.h"
#include "fakeapi/object_loader.h"
#include "fakeapi/read/read_handlers.h"
#include "fakeapi/store/store.h"
#include "fakeapi/write/writes.h"

namespace relist::fakeapi {
namespace {

// Uids and drawn time-outs of a server that was given no Choices, and the uids of what it makes
// itself.
constexpr uint64_t kOwnSeed = 0x72656c697374;

bool IsPublic(std::string_view path) {
  return path == "/healthz" || path == "/livez" || path == "/readyz" || path == "/version";
}

// As the real server's authenticator reads the header: the scheme in any case, the second word is
// the token. "" where there is none: a header of another scheme is nobody's, as no header is.
std::string_view BearerToken(std::string_view header) {
  const size_t start = header.find_first_not_of(" \t");
  if (start == std::string_view::npos) return {};
  header = header.substr(start, header.find_last_not_of(" \t") + 1 - start);
  const size_t space = header.find(' ');
  if (space == std::string_view::npos) return {};
  const std::string_view scheme = header.substr(0, space);
  if (!SameHeaderName(scheme, "bearer")) return {};
  const std::string_view rest = header.substr(space + 1);
  return rest.substr(0, rest.find(' '));
}

// "core.ConfigMapList", for the text of an error.
std::string GoTypeOf(const ResourceType& resource, Wanted wanted) {
  const std::string& group = resource.resource.group;
  const std::string package = group.empty() ? "core" : group.substr(0, group.find('.'));
  return package + "." + (wanted == Wanted::kList ? resource.list_kind() : resource.kind());
}

Result<Negotiated> FormOf(const Request& request, const HeaderList& query,
                          const ResourceType& resource, Wanted wanted) {
  const std::string_view accept = request.Header("Accept");
  const bool may_transform = accept.find("as=") != std::string_view::npos;
  Result<Negotiated> form =
      Negotiate(accept, wanted, may_transform ? GoTypeOf(resource, wanted) : std::string());
  if (!form.ok()) return form;
  form->pretty |= WantsPretty(query, request.Header("User-Agent"));
  if (form->shape != Shape::kTable) return form;
  const Result<IncludeObject> include = ParseIncludeObject(QueryValue(query, "includeObject"));
  if (include.ok()) {
    form->include_object = *include;
  } else {
    form->refusal = std::make_shared<Status>(include.error().status);
  }
  return form;
}

// Of a status one reads the object itself; what else there is is known, and not done.
std::optional<Error> RefuseSubresource(const ResourcePath& path) {
  if (path.subresource.empty() || path.subresource == "status") {
    const bool is_there =
        path.subresource.empty() || path.resource->FindSubresource("status") != nullptr;
    return is_there ? std::nullopt : std::optional(NoSuchResource());
  }
  const Subresource* found = path.resource->FindSubresource(path.subresource);
  if (found == nullptr) return NoSuchResource();
  const std::vector<std::string>& verbs = found->verbs;
  if (std::find(verbs.begin(), verbs.end(), "get") != verbs.end()) {
    return NotImplemented(fmt::format("{}/{} is not implemented by this server",
                                      path.resource->resource.plural, path.subresource));
  }
  return MethodNotAllowed();
}

bool WantsWebSocket(const Request& request) {
  return SameHeaderName(request.Header("Upgrade"), "websocket");
}

// Of a request whose Accept header was not, or not yet, made anything of.
Response RenderRefusal(const Error& error, const Request& request, const HeaderList& query) {
  Negotiated form = NotNegotiated(request.Header("Accept"));
  form.pretty |= WantsPretty(query, request.Header("User-Agent"));
  return RenderStatus(error.status, form);
}

// What is no watch (a name's watch= is none either) is judged by its timeout before all else.
std::optional<Response> RefuseTimeout(const Request& request) {
  if (request.target.find("timeout=") == std::string::npos) return std::nullopt;
  const RequestTarget target = ParseTarget(request.target);
  const ResourcePath path = ParseResourcePath(target.path);
  if (path.legacy_watch || (path.key.name.empty() && WantsWatch(target.query))) return std::nullopt;
  const Result<void> good = CheckRequestTimeout(target.query);
  if (good.ok()) return std::nullopt;
  return RenderRefusal(good.error(), request, target.query);
}

// What every answer has, whoever made it.
Response Finish(Response response) {
  bool has_cache_control = false;
  for (const auto& [name, value] : response.headers) {
    has_cache_control |= SameHeaderName(name, "Cache-Control");
  }
  if (!has_cache_control) response.headers.emplace_back("Cache-Control", "no-cache, private");
  return response;
}

}  // namespace

struct ApiServer::Impl : CommitSink {
  explicit Impl(ApiServerOptions given)
      : options(std::move(given)), own_choices(kOwnSeed), store(options.start_revision) {
    store.AddSink(this);
    if (options.start_revision > 1) world->Compact(options.start_revision, /*learned=*/true);
    now = options.started;
    MakeSystemNamespaces();
  }
  ~Impl() override { world->Close(); }

  Choices& choices() { return options.choices != nullptr ? *options.choices : own_choices; }

  void MakeSystemNamespaces() {
    if (!options.system_namespaces) return;
    CreateSystemNamespaces(store, now, own_choices);
    world->Evict();  // the caches' first list comes after them
  }

  void OnCommit(const Commit& commit) override {
    ++changes;
    if (options.history != nullptr) WriteCommit(commit);
    world->Append(commit);
  }

  void WriteCommit(const Commit& commit) {
    const StoredObject& object = *commit.object;
    const Resource& resource = commit.resource->resource;
    std::string revision = std::to_string(commit.revision);
    auto shown = std::make_shared<const Object>(
        object.bytes,
        Object::Head{object.key, object.uid, revision, resource.kind, resource.GroupVersion()});
    options.history->Add(now, "server", "commit")
        .Set("rv", std::move(revision))
        .Set("resource", resource.GroupResource())
        .Set("key", object.key.ToString())
        .Set("type", std::string(Name(commit.type)))
        .Set("uid", object.uid)
        .SetObject(std::move(shown));
  }

  void Acted(TimePoint when, std::string_view action, uint64_t revision, bool learned = false) {
    now = when;
    ++changes;
    if (options.history == nullptr) return;
    HistoryEntry& line = options.history->Add(when, "server", "control");
    line.Set("action", std::string(action)).Set("rv", std::to_string(revision));
    if (learned) line.Set("learned", "true");
  }

  void Compact(TimePoint when, uint64_t revision, bool learned) {
    world->Compact(revision == 0 ? store.revision() : revision, learned);
    Acted(when, "compact", world->etcd_floor(), learned);
  }

  // As the real server's compactor: what was the newest one period ago is the oldest from now on.
  void CompactIfDue(TimePoint when) {
    if (options.compaction_period == Duration::zero()) return;
    if (when < next_compaction) return;
    if (newest_then > world->etcd_floor()) Compact(when, newest_then, /*learned=*/true);
    newest_then = next_compaction == TimePoint() ? 0 : store.revision();
    next_compaction = when + options.compaction_period;
  }

  Reply Route(const Request& request, TimePoint received);
  Reply RouteResource(const Request& request, const RequestTarget& target, const ResourcePath& path,
                      TimePoint received);
  Reply Read(const Request& request, const RequestTarget& target, const ResourcePath& path,
             TimePoint received);
  Reply Write(const Request& request, const RequestTarget& target, const ResourcePath& path,
              WriteVerb verb);

  ApiServerOptions options;
  SeededChoices own_choices;
  Store store;
  std::shared_ptr<ReadWorld> world = std::make_shared<ReadWorld>(store, options.watch_window);
  TimePoint now;  // of the request that is handled
  uint64_t changes = 0;
  TimePoint next_compaction;
  uint64_t newest_then = 0;
};

Reply ApiServer::Impl::Route(const Request& request, TimePoint received) {
  const RequestTarget target = ParseTarget(request.target);
  const ResourcePath path = ParseResourcePath(target.path);
  if (path.kind == PathKind::kResource) return RouteResource(request, target, path, received);
  if (path.kind == PathKind::kNoSuchResource) {
    return RenderStatus(NoSuchResource().status, Negotiated());
  }
  if (std::optional<Response> answer = AnswerDiscovery(target.path, target.query, request)) {
    return std::move(*answer);
  }
  return RenderText(404, "404 page not found\n");
}

Reply ApiServer::Impl::RouteResource(const Request& request, const RequestTarget& target,
                                     const ResourcePath& path, TimePoint received) {
  const std::string& method = request.method;
  const bool is_object = !path.key.name.empty();
  if (method == "GET") return Read(request, target, path, received);
  const bool is_all_namespaces = path.resource->namespaced() && path.key.ns.empty();
  if (!path.legacy_watch && !is_all_namespaces) {
    const bool is_subresource = !path.subresource.empty();
    if (method == "POST" && (!is_object || is_subresource)) {
      return Write(request, target, path, WriteVerb::kCreate);
    }
    if (method == "DELETE") {
      return Write(request, target, path,
                   is_object ? WriteVerb::kDelete : WriteVerb::kDeleteCollection);
    }
    if (method == "PUT" && is_object) return Write(request, target, path, WriteVerb::kReplace);
    if (method == "PATCH" && is_object) return Write(request, target, path, WriteVerb::kPatch);
  }
  return RenderStatus(MethodNotAllowed().status, Negotiated());
}

Reply ApiServer::Impl::Read(const Request& request, const RequestTarget& target,
                            const ResourcePath& path, TimePoint received) {
  const bool is_object = !path.key.name.empty() && !path.legacy_watch;
  const bool is_watch = path.legacy_watch || (!is_object && WantsWatch(target.query));
  if (std::optional<Error> refusal = RefuseSubresource(path)) {
    return RenderStatus(refusal->status, Negotiated());
  }
  const Wanted wanted = is_watch ? Wanted::kWatch : (is_object ? Wanted::kObject : Wanted::kList);
  const Result<Negotiated> form = FormOf(request, target.query, *path.resource, wanted);
  if (!form.ok()) return RenderRefusal(form.error(), request, target.query);
  const ReadRequest read{path.resource, path.key, &target.query, *form, received, now};
  if (is_object) return HandleGet(*world, read, options.fresh_wait);
  const Result<ReadOptions> query =
      ParseReadOptions(*path.resource, target.query, path.legacy_watch);
  if (!query.ok()) return RenderStatus(query.error().status, *form);
  if (!path.key.name.empty() && !query->fields.everything() &&
      query->fields.name() != path.key.name) {
    return RenderStatus(
        BadRequest("fieldSelector metadata.name doesn't match requested name").status, *form);
  }
  if (is_watch && WantsWebSocket(request)) {
    return RenderStatus(NotImplemented("watches over WebSocket are not implemented").status, *form);
  }
  if (!is_watch) return HandleList(*world, read, *query, options.fresh_wait);
  const WatchKnobs knobs{options.bookmark_period, options.timeout_min, options.fresh_wait};
  return HandleWatch(world, read, *query, knobs, choices());
}

Reply ApiServer::Impl::Write(const Request& request, const RequestTarget& target,
                             const ResourcePath& path, WriteVerb verb) {
  const Wanted wanted = verb == WriteVerb::kDeleteCollection ? Wanted::kList : Wanted::kObject;
  const Result<Negotiated> form = FormOf(request, target.query, *path.resource, wanted);
  if (!form.ok()) return RenderRefusal(form.error(), request, target.query);
  const WriteRequest write{verb,     path.resource, path.key, path.subresource,
                           &request, target.query,  *form,    now};
  return HandleWrite(store, write, choices());
}

ApiServer::ApiServer(ApiServerOptions options)
    : impl_(std::make_unique<Impl>(std::move(options))) {}
ApiServer::~ApiServer() = default;

Reply ApiServer::Handle(const Request& request, TimePoint received, TimePoint now) {
  impl_->now = now;
  impl_->CompactIfDue(now);
  if (std::optional<Response> refusal = RefuseTimeout(request)) return Finish(std::move(*refusal));
  if (!IsAuthorized(request)) {
    return Finish(RenderStatus(Error::Api(401, "Unauthorized", "Unauthorized").status, {}));
  }
  Reply reply = impl_->Route(request, received);
  if (auto* response = std::get_if<Response>(&reply)) *response = Finish(std::move(*response));
  return reply;
}

bool ApiServer::IsAuthorized(const Request& request) const {
  if (impl_->options.token.empty()) return true;
  const std::string_view token = BearerToken(request.Header("Authorization"));
  if (token.empty())
    return IsPublic(std::string_view(request.target).substr(0, request.target.find('?')));
  return token == impl_->options.token;
}

uint64_t ApiServer::change_count() const {
  return impl_->changes;
}
Store& ApiServer::store() {
  return impl_->store;
}
void ApiServer::SetTime(TimePoint now) {
  impl_->now = now;
}

uint64_t ApiServer::revision() const {
  return impl_->store.revision();
}

uint64_t ApiServer::compacted_revision() const {
  return impl_->world->etcd_floor();
}

void ApiServer::Compact(TimePoint now, uint64_t revision, bool learned) {
  impl_->Compact(now, revision, learned);
}

void ApiServer::Evict(TimePoint now) {
  impl_->Acted(now, "evict", revision());
  impl_->world->Evict();
}

void ApiServer::Restart(TimePoint now) {
  impl_->Acted(now, "restart", revision());
  impl_->world->Restart();
}

int ApiServer::Bookmark(TimePoint now) {
  impl_->Acted(now, "bookmark", revision());
  return impl_->world->Bookmark();
}

void ApiServer::Reset(TimePoint now) {
  impl_->store.Reset();
  impl_->Acted(now, "reset", revision());
  impl_->world->Reset();
  impl_->MakeSystemNamespaces();
}

Result<Loaded> ApiServer::LoadObjects(const std::string& text, TimePoint now) {
  impl_->now = now;
  return fakeapi::LoadObjects(impl_->store, text, now, impl_->choices());
}

}  // namespace relist::fakeapi
