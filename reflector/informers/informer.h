// The typed face: a shared informer of T's (catalogue INF-14).
//
//   Informer<objects::Pod> informer(loop, lister, {.reflector = {.choices = &choices}});
//   TypedResourceEventHandlerFuncs<objects::Pod> print(
//       {.add_func = [](const TypedRef<objects::Pod>& pod) { Print(pod->spec.node_name); }});
//   Result<std::shared_ptr<Listener>> handle = informer.AddEventHandler(print);
//   TaskScope scope(loop);
//   scope.Spawn(informer.Run(stop));
//
// A T is any class with a default constructor and a from_json(const nlohmann::json&, T&) beside it
// (NLOHMANN_DEFINE_TYPE_... makes one); objects/ has some. Each version of an object is parsed
// once, on the loop's thread, and the T is shared by all handlers, listers and indexes; the raw
// object stays with it.
//
// An object that no T can be made of (a field of a wrong type) is left out: one line in the log,
// and unreadable() grows. If an earlier version of it could be read, that one stays where it is,
// until the object can be read again, or is deleted: nobody is told that it is gone, for it is not.
// client-go's typed informers stop at such an object, and hold nothing new until it is mended.
//
// Threads as SharedInformer's.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "reflector/informers/lister.h"
#include "reflector/informers/shared_informer.h"
#include "reflector/informers/typed_event_handler.h"
#include "reflector/informers/typed_indexer.h"
#include "reflector/informers/typed_options.h"
#include "reflector/informers/typed_reader.h"

namespace relist {

template <class T>
class Informer {
 public:
  // `transform` (may be empty) changes each T before anybody sees it; options.transform, before
  // that, the raw object.
  Informer(Loop& loop, ListerWatcher& lister, InformerOptions options,
           std::function<void(T&)> transform = {})
      : options_(TypedOptions<T>(std::move(options))),
        log_(options_.log),
        reader_(TypedReader::Of<T>(options_.description, log_, std::move(transform))),
        informer_(loop, lister, ReadBy(*reader_, std::move(options_))) {}

  // As SharedInformer's. `handler` must outlive the informer, or its removal.
  Result<std::shared_ptr<Listener>> AddEventHandler(TypedResourceEventHandler<T>& handler,
                                                    const HandlerOptions& options = {}) {
    return informer_.AddEventHandler(std::make_shared<TypedHandlerAdapter<T>>(handler), options);
  }
  Result<void> AddIndexer(const std::string& name, TypedIndexFunction<T> function) {
    return informer_.AddIndexer(name, IndexBy<T>(std::move(function)));
  }
  TypedIndexer<T> indexer() { return TypedIndexer<T>(informer_.indexer()); }
  TypedLister<T> lister(Resource resource) const {
    return TypedLister<T>(informer_.indexer(), std::move(resource), log_);
  }
  TypedLister<T> lister() const
    requires HasResource<T>
  {
    return lister(T::GetResource());
  }

  Task<void> Run(Signal& stop) { return informer_.Run(stop); }
  bool HasSynced() const { return informer_.HasSynced(); }
  Signal& synced() { return informer_.synced(); }
  // Versions of objects that were left out, as no T could be made of them. Any thread.
  int64_t unreadable() const { return reader_->unreadable(); }
  // The same informer with raw objects: all that is not here.
  SharedInformer& raw() { return informer_; }
  const SharedInformer& raw() const { return informer_; }

 private:
  InformerOptions options_;  // until they are moved on
  std::shared_ptr<Log> log_;
  std::unique_ptr<TypedReader> reader_;
  SharedInformer informer_;
};

}  // namespace relist
