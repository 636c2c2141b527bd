#include "fakeapi/api_server.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>

#include "core/wire/object.h"
#include "fakeapi/answer/representation.h"
#include "fakeapi/api/api_errors.h"
#include "fakeapi/api/resources.h"
#include "fakeapi/controllers/controllers.h"
#include "fakeapi/encoding/gzip.h"
#include "fakeapi/object_loader.h"
#include "fakeapi/read/replica.h"
#include "fakeapi/request_router.h"
#include "fakeapi/server_state.h"
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

// Larger answers are compressed for whoever allows it (SRV-36).
constexpr size_t kGzipOver = 128 * 1024;

void Compress(Response* response) {
  std::string text = Gzip(response->BodyText());
  response->headers.emplace_back("Content-Encoding", "gzip");
  response->headers.emplace_back("Vary", "Accept-Encoding");
  response->chunked = text.size() > kChunkedOver;
  response->body = {Slice::Own(std::move(text))};
}

// What every answer has, whoever made it.
Response Finish(Response response, std::string_view accept_encoding) {
  if (response.BodySize() > kGzipOver && AllowsGzip(accept_encoding)) Compress(&response);
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
    CHECK(options.replicas > 0, "a server without a replica");
    store.AddSink(this);
    if (options.start_revision > 1) etcd->Compact(options.start_revision);
    now = options.started;
    const WatchCacheOptions cache{options.watch_window, options.watcher_buffer,
                                  options.dispatch_budget};
    for (size_t i = 0; i < options.replicas; ++i) {
      replicas.push_back(std::make_shared<Replica>(etcd, cache, now));
      fronts.emplace_back(*this, i);
    }
    MakeSystemNamespaces();
    if (options.not_ready > Duration{}) Restart(now, {}, options.not_ready);
  }
  ~Impl() override {
    for (const auto& replica : replicas) replica->Close();
  }

  // One of the replicas, as a connection sees it.
  class Front : public RequestHandler {
   public:
    Front(Impl& server, size_t number) : server_(server), number_(number) {}
    Reply Handle(const Request& request, TimePoint received, TimePoint when) override {
      return server_.Handle(number_, request, received, when);
    }
    uint64_t change_count() const override { return server_.ChangeCount(); }
    uint64_t incarnation() const override { return server_.replicas[number_]->restarts(); }
    TimePoint NextDeadline() const override { return server_.NextDeadline(); }
    void Tick(TimePoint when) override { server_.Tick(when); }

   private:
    Impl& server_;
    const size_t number_;
  };

  Choices& choices() { return options.choices != nullptr ? *options.choices : own_choices; }

  void MakeSystemNamespaces() {
    if (!options.system_namespaces) return;
    CreateSystemNamespaces(store, now, own_choices);
    // The caches' first list comes after them.
    for (const auto& replica : replicas) replica->Relist();
  }

  Reply Handle(size_t replica, const Request& request, TimePoint received, TimePoint when) {
    Tick(when);
    // Of net/http itself, which asks nobody who asks.
    if (request.method == "OPTIONS" && request.target == "*") return Response();
    const std::string_view accepts = request.Header("Accept-Encoding");
    if (std::optional<Response> refusal = RefuseTimeout(request)) {
      return Finish(std::move(*refusal), accepts);
    }
    if (!IsAuthorized(request)) {
      return Finish(RenderStatus(Error::Api(401, "Unauthorized", "Unauthorized").status, {}), "");
    }
    Reply reply =
        RouteRequest({store, replicas[replica], options, choices(), now}, request, received);
    if (auto* response = std::get_if<Response>(&reply)) {
      *response = Finish(std::move(*response), accepts);
    }
    if (auto* wait = std::get_if<Wait>(&reply)) wait->until = std::min(wait->until, NextDeadline());
    return reply;
  }

  bool IsAuthorized(const Request& request) const {
    if (options.token.empty()) return true;
    const std::string_view token = BearerToken(request.Header("Authorization"));
    if (token.empty())
      return IsPublic(std::string_view(request.target).substr(0, request.target.find('?')));
    return token == options.token;
  }

  uint64_t ChangeCount() const {
    uint64_t count = changes;
    for (const auto& replica : replicas) count += replica->changes();
    return count;
  }

  TimePoint NextDeadline() const {
    TimePoint next = controllers.NextDeadline();
    for (const auto& replica : replicas) next = std::min(next, replica->NextChange());
    return next;
  }

  void Tick(TimePoint when) {
    now = when;
    CompactIfDue(when);
    for (size_t i = 0; i < replicas.size(); ++i) {
      const bool was_ready = replicas[i]->ready();
      replicas[i]->Advance(when);
      if (!was_ready && replicas[i]->ready()) Act(when, "ready", i, [](Replica&) {});
    }
    controllers.Run(when);
  }

  void OnCommit(const Commit& commit) override {
    ++changes;
    if (options.history != nullptr) WriteCommit(commit);
    etcd->Append(commit, now);
    controllers.OnCommit(commit, now);
  }

  void WriteCommit(const Commit& commit) {
    const StoredObject& object = *commit.object;
    const Resource& resource = commit.resource->resource;
    std::string revision = std::to_string(commit.revision);
    auto shown = std::make_shared<const Object>(
        std::shared_ptr<const std::string>(commit.object, &object.bytes),
        Object::Head{object.key, object.uid, revision, resource.kind, resource.GroupVersion()});
    options.history->Add(now, "server", "commit")
        .Set("rv", std::move(revision))
        .Set("resource", resource.GroupResource())
        .Set("key", object.key.ToString())
        .Set("type", std::string(Name(commit.type)))
        .Set("uid", object.uid)
        .SetObject(std::move(shown));
  }

  HistoryEntry* Acted(TimePoint when, std::string_view action, uint64_t revision) {
    now = when;
    ++changes;
    if (options.history == nullptr) return nullptr;
    HistoryEntry& line = options.history->Add(when, "server", "control");
    return &line.Set("action", std::string(action)).Set("rv", std::to_string(revision));
  }

  // A line for each replica that it is done to, which it names where there are several: what a
  // replica that lags does, it does where it is.
  template <class Action>
  void Act(TimePoint when, std::string_view action, WhichReplica which, Action act,
           Duration not_ready = {}) {
    for (size_t i = 0; i < replicas.size(); ++i) {
      if (which && *which != i) continue;
      // A restart lists anew, and is where that list is; all else is where the replica was.
      const bool is_after = action == "restart";
      if (is_after) act(*replicas[i]);
      HistoryEntry* line = Acted(when, action, replicas[i]->revision());
      if (line != nullptr && replicas.size() > 1) line->Set("replica", std::to_string(i));
      if (line != nullptr && not_ready > Duration{}) {
        line->Set("not_ready", FormatSeconds(not_ready));
      }
      if (!is_after) act(*replicas[i]);
    }
  }

  void Restart(TimePoint when, WhichReplica which, Duration not_ready) {
    Act(
        when, "restart", which, [&](Replica& replica) { replica.Restart(when, not_ready); },
        not_ready);
  }

  void Compact(TimePoint when, uint64_t revision, bool learned) {
    etcd->Compact(revision == 0 ? store.revision() : revision);
    HistoryEntry* line = Acted(when, "compact", etcd->floor());
    if (!learned) return;
    if (line != nullptr) line->Set("learned", "true");
    for (const auto& replica : replicas) replica->Learn();
  }

  void Reset(TimePoint when) {
    store.Reset();
    Acted(when, "reset", store.revision());
    etcd->Reset();
    for (const auto& replica : replicas) replica->Reset(when);
    controllers.Forget();
  }

  // As the real server's compactor: what was the newest one period ago is the oldest from now on.
  void CompactIfDue(TimePoint when) {
    if (options.compaction_period == Duration::zero()) return;
    if (when < next_compaction) return;
    if (newest_then > etcd->floor()) Compact(when, newest_then, /*learned=*/true);
    newest_then = next_compaction == TimePoint() ? 0 : store.revision();
    next_compaction = when + options.compaction_period;
  }

  ApiServerOptions options;
  SeededChoices own_choices;
  Store store;
  std::shared_ptr<EtcdHistory> etcd = std::make_shared<EtcdHistory>(store, options.bug);
  std::vector<std::shared_ptr<Replica>> replicas;
  std::deque<Front> fronts;
  std::map<std::string, std::vector<SavedObject>> saved;
  Controllers controllers{store, choices(), options.controllers};
  TimePoint now;  // of the request that is handled
  uint64_t changes = 0;
  TimePoint next_compaction;
  uint64_t newest_then = 0;
};

