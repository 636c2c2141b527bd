#include "reflector/queues/make_queue.h"

#include "reflector/queues/delta_fifo.h"
#include "reflector/queues/real_fifo.h"

namespace relist {

std::unique_ptr<DeltaQueue> MakeQueue(QueueOptions options, const Indexer& store) {
  if (!options.in_order_informers) {
    return std::make_unique<DeltaFifo>(DeltaFifoOptions{.known_objects = &store,
                                                        .emit_delta_type_replaced = true,
                                                        .transform = std::move(options.transform)});
  }
  return std::make_unique<RealFifo>(
      RealFifoOptions{.atomic = options.atomic_fifo,
                      .known_objects = options.atomic_fifo ? nullptr : &store,
                      .transform = std::move(options.transform),
                      .batch_size = options.in_order_informers_batch_process ? size_t{1000} : 1});
}

}  // namespace relist
