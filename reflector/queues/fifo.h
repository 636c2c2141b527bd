// A queue of objects, each in its newest state: what changes several times while it waits comes
// once, what is deleted does not come at all (client-go's FIFO; catalogue DFF-07).
//
//   Fifo fifo;
//   fifo.Add(a1); fifo.Add(b1); fifo.Update(a2);
//   fifo.TryPop()->object;   // a2, at a1's place in the line
//
// For who wants to look at every object once in its newest state and does not mind deletions; no
// informer takes it. It looks like a Store of what waits, lists in key order. Belongs to the loop's
// thread.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/runtime/loop.h"
#include "core/runtime/source.h"
#include "reflector/queues/delta_queue.h"
#include "reflector/stores/store.h"

namespace relist {

class Fifo : public Store {
 public:
  struct Popped {
    ObjectRef object;
    bool in_initial_list = false;  // the queue had not synced before
  };

  explicit Fifo(KeyFunction key = {}) : key_(std::move(key)), wake_(items_) {}

  // ---- the reflector's side
  Result<void> Add(ObjectRef object) override;
  Result<void> Update(ObjectRef object) override { return Add(std::move(object)); }
  Result<void> Delete(ObjectRef object) override;
  // What waited is forgotten; these wait now, in their order.
  Result<void> Replace(std::vector<ObjectRef> objects,
                       const std::string& resource_version) override;
  // Every object waits already: does nothing.
  Result<void> Resync() override { return {}; }

  // ---- what waits
  Result<ObjectRef> Get(const Object& object) override;
  Result<ObjectRef> GetByKey(const ObjectKey& key) override;
  std::vector<ObjectRef> List() override;
  std::vector<ObjectKey> ListKeys() override;
  std::string resource_version() const override { return ""; }

  // ---- the consumer's side
  // Ready while something waits, and once it was closed.
  Source& source() { return wake_; }
  // The object that waits longest; nothing where none does now. It is to be told by Done.
  std::optional<Popped> TryPop();
  // What was popped was processed. "Synced" moves here, not at pop.
  void Done() { CheckSynced(); }
  // True once the first list was processed; at once where an event came first.
  bool HasSynced() const { return synced_.Ready(); }
  Signal& synced() { return synced_; }
  // As of DeltaQueue: wakes who waits; writes and what waits still go through.
  void Close() { wake_.Close(); }
  bool closed() const { return wake_.closed(); }

 private:
  void Put(ObjectKey key, ObjectRef object);
  void Populated();
  void CheckSynced();

  const KeyFunction key_;
  std::map<ObjectKey, ObjectRef> items_;
  std::deque<ObjectKey> queue_;  // every key of items_, and some that were deleted
  QueueReadiness<std::map<ObjectKey, ObjectRef>> wake_;
  bool populated_ = false;
  size_t initial_left_ = 0;
  Signal synced_;
};

// Waits until there is one; an Error(kStopped) of a queue that is closed and empty.
Task<Result<Fifo::Popped>> Next(Loop& loop, Fifo& fifo);

}  // namespace relist
