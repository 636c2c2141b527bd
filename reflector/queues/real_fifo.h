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
#include "reflector/reflector_store.h"
#include "reflector/stores/indexer.h"

namespace relist {

enum class DeltaType {
  kAdded,
  kUpdated,
  kDeleted,
  kReplaced,
  kSync,
  kReplacedAll,
  kSyncAll,
  kBookmark
};

struct Delta {
  DeltaType type = DeltaType::kAdded;
  ObjectRef object;                  // null for kReplacedAll, kSyncAll, kBookmark
  bool final_state_unknown = false;  // of kDeleted: inferred; `object` is the last known state
  std::string resource_version;      // of kReplacedAll and kBookmark
  std::shared_ptr<const std::vector<ObjectRef>> all;  // of kReplacedAll
};

struct RealFifoOptions {
  bool atomic = true;
  // Classic mode needs to see the store, to work out deletions (RFF-04); atomic mode must not have
  // it (RFF-16).
  const Indexer* known_objects = nullptr;
  Transform transform;  // may be empty
};

class RealFifo : public ReflectorStore {
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
  // Ready when there is something to pop, or it was closed.
  Source& source() { return wake_; }
  // The next deltas, up to 1000; empty if there are none now.
  std::vector<Delta> PopBatch();
  // The batch was processed.
  void Done(const std::vector<Delta>& batch);
  // True once the initial population was processed (RFF-06 to RFF-09).
  bool HasSynced() const { return populated_ && initial_left_ == 0; }
  Signal& synced() { return synced_; }
  size_t size() const { return queue_.size(); }

 private:
  // Ready while the queue is not empty.
  class Readiness : public Source {
   public:
    explicit Readiness(const std::deque<Delta>& queue) : queue_(queue) {}
    bool Ready() const override { return !queue_.empty(); }
    void Raise() { Notify(); }

   private:
    const std::deque<Delta>& queue_;
  };

  Result<void> Queue(DeltaType type, ObjectRef object);
  void Push(Delta delta);
  Result<std::vector<ObjectRef>> TransformAll(std::vector<ObjectRef> objects) const;
  void QueueDeletionsClassic(const std::vector<ObjectRef>& objects);
  void CheckSynced();

  RealFifoOptions options_;
  std::deque<Delta> queue_;
  Readiness wake_;
  bool populated_ = false;
  size_t initial_left_ = 0;
  Signal synced_;
};

}  // namespace relist