ApiServer::ApiServer(ApiServerOptions options)
    : impl_(std::make_unique<Impl>(std::move(options))) {}
ApiServer::~ApiServer() = default;

Reply ApiServer::Handle(const Request& request, TimePoint received, TimePoint now) {
  return impl_->Handle(0, request, received, now);
}

RequestHandler& ApiServer::Front(size_t replica) {
  CHECK(replica < impl_->fronts.size(), "there is no replica {}", replica);
  return impl_->fronts[replica];
}
size_t ApiServer::replicas() const {
  return impl_->replicas.size();
}

bool ApiServer::IsAuthorized(const Request& request) const {
  return impl_->IsAuthorized(request);
}
uint64_t ApiServer::change_count() const {
  return impl_->ChangeCount();
}
uint64_t ApiServer::incarnation() const {
  return impl_->replicas[0]->restarts();
}
TimePoint ApiServer::NextDeadline() const {
  return impl_->NextDeadline();
}
void ApiServer::Tick(TimePoint now) {
  impl_->Tick(now);
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
  return impl_->etcd->floor();
}

void ApiServer::Compact(TimePoint now, uint64_t revision, bool learned) {
  impl_->Compact(now, revision, learned);
}

void ApiServer::Evict(TimePoint now, WhichReplica which) {
  impl_->Act(now, "evict", which, [](Replica& replica) { replica.Evict(); });
}

