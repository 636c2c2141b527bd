// A queue of keys, each with all that happened to it since it was last popped (client-go's
// DeltaFIFO, the informers' queue until 0.32; catalogue DFF-01 to DFF-05).
//
//   DeltaFifo fifo({.known_objects = &store});
//   fifo.Add(a1); fifo.Add(b1); fifo.Update(a2);
//   fifo.PopBatch();   // Added a1, Updated a2: a key's whole story, before b's
//
// Order holds within a key, not among keys. Of two deletions in a row one is kept. A Replace queues
// its objects first, then the deletions that it implies, those of queued keys in queue order, then
// those of known ones in key order. "Synced" counts keys at pop, not when they were processed: it
// comes one key early (DFF-05).
//
// Belongs to the loop's thread.
#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/result.h"
#include "reflector/queues/delta_queue.h"
#include "reflector/stores/indexer.h"
#include "reflector/stores/keys.h"

namespace relist {

struct DeltaFifoOptions {
  // What the consumer knows: says which deletions a Replace implies, and what a Resync replays.
  // Null: only what is queued is known, and Resync does nothing.
  const Indexer* known_objects = nullptr;
  // False: the objects of a Replace come as Sync, as in the first versions.
  bool emit_delta_type_replaced = false;
  Transform transform;  // may be empty; not for tombstones and resyncs, which went through it once
  KeyFunction key;      // empty: namespace and name; that of known_objects, if there is one
};

class DeltaFifo : public DeltaQueue {
 public:
  explicit DeltaFifo(DeltaFifoOptions options = {});

  // ---- the reflector's side. An object without a key, or one that the transform refuses, is an
  // Error, and not queued.
  Result<void> Add(ObjectRef object) override;
  Result<void> Update(ObjectRef object) override;
  // Dropped where the key is neither queued nor known (DFF-02).
  Result<void> Delete(ObjectRef object) override;
  // An Error comes midway: what was queued stays queued.
  Result<void> Replace(std::vector<ObjectRef> objects,
                       const std::string& resource_version) override;
  Result<void> Resync() override;
  const Transform& transform() const override { return options_.transform; }

  // ---- the controller's side
  Source& source() override { return wake_; }
  // All deltas of the key that waits longest.
  std::vector<Delta> PopBatch() override;
  void Done(const std::vector<Delta>& batch) override;
  bool in_initial_list() const override { return in_initial_list_; }
  bool one_at_a_time() const override { return true; }
  bool HasSynced() const override { return synced_.Ready(); }
  Signal& synced() override { return synced_; }
  size_t size() const override { return queue_.size(); }
  void Close() override { wake_.Close(); }
  bool closed() const override { return wake_.closed(); }
  // Of the delta's object, tombstones included.
  Result<ObjectKey> KeyOf(const Delta& delta) const;

 private:
  // The transform is for objects that come from outside.
  enum class Origin { kOutside, kOurOwn };
  Result<void> Queue(DeltaType type, ObjectRef object, Origin origin);
  void Push(const ObjectKey& key, Delta delta);
  size_t QueueDeletions(const std::set<ObjectKey>& listed);  // how many
  void Populated();
  void CheckSynced();

  DeltaFifoOptions options_;
  std::map<ObjectKey, std::vector<Delta>> items_;  // never an empty one
  std::deque<ObjectKey> queue_;                    // the keys of items_, in order of arrival
  QueueReadiness<std::deque<ObjectKey>> wake_;
  bool populated_ = false;
  bool in_initial_list_ = false;
  size_t initial_left_ = 0;  // keys of the initial population that were not popped
  Signal synced_;
};

}  // namespace relist
