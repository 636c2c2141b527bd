// What every informer is inside: a reflector, a queue, and the controller that takes from it into a
// store (client-go's controller; catalogue CTL-01).
//
//   InformerEngine engine(loop, lister, store, sink, options);
//   Task<void> running = engine.Run(stop);
//
// Belongs to the loop's thread.
#pragma once

#include <memory>

#include "reflector/informers/controller.h"
#include "reflector/informers/informer_options.h"
#include "reflector/queues/make_queue.h"
#include "reflector/reflector.h"

namespace relist {

class InformerEngine {
 public:
  // All must outlive the engine. `options.reflector` counts as it is; of the rest, what is for the
  // queue.
  InformerEngine(Loop& loop, ListerWatcher& lister, Indexer& store, Controller::Sink& sink,
                 const InformerOptions& options);

  // Until `stop`; returns when reflector and controller have ended.
  Task<void> Run(Signal& stop);

  DeltaQueue& queue() { return *queue_; }
  const DeltaQueue& queue() const { return *queue_; }
  Reflector& reflector() { return reflector_; }
  const Reflector& reflector() const { return reflector_; }

 private:
  Loop& loop_;
  std::unique_ptr<DeltaQueue> queue_;
  Reflector reflector_;
  Controller controller_;
};

// Adds each, as an informer does when it is made; names must be new.
void AddIndexers(const std::map<std::string, IndexFunction>& indexers, Indexer& store);

}  // namespace relist
