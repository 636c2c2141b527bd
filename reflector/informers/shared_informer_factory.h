// Makes informers, one for each collection and face, and starts, awaits and ends them together
// (client-go's SharedInformerFactory, the dynamic and the metadata one; catalogue FAC-01 to
// FAC-06).
//
//   SharedInformerFactory factory(loop, rest, {.informer = {.reflector = {.choices = &choices}}});
//   Informer<objects::Pod>& pods = factory.For<objects::Pod>();
//   GenericInformer widgets = factory.ForResource({"example.com", "v1", "widgets"});   // raw
//   GenericInformer nodes = factory.ForMetadata(node_resource);  // metadata only: less is sent
//   ... add handlers ...
//   factory.Start(stop);
//   Task<SyncResult> waiting = factory.WaitForCacheSync({.stop = &stop});
//   SyncResult synced = co_await waiting;         // synced.AsError(): "failed to sync all caches:
//   ..."
//   ...
//   stop.Set();
//   Task<void> shutdown = factory.Shutdown();
//   co_await shutdown;
//
// Informers that are asked for after Start are started by the next Start. Belongs to the loop's
// thread; the informers live as long as the factory.
#pragma once

#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "core/runtime/loop.h"
#include "core/wire/list_options.h"
#include "core/wire/resource.h"
#include "reflector/informers/informer.h"
#include "reflector/informers/informer_name.h"
#include "reflector/informers/lister.h"
#include "reflector/informers/shared_informer.h"
#include "reflector/informers/wait_for.h"

namespace relist {

class RestClient;

struct SharedInformerFactoryOptions {
  // Of every informer: choices, threads, log, resync period, transform. Its expected kind,
  // description, identifier and indexers are the factory's to fill; each gets kNamespaceIndex.
  InformerOptions informer;
  std::string ns;  // of this namespace only; empty: of all
  // Changes the options of every list and watch: selectors, mostly. May be empty.
  std::function<void(ListOptions&)> tweak_list_options;
  // Other resync periods, by collection: "pods", "deployments.apps".
  std::map<std::string, Duration> custom_resync;
  // Whose informers they are; released by Shutdown. May be null.
  std::shared_ptr<InformerName> informer_name;
};

// A raw informer of a factory, and how to read from it.
class GenericInformer {
 public:
  GenericInformer(SharedInformer& informer, Resource resource, std::shared_ptr<Log> log)
      : informer_(&informer), resource_(std::move(resource)), log_(std::move(log)) {}
  SharedInformer& informer() { return *informer_; }
  Lister lister() const { return Lister(informer_->indexer(), resource_, log_); }
  const Resource& resource() const { return resource_; }

 private:
  SharedInformer* informer_;
  Resource resource_;
  std::shared_ptr<Log> log_;
};

class SharedInformerFactory {
 public:
  // Where the objects of a collection come from. An empty ns: of all namespaces.
  using MakeLister = std::function<std::unique_ptr<ListerWatcher>(
      const Resource& resource, const std::string& ns, bool metadata_only)>;

  // `rest` must outlive the factory.
  SharedInformerFactory(Loop& loop, RestClient& rest, const SharedInformerFactoryOptions& options);
  SharedInformerFactory(Loop& loop, MakeLister make_lister, SharedInformerFactoryOptions options);
  ~SharedInformerFactory();

  // The one informer of T's, made when it is first asked for.
  template <class T>
  Informer<T>& For(const Resource& resource) {
    Entry& entry = Find(resource, Face::kTyped, &kAttachedType<T>);
    if (!entry.holder) {
      auto informer = std::make_shared<Informer<T>>(loop_, *entry.lister, OptionsOf(entry));
      entry.informer = &informer->raw();
      entry.holder = std::move(informer);
    }
    return *static_cast<Informer<T>*>(entry.holder.get());
  }
  template <class T>
    requires HasResource<T>
  Informer<T>& For() {
    return For<T>(T::GetResource());
  }
  // Objects as they are, of any collection, without a look at their kind.
  GenericInformer ForResource(const Resource& resource);
  // PartialObjectMetadata of any collection.
  GenericInformer ForMetadata(const Resource& resource);

  // Starts what has not been started; nothing once it shuts down (FAC-02). `stop` must outlive the
  // factory.
  void Start(Signal& stop);
  // Waits for those that were started (FAC-04). Names are those of informers in the log: "pods",
  // "nodes (metadata)", "widgets.example.com (raw)".
  Task<SyncResult> WaitForCacheSync(WaitLimits limits);
  // Waits until all that were started have ended, for which somebody has to set their `stop`;
  // nothing can be started afterwards (FAC-03).
  Task<void> Shutdown();

 private:
  enum class Face { kRaw, kMetadata, kTyped };
  struct Entry {
    Resource resource;
    Face face = Face::kRaw;
    const Object::AttachedType* type = nullptr;  // of kTyped
    std::unique_ptr<ListerWatcher> lister;
    std::shared_ptr<void> holder;  // of the informer
    SharedInformer* informer = nullptr;
    bool started = false;
    Signal ended;
  };

  Entry& Find(const Resource& resource, Face face, const Object::AttachedType* type);
  GenericInformer Generic(const Resource& resource, Face face);
  InformerOptions OptionsOf(const Entry& entry);
  static std::string NameOf(const Entry& entry);
  Task<void> RunInformer(Entry& entry, Signal& stop);

  Loop& loop_;
  const MakeLister make_lister_;
  SharedInformerFactoryOptions options_;
  std::list<Entry> entries_;
  bool shutting_down_ = false;
  TaskScope scope_;
};

}  // namespace relist
