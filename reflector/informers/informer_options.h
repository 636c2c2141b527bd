// What all informers can be told: shared, unshared, typed, and those of a factory.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "reflector/informers/informer_name.h"
#include "reflector/informers/processor_listener.h"
#include "reflector/log.h"
#include "reflector/reflector.h"
#include "reflector/stores/indexer.h"

namespace relist {

struct InformerOptions {
  ReflectorOptions reflector;  // should_resync and resync_period are the informer's to fill
  HandlerThreads handler_threads = HandlerThreads::kOnLoop;
  // How often handlers are looked at for a resync, and the period of those that do not say
  // (INF-05); 0: no resyncs.
  Duration resync_check_period = Seconds(0);
  Transform transform;                            // may be empty; INF-11
  std::map<std::string, IndexFunction> indexers;  // of the store, by name
  // client-go's gates for the queue, by their names: see queues/make_queue.h.
  bool in_order_informers = true;
  bool atomic_fifo = true;
  bool in_order_informers_batch_process = true;
  // Whether handlers are watched for changing what they are given (AUX-01); nothing: as
  // KUBE_CACHE_MUTATION_DETECTOR says.
  std::optional<bool> mutation_detector;

  std::string description = "objects";  // in the log: the collection, "configmaps"
  std::shared_ptr<Log> log;             // may be null
  InformerIdentity identifier;          // its name, where it has one (INF-16)

  // What a handler that throws does: it ends the process (on its own thread), or comes out of
  // Loop::RunUntil (on the loop). False, client-go's ReallyCrash off: what it was told then is
  // skipped, with a line in the log, and after a pause of a second it is told the next thing. If
  // that was an initial object, the handler never counts as synced (LSN-06).
  bool crash_on_panic = true;

  // Of the typed face: makes of each object what handlers will want, once for its version. False:
  // it cannot be made, and the object is as if its last version that could were still there. May be
  // empty.
  std::function<bool(const Object&)> read;
  // The same face's: a number of the T, for the mutation detector. May be empty.
  std::function<uint64_t(const Object&)> digest;
};

}  // namespace relist
