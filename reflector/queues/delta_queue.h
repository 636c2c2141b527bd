// What stands between reflector and controller: deltas, in the order in which they are to be
// applied. RealFifo and DeltaFifo are two; an informer takes either (client-go's Queue and
// QueueWithBatch).
//
//   std::vector<Delta> batch = queue.PopBatch();
//   ... apply it ...
//   queue.Done(batch);
//
// or, in a task of one's own, until somebody closes it:
//
//   Task<Result<std::vector<Delta>>> next = NextBatch(loop, queue);
//   Result<std::vector<Delta>> batch = co_await next;
//
// Belongs to the loop's thread, with one consumer.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/runtime/loop.h"
#include "core/runtime/source.h"
#include "core/wire/object.h"
#include "reflector/reflector_store.h"

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

class DeltaQueue : public ReflectorStore {
 public:
  // Ready while there is something to pop, and once it was closed.
  virtual Source& source() = 0;
  // The next deltas; empty if there are none now.
  virtual std::vector<Delta> PopBatch() = 0;
  // The batch was processed. Every batch that was popped is handed back here before the next pop.
  virtual void Done(const std::vector<Delta>& batch) = 0;
  // Of the last batch: popped before the queue had synced (RFF-09).
  virtual bool in_initial_list() const = 0;
  // The deltas of a batch are applied and told one after another, not written together first.
  virtual bool one_at_a_time() const = 0;
  // True once the initial population is through.
  virtual bool HasSynced() const = 0;
  virtual Signal& synced() = 0;
  virtual size_t size() const = 0;  // deltas, or keys, that wait
  // Wakes who waits to pop. Writes still succeed, what is queued can still be popped (RFF-15).
  virtual void Close() = 0;
  virtual bool closed() const = 0;
};

// Waits until there is a batch; an Error(kStopped) of a queue that is closed and empty.
Task<Result<std::vector<Delta>>> NextBatch(Loop& loop, DeltaQueue& queue);
Error QueueClosed();  // that Error, with client-go's words

// What a queue's source() is: ready while `queue` has something, and for good once it was closed.
template <class Container>
class QueueReadiness : public Source {
 public:
  explicit QueueReadiness(const Container& queue) : queue_(queue) {}
  bool Ready() const override { return closed_ || !queue_.empty(); }
  void Raise() { Notify(); }
  void Close() {
    closed_ = true;
    Notify();
  }
  bool closed() const { return closed_; }

 private:
  const Container& queue_;
  bool closed_ = false;
};

}  // namespace relist
