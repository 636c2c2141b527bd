// client-go's SharedIndexInformer: a reflector, a queue, a store, and any number of handlers
// (catalogue INF-01 to INF-12). Objects are raw here; informer.h has the same for T's.
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
// Belongs to the loop's thread, except indexer(), HasSynced() and Listener's own: where client-go
// takes a handler on any thread, Loop::PostFromThread brings one here. Lives longer than the task
// of Run, and must be destroyed after it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "reflector/informers/informer_engine.h"
#include "reflector/informers/informer_options.h"
#include "reflector/informers/processor.h"
#include "reflector/informers/wait_for.h"
#include "reflector/stores/mutation_detector.h"

namespace relist {

struct HandlerOptions {
  std::string name = "handler";           // in history and log
  std::optional<Duration> resync_period;  // nothing: the informer's; 0: no resyncs for this one
  // Each call counts as over only so much later, on the loop's clock: a slow handler for those who
  // test with one, for on the loop a handler itself can let no time pass.
  Duration call_takes{};
};

class SharedInformer : private Controller::Sink {
 public:
  SharedInformer(Loop& loop, ListerWatcher& lister, InformerOptions options);
  ~SharedInformer() override;

  // Before or after Run; a late joiner first gets OnAdd(initial) for all that is stored (INF-08).
  // An Error once the informer has stopped (INF-02). `handler` must outlive the informer, or its
  // removal. A handler may be added several times: each time is a handle of its own.
  Result<std::shared_ptr<Listener>> AddEventHandler(ResourceEventHandler& handler,
                                                    const HandlerOptions& options = {});
  // The same of one that is kept as long as anybody has the handle.
  Result<std::shared_ptr<Listener>> AddEventHandler(std::shared_ptr<ResourceEventHandler> handler,
                                                    const HandlerOptions& options = {});
  // Idempotent, asynchronous: what waits is dropped, a callback in progress finishes. Nothing
  // happens where it is another informer's (INF-09).
  void RemoveEventHandler(const std::shared_ptr<Listener>& listener);
  // The same, and over when no callback will come any more: after it what the handler uses may go.
  // At once where it is another informer's (client-go waits for that one to stop).
  Task<void> ShutDownEventHandler(std::shared_ptr<Listener> listener);
  bool IsRegistered(const std::shared_ptr<Listener>& listener) const;
  size_t handlers() const { return processor_.listeners().size(); }

  // Before or after Run; errors as Indexer's, and once the informer has stopped (INF-12, INF-02).
  Result<void> AddIndexer(const std::string& name, IndexFunction function);
  // Before Run only: "informer has already started" (INF-01). Takes the place of the options' own.
  Result<void> SetTransform(Transform transform);
  Result<void> SetWatchErrorHandler(std::function<void(const Error&)> handler);

  // Until `stop`: returns when reflector, controller and all handlers have ended. Once: a second
  // Run says so in the log, and returns (INF-01).
  Task<void> Run(Signal& stop);

  // True when the initial list was applied to the store (INF-03). Any thread.
  bool HasSynced() const { return has_synced_.load(); }
  // Set then; never, where it was stopped before.
  Signal& synced() { return synced_; }
  DoneChecker synced_checker() { return {LogName(), &synced_}; }
  bool started() const { return started_; }
  bool stopped() const { return stopped_; }
  Indexer& indexer() { return store_; }
  const Indexer& indexer() const { return store_; }
  const Reflector& reflector() const { return engine_->reflector(); }
  // Any thread.
  std::string last_sync_resource_version() const {
    return engine_->reflector().last_sync_resource_version();
  }
  const InformerIdentity& identifier() const { return options_.identifier; }
  // Writes a "store" line for each object into `history`, in key order: the end of a run.
  void RecordStore(History* history, const std::string& name, TimePoint now) const;

 private:
  void OnNotification(Notification notification, bool sync) override;
  void OnBatchDone() override;
  void MakeEngine();
  void NegotiateResync(const HandlerOptions& options, Listener& listener);
  void Warn(const std::string& what);
  std::string LogName() const { return "SharedInformer " + options_.description; }
  Task<void> AnnounceSync(Signal& stop);
  void MarkSynced();

  Loop& loop_;
  ListerWatcher& lister_;
  InformerOptions options_;
  Duration check_period_;
  Indexer store_;
  std::unique_ptr<MutationDetector> mutation_detector_;  // null: off
  Processor processor_;
  std::unique_ptr<InformerEngine> engine_;
  bool started_ = false;
  bool stopped_ = false;
  std::atomic<bool> has_synced_ = false;
  Signal synced_;
  std::unique_ptr<TaskScope> listeners_;  // their tasks
};

}  // namespace relist
