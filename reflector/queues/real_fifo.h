// The queue between reflector and controller: single deltas in the order in which they came
// (client-go's RealFIFO, atomic mode by default as since 0.36; catalogue RFF-01 to RFF-16).
//
//   RealFifo fifo;
//   fifo.Replace(objects, "42");
//   std::vector<Delta> batch = fifo.PopBatch();   // one ReplacedAll
//   ... apply it ...
//   fifo.Done(batch);                             // "synced" moves after processing, not at pop
//
// Belongs to the loop's thread. Two or more deltas come in one batch only if a batch may hold them
// (RFF-10).
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/runtime/source.h"
#include "core/wire/object.h"
#include "reflector/queues/delta_queue.h"
#include "reflector/stores/indexer.h"

namespace relist {

struct RealFifoOptions {
  bool atomic = true;
  // Classic mode needs to see the store, to work out deletions (RFF-04); atomic mode must not have
  // it (RFF-16).
  const Indexer* known_objects = nullptr;
  Transform transform;       // may be empty
  size_t batch_size = 1000;  // deltas a batch holds at most; 1 is client-go before 0.35
};

class RealFifo : public DeltaQueue {
 public:
  explicit RealFifo(RealFifoOptions options = {});

  // ---- the reflector's side
  Result<void> Add(ObjectRef object) override;
  Result<void> Update(ObjectRef object) override;
  Result<void> Delete(ObjectRef object) override;
  Result<void> Replace(std::vector<ObjectRef> objects,
                       const std::string& resource_version) override;
  Result<void> Resync() override;
  void Bookmark(const std::string& resource_version) override;
  const Transform& transform() const override { return options_.transform; }

  // ---- the controller's side
  Source& source() override { return wake_; }
  // Up to batch_size (RFF-10).
  std::vector<Delta> PopBatch() override;
  void Done(const std::vector<Delta>& batch) override;
  bool in_initial_list() const override { return in_initial_list_; }
  bool one_at_a_time() const override { return false; }
  // RFF-06 to RFF-08: "synced" moves when the last of the initial population was processed.
  bool HasSynced() const override { return populated_ && initial_left_ == 0; }
  Signal& synced() override { return synced_; }
  size_t size() const override { return queue_.size(); }
  void Close() override { wake_.Close(); }
  bool closed() const override { return wake_.closed(); }

 private:
  Result<void> Queue(DeltaType type, ObjectRef object);
  void Push(Delta delta);
  Result<std::vector<ObjectRef>> TransformAll(std::vector<ObjectRef> objects) const;
  void QueueDeletionsClassic(const std::vector<ObjectRef>& objects);
  void CheckSynced();

  RealFifoOptions options_;
  std::deque<Delta> queue_;
  QueueReadiness<std::deque<Delta>> wake_;
  bool populated_ = false;
  bool in_initial_list_ = false;
  size_t initial_left_ = 0;
  Signal synced_;
};

}  // namespace relist
