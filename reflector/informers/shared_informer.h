// client-go's SharedIndexInformer: a reflector, a queue, a store, and any number of handlers
// (catalogue INF-01 to INF-11).
//
//   RestClient rest(loop, options);
//   auto recorder = std::make_shared<Recorder>(loop, &history, "client");      // or null
//   RestListerWatcher lister(rest, resource, "default", {}, recorder);
//   SharedInformer informer(loop, lister, {.reflector = {.choices = &choices, .recorder =
//                                          recorder}});
//   Result<std::shared_ptr<Listener>> handle = informer.AddEventHandler(handler);
//   TaskScope scope(loop);              // after all of these
//   scope.Spawn(informer.Run(stop));
//   loop.RunUntil([&] { return (*handle)->HasSynced(); });
//
// Belongs to the loop's thread, except indexer(), HasSynced() and Listener's own. Lives longer than
// the task of Run, and must be destroyed after it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "reflector/informers/controller.h"
#include "reflector/informers/processor.h"
#include "reflector/queues/make_queue.h"
#include "reflector/reflector.h"
#include "reflector/stores/indexer.h"
#include "reflector/stores/mutation_detector.h"

namespace relist {

struct InformerOptions {
  ReflectorOptions reflector;  // should_resync and resync_period are the informer's to fill
  HandlerThreads handler_threads = HandlerThreads::kOnLoop;
  Duration resync_check_period = Seconds(0);  // 0: no resyncs
  Transform transform;                        // may be empty; INF-11
  // client-go's gates for the queue, by their names: see queues/make_queue.h.
  bool in_order_informers = true;
  bool atomic_fifo = true;
  bool in_order_informers_batch_process = true;
  // Whether handlers are watched for changing what they are given (AUX-01); nothing: as
  // KUBE_CACHE_MUTATION_DETECTOR says.
  std::optional<bool> mutation_detector;
};

struct HandlerOptions {
  std::string name = "handler";  // in the history
  Duration resync_period = Seconds(0);
};

class SharedInformer : private Controller::Sink {
 public:
  SharedInformer(Loop& loop, ListerWatcher& lister, InformerOptions options);
  ~SharedInformer() override;

  // Before or after Run; a late joiner first gets OnAdd(initial) for all that is stored (INF-08).
  // An Error once the informer has stopped (INF-02). `handler` must outlive the informer, or its
  // removal.
  Result<std::shared_ptr<Listener>> AddEventHandler(ResourceEventHandler& handler,
                                                    const HandlerOptions& options = {});
  // Idempotent, asynchronous: what waits is dropped, a callback in progress finishes (INF-09).
  void RemoveEventHandler(const std::shared_ptr<Listener>& listener);

  // Until `stop`: returns when reflector, controller and all handlers have ended. Once (INF-01).
  Task<void> Run(Signal& stop);

  // True when the initial list was applied to the store (INF-03). Any thread.
  bool HasSynced() const { return has_synced_.load(); }
  Signal& synced() { return queue_->synced(); }
  bool stopped() const { return stopped_; }
  Indexer& indexer() { return store_; }
  const Indexer& indexer() const { return store_; }
  const Reflector& reflector() const { return reflector_; }
  // Any thread.
  std::string last_sync_resource_version() const { return reflector_.last_sync_resource_version(); }
  // Writes a "store" line for each object into `history`, in key order: the end of a run.
  void RecordStore(History* history, const std::string& name, TimePoint now) const;

 private:
  void OnNotification(Notification notification, bool sync) override;
  void OnBatchDone() override;
  ReflectorOptions ReflectorOptionsFrom(const InformerOptions& options);
  void NegotiateResync(Duration requested, Listener& listener);
  Task<void> AnnounceSync(Signal& stop);
  void MarkSynced();

  Loop& loop_;
  InformerOptions options_;
  Duration check_period_;
  Indexer store_;
  std::unique_ptr<DeltaQueue> queue_;
  std::unique_ptr<MutationDetector> mutation_detector_;  // null: off
  Processor processor_;
  Reflector reflector_;
  Controller controller_;
  bool started_ = false;
  bool stopped_ = false;
  std::atomic<bool> has_synced_ = false;
  std::unique_ptr<TaskScope> listeners_;  // their tasks
};

}  // namespace relist
