// The queue between reflector and controller: single deltas in the order in which they came
// (client-go's RealFIFO, atomic mode by default as since 0.36; catalogue RFF-01 to RFF-17).
//
//   RealFifo fifo;
//   fifo.Replace(objects, "42");
//   std::vector<Delta> batch = fifo.PopBatch();   // one ReplacedAll
//   ... apply it ...
//   fifo.Done(batch);                             // "synced" moves after processing, not at pop
//
// Nothing is merged: a key may be queued many times, and a deletion of a key that nobody ever saw
// is delivered like any other (RFF-03). Nothing that was popped comes back (RFF-17).
//
// Belongs to the loop's thread, like the reflector that fills it and the controller that empties
// it: where client-go locks, here tasks take turns (RFF-11).
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/runtime/source.h"
#include "core/wire/object.h"
#include "reflector/queues/delta_queue.h"
#include "reflector/queues/key_set.h"
#include "reflector/stores/indexer.h"
#include "reflector/stores/keys.h"

namespace relist {

struct RealFifoOptions {
  bool atomic = true;  // false: a list comes as a delta for each object, a resync likewise
  // Classic mode needs to see the store, to work out deletions (RFF-04); atomic mode must not have
  // it (RFF-16).
  const Indexer* known_objects = nullptr;
  Transform transform;       // may be empty; not for tombstones and resyncs
  size_t batch_size = 1000;  // deltas a batch holds at most; 1 is client-go before 0.35
  KeyFunction key;           // empty: namespace and name; that of known_objects, if there is one
};

class RealFifo : public DeltaQueue {
 public:
  explicit RealFifo(RealFifoOptions options = {});

  // ---- the reflector's side. An object without a key, or one that the transform refuses, is an
  // Error, and not queued.
  Result<void> Add(ObjectRef object) override;
  Result<void> Update(ObjectRef object) override;
  Result<void> Delete(ObjectRef object) override;
  // Atomic: all or nothing, and keys are not looked at. Classic: an Error comes midway.
  Result<void> Replace(std::vector<ObjectRef> objects,
                       const std::string& resource_version) override;
  Result<void> Resync() override;
  void Bookmark(const std::string& resource_version) override;  // atomic mode only (RFF-13)
  const Transform& transform() const override { return options_.transform; }

  // ---- the controller's side
  Source& source() override { return wake_; }
  // Up to batch_size deltas, each of another key. What stands for all objects comes alone; no batch
  // crosses the end of the initial population; a delta whose key cannot be told ends its batch
  // (RFF-10).
  std::vector<Delta> PopBatch() override;
  void Done(const std::vector<Delta>& batch) override;
  bool in_initial_list() const override { return in_initial_list_; }
  bool one_at_a_time() const override { return false; }
  // True when the last of the initial population was processed: what was queued at the first
  // Replace, or nothing where an event came before that (RFF-06 to RFF-08).
  bool HasSynced() const override { return synced_.Ready(); }
  Signal& synced() override { return synced_; }
  size_t size() const override { return queue_.size(); }
  void Close() override;
  bool closed() const override { return wake_.closed(); }
  // Of the delta's object, tombstones included (RFF-14).
  Result<ObjectKey> KeyOf(const Delta& delta) const;

 private:
  enum class Place { kIn, kLast, kNext };  // in this batch, as its last, in the next one

  Result<void> Queue(DeltaType type, ObjectRef object);
  Result<void> PushObject(DeltaType type, ObjectRef object, const Transform& transform);
  void Push(Delta delta);
  Result<void> ReplaceAll(std::vector<ObjectRef> objects, const std::string& resource_version);
  Result<void> ReplaceEach(std::vector<ObjectRef> objects);
  Result<std::vector<Delta>> DeletionsOf(const std::vector<ObjectRef>& objects) const;
  Place PlaceOf(const Delta& delta, bool batch_is_empty);
  void CountProcessed(size_t deltas);
  void CheckSynced();

  RealFifoOptions options_;
  std::deque<Delta> queue_;
  QueueReadiness<std::deque<Delta>> wake_;
  bool populated_ = false;
  bool in_initial_list_ = false;
  size_t initial_left_ = 0;
  Signal synced_;
  KeySet in_batch_;
  std::deque<ObjectKey> own_keys_;  // what in_batch_ points to, where keys are worked out
};

}  // namespace relist
