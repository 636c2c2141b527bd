#include "scenarios/cast.h"

#include <mutex>

#include "core/choices.h"
#include "core/wire/resource_version.h"
#include "fakeapi/api/resources.h"
#include "reflector/informers/shared_informer.h"
#include "reflector/rest/rest_client.h"
#include "reflector/rest/rest_lister_watcher.h"

namespace relist {
namespace {

// Keeps what its callbacks built up.
class View : public ResourceEventHandler {
 public:
  void OnAdd(const ObjectRef& object, bool) override { Set(*object); }
  void OnUpdate(const ObjectRef&, const ObjectRef& object) override { Set(*object); }
  void OnDelete(const Deleted& deleted) override {
    std::lock_guard lock(mutex_);
    seen_.erase(deleted.key);
  }
  bool Is(const KeyVersions& truth) const {
    std::lock_guard lock(mutex_);
    return seen_ == truth;
  }

 private:
  void Set(const Object& object) {
    std::lock_guard lock(mutex_);
    seen_[object.key()] = object.resource_version();
  }
  mutable std::mutex mutex_;
  KeyVersions seen_;
};

RestClientOptions RestOptions(const Endpoint& endpoint, const ClientSpec& spec,
                              const PlantedBugs& bugs) {
  RestClientOptions options;
  options.endpoint = endpoint;
  options.user_agent = spec.name;
  options.bugs = bugs;
  if (spec.watch_deadline)
    options.watch_deadline_margin = spec.watch_deadline_margin;
  else
    options.watch_deadline_margin.reset();
  return options;
}

InformerOptions InformerOptionsOf(const ClientSpec& spec, HandlerThreads threads, Choices* choices,
                                  std::shared_ptr<Recorder> recorder, const PlantedBugs& bugs) {
  InformerOptions options;
  options.reflector.choices = choices;
  options.reflector.bugs = bugs;
  options.reflector.recorder = std::move(recorder);
  options.reflector.page_size = spec.page_size;
  options.reflector.streaming_list = spec.streaming_list;
  options.reflector.min_watch_timeout = spec.min_watch_timeout;
  const Resource& resource = fakeapi::FindByName(spec.resource)->resource;
  options.reflector.expected_kind = resource.kind;
  options.reflector.expected_api_version = resource.GroupVersion();
  options.handler_threads = threads;
  return options;
}

}  // namespace

struct Cast::Member {
  Member(Loop& loop, const Endpoint& endpoint, const ClientSpec& client, uint64_t seed,
         HandlerThreads threads, History* history, const PlantedBugs& bugs)
      : spec(client),
        choices(seed),
        recorder(std::make_shared<Recorder>(loop, history, spec.name)),
        rest(loop, RestOptions(endpoint, spec, bugs)),
        lister(rest, fakeapi::FindByName(spec.resource)->resource, spec.ns,
               {spec.label_selector, spec.field_selector}, recorder),
        views(static_cast<size_t>(spec.handlers)),
        informer(loop, lister, InformerOptionsOf(spec, threads, &choices, recorder, bugs)) {
    for (size_t i = 0; i < views.size(); ++i) {
      HandlerOptions options;
      if (i > 0) options.name += std::to_string(i + 1);
      auto added = informer.AddEventHandler(views[i], options);
      CHECK(added.ok(), "a handler was refused: {}", added.error().message());
      listeners.push_back(*added);
    }
  }

  const ClientSpec& spec;
  SeededChoices choices;
  std::shared_ptr<Recorder> recorder;
  RestClient rest;
  RestListerWatcher lister;
  std::vector<View> views;
  SharedInformer informer;
  std::vector<std::shared_ptr<Listener>> listeners;
};

Cast::Cast(Loop& loop, const Endpoint& endpoint, const Scenario& scenario, uint64_t seed,
           HandlerThreads threads, History* history, const PlantedBugs& bugs)
    : loop_(loop), history_(history), scope_(loop) {
  for (const ClientSpec& client : scenario.clients) {
    members_.push_back(std::make_unique<Member>(loop, endpoint, client, seed + members_.size(),
                                                threads, history, bugs));
  }
}

Cast::~Cast() = default;

void Cast::Start() {
  for (const auto& member : members_) {
    ++running_;
    scope_.Spawn(RunMember(*member));
  }
}

Task<void> Cast::RunMember(Member& member) {
  Task<bool> delay = SleepUnless(loop_, member.spec.start, stop_);
  const bool stopped = co_await delay;
  if (!stopped) {
    Task<void> run = member.informer.Run(stop_);
    co_await run;
  }
  --running_;
}

bool Cast::Agrees(size_t client, const KeyVersions& truth) const {
  const Member& member = *members_[client];
  for (const auto& listener : member.listeners) {
    if (!listener->HasSynced() || listener->backlog() > 0) return false;
  }
  for (const View& view : member.views) {
    if (!view.Is(truth)) return false;
  }
  const std::vector<ObjectRef> stored = member.informer.indexer().List();
  if (stored.size() != truth.size()) return false;
  for (const ObjectRef& object : stored) {
    const auto found = truth.find(object->key());
    if (found == truth.end() || found->second != object->resource_version()) return false;
  }
  return true;
}

uint64_t Cast::Position(size_t client) const {
  return ParseResourceVersion(members_[client]->informer.last_sync_resource_version()).value_or(0);
}

void Cast::RecordStores(TimePoint now) {
  for (const auto& member : members_) {
    history_->Add(now, member->spec.name, "dump")
        .Set("items", std::to_string(member->informer.indexer().size()));
    member->informer.RecordStore(history_, member->spec.name, now);
  }
}

void Cast::Stop() {
  stop_.Set();
  loop_.RunUntil([this] { return running_ == 0; });
}

}  // namespace relist
