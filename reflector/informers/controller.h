// Takes deltas from the queue, applies them to the store, and tells the processor (client-go's
// controller and processDeltas; catalogue CTL-02 to CTL-07).
#pragma once

#include <functional>
#include <vector>

#include "core/runtime/loop.h"
#include "reflector/planted_bugs.h"
#include "reflector/queues/delta_queue.h"
#include "reflector/recorder.h"
#include "reflector/stores/indexer.h"

namespace relist {

class Controller {
 public:
  // Told once for each change; `sync` where the version did not change (INF-07).
  struct Sink {
    virtual ~Sink() = default;
    virtual void OnNotification(Notification notification, bool sync) = 0;
    virtual void OnBatchDone() = 0;  // the queue has counted it: it may have synced
  };

  // All must outlive the controller.
  Controller(Loop& loop, DeltaQueue& queue, Indexer& store, Sink& sink, PlantedBugs bugs = {});

  // Until `stop`, when it closes the queue; what is queued then is abandoned (CTL-02).
  Task<void> ProcessLoop(Signal& stop);
  // One batch, as ProcessLoop does; public for tests.
  void Process(const std::vector<Delta>& batch);

 private:
  void ProcessBatch(const std::vector<Delta>& batch, bool initial);
  void ProcessReplacedAll(const Delta& delta, bool initial);
  void ProcessSyncAll();
  void Changed(const ObjectRef& old_object, const ObjectRef& object, bool initial);
  void Gone(const ObjectRef& object, bool final_state_unknown);

  Loop& loop_;
  DeltaQueue& queue_;
  Indexer& store_;
  Sink& sink_;
  PlantedBugs bugs_;
};

}  // namespace relist
