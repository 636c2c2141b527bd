// The queue that client-go's feature gates ask for (newQueueFIFO).
//
//   std::unique_ptr<DeltaQueue> queue = MakeQueue({.in_order_informers = false}, store);
//
// | in_order_informers | atomic_fifo | which | client-go's default |
// |---|---|---|---|
// | true | true | RealFifo: all deltas in order, one for a whole list | since 0.36 |
// | true | false | RealFifo, classic: one delta for each object of a list | 0.33 to 0.35 |
// | false | either | DeltaFifo: what happens to a key meanwhile comes together; no order among keys
// | to 0.32 |
#pragma once

#include <memory>

#include "reflector/queues/delta_queue.h"
#include "reflector/stores/indexer.h"

namespace relist {

struct QueueOptions {
  bool in_order_informers = true;                // gate InOrderInformers, locked on since 1.36
  bool atomic_fifo = true;                       // gate AtomicFIFO
  bool in_order_informers_batch_process = true;  // gate of that name; false: deltas one by one
  Transform transform;                           // may be empty
};

// `store` is what the consumer of the queue keeps up; it must outlive the queue.
std::unique_ptr<DeltaQueue> MakeQueue(QueueOptions options, const Indexer& store);

}  // namespace relist
