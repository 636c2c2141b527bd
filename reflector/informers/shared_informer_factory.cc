#include "reflector/informers/shared_informer_factory.h"

#include "reflector/parity_switch.h"
#include "reflector/rest/rest_client.h"
#include "reflector/rest/rest_lister_watcher.h"

namespace relist {
namespace {

// Somebody else's list and watch, with options of somebody's own.
class TweakedListerWatcher : public ListerWatcher {
 public:
  TweakedListerWatcher(std::unique_ptr<ListerWatcher> lister,
                       std::function<void(ListOptions&)> tweak)
      : lister_(std::move(lister)), tweak_(std::move(tweak)) {}

  Task<Result<ListPage>> List(ListOptions options, Signal& stop) override {
    tweak_(options);
    return lister_->List(std::move(options), stop);
  }
  Task<Result<std::unique_ptr<WatchStream>>> Watch(ListOptions options, Signal& stop) override {
    tweak_(options);
    return lister_->Watch(std::move(options), stop);
  }
  bool SupportsStreamingList() const override { return lister_->SupportsStreamingList(); }

 private:
  std::unique_ptr<ListerWatcher> lister_;
  std::function<void(ListOptions&)> tweak_;
};

SharedInformerFactory::MakeLister OverRest(RestClient& rest,
                                           const std::shared_ptr<Recorder>& recorder) {
  return [&rest, recorder](const Resource& resource, const std::string& ns, bool metadata_only) {
    return std::make_unique<RestListerWatcher>(
        rest, resource, resource.namespaced ? ns : "",
        RestListerWatcher::Selectors{.metadata_only = metadata_only}, recorder);
  };
}

}  // namespace

SharedInformerFactory::SharedInformerFactory(Loop& loop, RestClient& rest,
                                             const SharedInformerFactoryOptions& options)
    : SharedInformerFactory(loop, OverRest(rest, options.informer.reflector.recorder), options) {}

SharedInformerFactory::SharedInformerFactory(Loop& loop, MakeLister make_lister,
                                             SharedInformerFactoryOptions options)
    : loop_(loop),
      make_lister_(std::move(make_lister)),
      options_(std::move(options)),
      scope_(loop) {}

SharedInformerFactory::~SharedInformerFactory() {
  scope_.Clear();
}

SharedInformerFactory::Entry& SharedInformerFactory::Find(const Resource& resource, Face face,
                                                          const Object::AttachedType* type) {
  for (Entry& entry : entries_) {
    const bool same = entry.resource.plural == resource.plural &&
                      entry.resource.group == resource.group &&
                      entry.resource.version == resource.version;
    if (same && entry.face == face && entry.type == type && Behaves("FAC-01")) return entry;
  }
  Entry& entry = entries_.emplace_back();
  entry.resource = resource;
  entry.face = face;
  entry.type = type;
  entry.lister = make_lister_(resource, options_.ns, face == Face::kMetadata);
  if (options_.tweak_list_options) {
    entry.lister = std::make_unique<TweakedListerWatcher>(std::move(entry.lister),
                                                          options_.tweak_list_options);
  }
  return entry;
}

std::string SharedInformerFactory::NameOf(const Entry& entry) {
  const char* face = entry.face == Face::kRaw        ? " (raw)"
                     : entry.face == Face::kMetadata ? " (metadata)"
                                                     : "";
  return entry.resource.GroupResource() + face;
}

InformerOptions SharedInformerFactory::OptionsOf(const Entry& entry) {
  InformerOptions options = options_.informer;
  options.description = NameOf(entry);
  if (Behaves("FAC-05")) options.indexers[kNamespaceIndex] = IndexByNamespace;
  const auto resync = options_.custom_resync.find(entry.resource.GroupResource());
  if (resync != options_.custom_resync.end() && Behaves("FAC-01b")) {
    options.resync_check_period = resync->second;
  }
  if (options_.informer_name) {
    options.identifier = options_.informer_name->WithResource(entry.resource, options.log);
  }
  if (entry.face == Face::kTyped) {
    options.reflector.expected_kind = entry.resource.kind;
    options.reflector.expected_api_version =
        entry.resource.kind.empty() ? "" : entry.resource.GroupVersion();
  }
  return options;
}

GenericInformer SharedInformerFactory::Generic(const Resource& resource, Face face) {
  Entry& entry = Find(resource, face, nullptr);
  if (!entry.holder) {
    auto informer = std::make_shared<SharedInformer>(loop_, *entry.lister, OptionsOf(entry));
    entry.informer = informer.get();
    entry.holder = std::move(informer);
  }
  return {*entry.informer, entry.resource, options_.informer.log};
}

GenericInformer SharedInformerFactory::ForResource(const Resource& resource) {
  return Generic(resource, Face::kRaw);
}

GenericInformer SharedInformerFactory::ForMetadata(const Resource& resource) {
  return Generic(resource, Face::kMetadata);
}

void SharedInformerFactory::Start(Signal& stop) {
  if (shutting_down_ && Behaves("FAC-03")) return;
  for (Entry& entry : entries_) {
    if (std::exchange(entry.started, true) && Behaves("FAC-02")) continue;
    scope_.Spawn(RunInformer(entry, stop));
  }
}

Task<void> SharedInformerFactory::RunInformer(Entry& entry, Signal& stop) {
  Task<void> running = entry.informer->Run(stop);
  co_await running;
  if (!entry.ended.Ready()) entry.ended.Set();
}

Task<SyncResult> SharedInformerFactory::WaitForCacheSync(WaitLimits limits) {
  std::vector<DoneChecker> checkers;
  std::vector<const Entry*> waited_for;
  for (const Entry& entry : entries_) {
    if (!entry.started && Behaves("FAC-04")) continue;
    checkers.push_back(entry.informer->synced_checker());
    waited_for.push_back(&entry);
  }
  Task<bool> waiting = WaitFor(loop_, std::move(checkers), limits);
  const bool all = co_await waiting;
  SyncResult result;
  for (const Entry* entry : waited_for) {
    result.synced[NameOf(*entry)] = entry->informer->HasSynced();
  }
  if (!all) result.cause = CauseOf(loop_, limits);
  co_return result;
}

Task<void> SharedInformerFactory::Shutdown() {
  shutting_down_ = true;
  std::vector<Signal*> ends;
  for (Entry& entry : entries_) {
    if (entry.started && Behaves("FAC-03b")) ends.push_back(&entry.ended);
  }
  for (size_t i = 0; i < ends.size(); ++i) {
    Select ended(loop_, *ends[i]);
    co_await ended;
  }
  if (options_.informer_name) options_.informer_name->Release();
}

}  // namespace relist
