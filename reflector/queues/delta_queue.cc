#include "reflector/queues/delta_queue.h"

namespace relist {

Error QueueClosed() {
  return Error::Net(Transport::kStopped, "DeltaFIFO: manipulating with closed queue");
}

Task<Result<std::vector<Delta>>> NextBatch(Loop& loop, DeltaQueue& queue) {
  for (;;) {
    std::vector<Delta> batch = queue.PopBatch();
    if (!batch.empty()) co_return batch;
    if (queue.closed()) co_return QueueClosed();
    Select which(loop, queue.source());
    co_await which;
  }
}

}  // namespace relist
