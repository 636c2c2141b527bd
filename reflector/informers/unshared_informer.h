// An informer with one handler, which is called while the queue is processed: no thread of its own,
// no queue of its own (client-go's NewInformer and its kin; catalogue CTL-08).
//
//   UnsharedInformer informer(loop, lister, handler, {.reflector = {.choices = &choices}});
//   TaskScope scope(loop);
//   scope.Spawn(informer.Run(stop));
//
// A slow handler stalls the queue, and with it the loop; what it throws comes out of
// Loop::RunUntil. Every update reaches it, resyncs too (options.resync_check_period is its period).
// Belongs to the loop's thread, except store().
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "reflector/informers/informer_engine.h"
#include "reflector/informers/typed_event_handler.h"
#include "reflector/informers/typed_options.h"

namespace relist {

class UnsharedInformer : private Controller::Sink {
 public:
  // All must outlive it. Of the options those for handlers' threads are without effect.
  UnsharedInformer(Loop& loop, ListerWatcher& lister, ResourceEventHandler& handler,
                   const InformerOptions& options);

  // Until `stop`. Once.
  Task<void> Run(Signal& stop);

  // True when the initial list was processed, its last callback included.
  bool HasSynced() const { return engine_.queue().HasSynced(); }
  Signal& synced() { return engine_.queue().synced(); }
  // For reading, and for more indexes; whoever writes into it makes the notifications wrong.
  Indexer& store() { return store_; }
  const Reflector& reflector() const { return engine_.reflector(); }
  std::string last_sync_resource_version() const {
    return engine_.reflector().last_sync_resource_version();
  }

 private:
  void OnNotification(Notification notification, bool sync) override;
  void OnBatchDone() override;

  Loop& loop_;
  ResourceEventHandler& handler_;
  const std::shared_ptr<Recorder> recorder_;
  Indexer store_;
  InformerEngine engine_;
  bool started_ = false;
  bool announced_ = false;
};

// The same for a T: see informer.h for what a T is.
template <class T>
class TypedUnsharedInformer {
 public:
  TypedUnsharedInformer(Loop& loop, ListerWatcher& lister, TypedResourceEventHandler<T>& handler,
                        InformerOptions options)
      : options_(TypedOptions<T>(std::move(options))),
        reader_(TypedReader::Of<T>(options_.description, options_.log)),
        adapter_(handler),
        informer_(loop, lister, adapter_, ReadBy(*reader_, std::move(options_))) {}

  Task<void> Run(Signal& stop) { return informer_.Run(stop); }
  bool HasSynced() const { return informer_.HasSynced(); }
  int64_t unreadable() const { return reader_->unreadable(); }
  UnsharedInformer& raw() { return informer_; }

 private:
  InformerOptions options_;  // until they are moved on
  std::unique_ptr<TypedReader> reader_;
  TypedHandlerAdapter<T> adapter_;
  UnsharedInformer informer_;
};

}  // namespace relist