void ApiServer::Restart(TimePoint now, WhichReplica which, Duration not_ready) {
  impl_->Restart(now, which, not_ready);
}

int ApiServer::Bookmark(TimePoint now, WhichReplica which) {
  int watches = 0;
  impl_->Act(now, "bookmark", which, [&](Replica& replica) { watches += replica.Bookmark(); });
  return watches;
}

void ApiServer::SetLag(TimePoint now, Duration lag, WhichReplica which) {
  impl_->Act(now, "lag", which, [&](Replica& replica) { replica.SetLag(lag, now); });
}

void ApiServer::Pause(TimePoint now, WhichReplica which) {
  impl_->Act(now, "pause", which, [](Replica& replica) { replica.Pause(); });
}

void ApiServer::Resume(TimePoint now, WhichReplica which) {
  impl_->Act(now, "resume", which, [&](Replica& replica) { replica.Resume(now); });
}

size_t ApiServer::SaveAs(TimePoint now, const std::string& name) {
  impl_->Acted(now, "snapshot", revision());
  std::vector<SavedObject>& objects = impl_->saved[name];
  objects = ObjectsOf(impl_->store);
  return objects.size();
}

bool ApiServer::HasSaved(const std::string& name) const {
  return impl_->saved.contains(name);
}

void ApiServer::Reset(TimePoint now, const std::string& saved) {
  const auto found = impl_->saved.find(saved);
  CHECK(saved.empty() || found != impl_->saved.end(), "nothing was saved as {}", saved);
  impl_->Reset(now);
  if (saved.empty()) return impl_->MakeSystemNamespaces();
  for (const SavedObject& one : found->second) impl_->store.Restore(*one.resource, *one.object);
  for (const auto& replica : impl_->replicas) replica->Relist();
}

std::string ApiServer::StateJson(TimePoint now) const {
  return fakeapi::StateJson(impl_->store, *impl_->etcd, impl_->replicas, impl_->saved, now);
}

Result<Loaded> ApiServer::LoadObjects(const std::string& text, TimePoint now) {
  impl_->now = now;
  return fakeapi::LoadObjects(impl_->store, text, now, impl_->choices());
}

}  // namespace relist::fakeapi
