#include "reflector/informers/informer_engine.h"

#include <utility>

#include "reflector/parity_switch.h"

namespace relist {
namespace {

Task<void> RunThenSet(Task<void> task, Signal& done) {
  co_await task;
  done.Set();
}

// The user's transform, then the reading of what it made: as early as this, so that a streaming
// list is read while it comes.
Transform WithReading(const InformerOptions& options) {
  Transform transform = Behaves("INF-11") ? options.transform : Transform();
  if (!options.read) return transform;
  return [transform, read = options.read](const ObjectRef& object) -> Result<ObjectRef> {
    Result<ObjectRef> changed = transform ? transform(object) : Result<ObjectRef>(object);
    if (changed.ok()) read(**changed);
    return changed;
  };
}

}  // namespace

InformerEngine::InformerEngine(Loop& loop, ListerWatcher& lister, Indexer& store,
                               Controller::Sink& sink, const InformerOptions& options)
    : loop_(loop),
      queue_(
          MakeQueue({.in_order_informers = options.in_order_informers,
                     .atomic_fifo = options.atomic_fifo,
                     .in_order_informers_batch_process = options.in_order_informers_batch_process,
                     .transform = WithReading(options)},
                    store)),
      reflector_(loop, lister, *queue_, options.reflector),
      controller_(loop, *queue_, store, sink, options.reflector.bugs, options.read) {}

Task<void> InformerEngine::Run(Signal& stop) {
  Signal reflector_ended, controller_ended;
  TaskScope work(loop_);
  if (Behaves("CTL-01")) {
    work.Spawn(RunThenSet(controller_.ProcessLoop(stop), controller_ended));
  }
  work.Spawn(RunThenSet(reflector_.Run(stop), reflector_ended));
  Select reflector_end(loop_, reflector_ended);
  co_await reflector_end;
  if (!Behaves("CTL-01")) {
    work.Spawn(RunThenSet(controller_.ProcessLoop(stop), controller_ended));
  }
  Select controller_end(loop_, controller_ended);
  co_await controller_end;
}

void AddIndexers(const std::map<std::string, IndexFunction>& indexers, Indexer& store) {
  for (const auto& [name, function] : indexers) {
    const Result<void> added = store.AddIndexer(name, function);
    CHECK(added.ok(), "an index of a new store: {}", added.error().message());
  }
}

}  // namespace relist
