#include "reflector/queues/real_fifo.h"

#include <algorithm>
#include <set>

namespace relist {
namespace {

bool Batchable(DeltaType type) {
  return type != DeltaType::kReplacedAll && type != DeltaType::kSyncAll &&
         type != DeltaType::kBookmark;
}

struct ByKey {
  bool operator()(const Object* a, const Object* b) const { return a->key() < b->key(); }
};

}  // namespace

RealFifo::RealFifo(RealFifoOptions options) : options_(std::move(options)), wake_(queue_) {
  CHECK(options_.atomic == (options_.known_objects == nullptr),
        "the store belongs to the classic queue, and only to it");
}

Result<void> RealFifo::Add(ObjectRef object) {
  return Queue(DeltaType::kAdded, std::move(object));
}

Result<void> RealFifo::Update(ObjectRef object) {
  return Queue(DeltaType::kUpdated, std::move(object));
}

Result<void> RealFifo::Delete(ObjectRef object) {
  return Queue(DeltaType::kDeleted, std::move(object));
}

// The queue counts as populated even if the transform then refuses the object (RFF-02).
Result<void> RealFifo::Queue(DeltaType type, ObjectRef object) {
  populated_ = true;
  if (options_.transform) {
    Result<ObjectRef> changed = options_.transform(object);
    if (!changed.ok()) {
      CheckSynced();
      return changed.error();
    }
    object = std::move(*changed);
  }
  Push({.type = type, .object = std::move(object), .resource_version = {}, .all = nullptr});
  CheckSynced();
  return {};
}

void RealFifo::Push(Delta delta) {
  queue_.push_back(std::move(delta));
  wake_.Raise();
}

Result<std::vector<ObjectRef>> RealFifo::TransformAll(std::vector<ObjectRef> objects) const {
  if (!options_.transform) return objects;
  for (ObjectRef& object : objects) {
    Result<ObjectRef> changed = options_.transform(object);
    if (!changed.ok()) return changed.error();
    object = std::move(*changed);
  }
  return objects;
}

Result<void> RealFifo::Replace(std::vector<ObjectRef> objects,
                               const std::string& resource_version) {
  Result<std::vector<ObjectRef>> all = TransformAll(std::move(objects));
  if (!all.ok()) return all.error();
  if (options_.atomic) {
    Push({.type = DeltaType::kReplacedAll,
          .object = nullptr,
          .resource_version = resource_version,
          .all = std::make_shared<const std::vector<ObjectRef>>(std::move(*all))});
  } else {
    QueueDeletionsClassic(*all);
    for (ObjectRef& object : *all) {
      Push({.type = DeltaType::kReplaced,
            .object = std::move(object),
            .resource_version = {},
            .all = nullptr});
    }
  }
  if (!populated_) {
    populated_ = true;
    initial_left_ = queue_.size();
  }
  CheckSynced();
  return {};
}

// What is queued or stored but not in the new list is gone (RFF-04); deletions go first.
void RealFifo::QueueDeletionsClassic(const std::vector<ObjectRef>& objects) {
  std::set<const Object*, ByKey> listed;
  for (const ObjectRef& object : objects) listed.insert(object.get());
  std::set<const Object*, ByKey> queued;
  std::vector<Delta> deletions;
  const auto gone = [&deletions](const ObjectRef& object) {
    deletions.push_back({.type = DeltaType::kDeleted,
                         .object = object,
                         .final_state_unknown = true,
                         .resource_version = {},
                         .all = nullptr});
  };
  for (auto it = queue_.rbegin(); it != queue_.rend(); ++it) {
    if (!it->object || !queued.insert(it->object.get()).second) continue;
    if (!listed.contains(it->object.get()) && it->type != DeltaType::kDeleted) gone(it->object);
  }
  std::reverse(deletions.begin(), deletions.end());
  for (const ObjectRef& known : options_.known_objects->List()) {
    if (!listed.contains(known.get()) && !queued.contains(known.get())) gone(known);
  }
  for (Delta& delta : deletions) Push(std::move(delta));
}

Result<void> RealFifo::Resync() {
  if (options_.atomic) {
    Push({.type = DeltaType::kSyncAll, .object = nullptr, .resource_version = {}, .all = nullptr});
    return {};
  }
  std::set<const Object*, ByKey> queued;
  for (const Delta& delta : queue_) {
    if (delta.object) queued.insert(delta.object.get());
  }
  for (const ObjectRef& known : options_.known_objects->List()) {
    if (queued.contains(known.get())) continue;
    Push({.type = DeltaType::kSync, .object = known, .resource_version = {}, .all = nullptr});
  }
  return {};
}

void RealFifo::Bookmark(const std::string& resource_version) {
  if (!options_.atomic) return;
  Push({.type = DeltaType::kBookmark,
        .object = nullptr,
        .resource_version = resource_version,
        .all = nullptr});
}

std::vector<Delta> RealFifo::PopBatch() {
  std::vector<Delta> batch;
  if (queue_.empty()) return batch;
  in_initial_list_ = !HasSynced();
  // A batch does not cross the end of the initial population, and holds a key once (RFF-10).
  const size_t most = std::min({options_.batch_size, queue_.size(),
                                initial_left_ > 0 ? initial_left_ : options_.batch_size});
  std::set<const Object*, ByKey> keys;
  while (batch.size() < most) {
    Delta& head = queue_.front();
    const bool batchable = Batchable(head.type);
    if (!batchable && !batch.empty()) break;
    if (batchable && most > 1 && !keys.insert(head.object.get()).second) break;
    batch.push_back(std::move(head));
    queue_.pop_front();
    if (!batchable) break;
  }
  return batch;
}

void RealFifo::Done(const std::vector<Delta>& batch) {
  initial_left_ -= std::min(initial_left_, batch.size());
  CheckSynced();
}

void RealFifo::CheckSynced() {
  if (HasSynced() && !synced_.Ready()) synced_.Set();
}

}  // namespace relist
