#include "reflector/queues/real_fifo.h"

#include <algorithm>
#include <map>
#include <set>

#include "reflector/parity_switch.h"

namespace relist {
namespace {

bool Batchable(DeltaType type) {
  return type != DeltaType::kReplacedAll && type != DeltaType::kSyncAll &&
         type != DeltaType::kBookmark;
}

Delta DeltaOf(DeltaType type, ObjectRef object) {
  return {.type = type, .object = std::move(object), .resource_version = {}, .all = nullptr};
}

}  // namespace

RealFifo::RealFifo(RealFifoOptions options) : options_(std::move(options)), wake_(queue_) {
  CHECK(options_.atomic == (options_.known_objects == nullptr) || !Behaves("RFF-16"),
        "the store belongs to the classic queue, and only to it");
  CHECK(options_.batch_size > 0, "a batch of nothing");
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

Result<ObjectKey> RealFifo::KeyOf(const Delta& delta) const {
  CHECK(delta.object, "a delta of all objects has no key");
  static const KeyFunction kOwn;
  return relist::KeyOf(Behaves("RFF-14") ? options_.key : kOwn, *delta.object);
}

// The queue counts as populated even if the object is then refused (RFF-02).
Result<void> RealFifo::Queue(DeltaType type, ObjectRef object) {
  if (Behaves("RFF-02")) populated_ = true;
  Result<void> queued = PushObject(type, std::move(object), options_.transform);
  if (queued.ok()) populated_ = true;
  CheckSynced();
  return queued;
}

Result<void> RealFifo::PushObject(DeltaType type, ObjectRef object, const Transform& transform) {
  Delta delta = DeltaOf(type, std::move(object));
  if (options_.key) {
    const Result<ObjectKey> key = KeyOf(delta);
    if (!key.ok()) return key.error();
  }
  if (transform) {
    Result<ObjectRef> changed = transform(delta.object);
    if (!changed.ok()) return changed.error();
    delta.object = std::move(*changed);
  }
  Push(std::move(delta));
  return {};
}

void RealFifo::Push(Delta delta) {
  queue_.push_back(std::move(delta));
  wake_.Raise();
}

Result<void> RealFifo::Replace(std::vector<ObjectRef> objects,
                               const std::string& resource_version) {
  Result<void> replaced = options_.atomic ? ReplaceAll(std::move(objects), resource_version)
                                          : ReplaceEach(std::move(objects));
  if (!replaced.ok()) return replaced;
  if (!populated_) {
    populated_ = true;
    if (Behaves("RFF-06")) initial_left_ = queue_.size();
  }
  if (Behaves("RFF-07")) CheckSynced();
  return {};
}

// One delta, if every object passes the transform, else none (RFF-05).
Result<void> RealFifo::ReplaceAll(std::vector<ObjectRef> objects,
                                  const std::string& resource_version) {
  if (options_.transform) {
    for (ObjectRef& object : objects) {
      Result<ObjectRef> changed = options_.transform(object);
      if (!changed.ok() && Behaves("RFF-05")) return changed.error();
      if (changed.ok()) object = std::move(*changed);
    }
  }
  Delta delta;
  delta.type = DeltaType::kReplacedAll;
  delta.resource_version = resource_version;
  delta.all = std::make_shared<const std::vector<ObjectRef>>(std::move(objects));
  Push(std::move(delta));
  return {};
}

// Deletions go first (RFF-04). An Error comes midway: what was queued stays.
Result<void> RealFifo::ReplaceEach(std::vector<ObjectRef> objects) {
  Result<std::vector<Delta>> deletions = DeletionsOf(objects);
  if (!deletions.ok()) return deletions.error();
  if (Behaves("RFF-04")) {
    for (Delta& delta : *deletions) Push(std::move(delta));
  }
  for (ObjectRef& object : objects) {
    Result<void> queued = PushObject(DeltaType::kReplaced, std::move(object), options_.transform);
    if (queued.ok()) continue;
    Error error = queued.error();
    error.status.message = "couldn't enqueue object: " + error.message();
    return error;
  }
  if (!Behaves("RFF-04")) {
    for (Delta& delta : *deletions) Push(std::move(delta));
  }
  return {};
}

// What is queued or stored but not in the new list is gone, in its last state, unless its deletion
// is what is queued last.
Result<std::vector<Delta>> RealFifo::DeletionsOf(const std::vector<ObjectRef>& objects) const {
  std::set<ObjectKey> listed;
  for (const ObjectRef& object : objects) {
    Result<ObjectKey> key = relist::KeyOf(options_.key, *object);
    if (!key.ok()) return key.error();
    listed.insert(std::move(*key));
  }
  std::map<ObjectKey, size_t> last;  // of each queued key: its place in `queued`
  std::vector<const Delta*> queued;
  for (const Delta& delta : queue_) {
    Result<ObjectKey> key = KeyOf(delta);
    if (!key.ok()) return key.error();
    const auto [at, first] = last.emplace(std::move(*key), queued.size());
    if (first) queued.push_back(nullptr);
    queued[at->second] = listed.contains(at->first) ? nullptr : &delta;
  }
  std::vector<Delta> deletions;
  const auto gone = [&deletions](const ObjectRef& object) {
    deletions.push_back(DeltaOf(DeltaType::kDeleted, object));
    deletions.back().final_state_unknown = true;
  };
  for (const Delta* delta : queued) {
    if (!delta) continue;
    if (delta->type != DeltaType::kDeleted || !Behaves("RFF-04b")) gone(delta->object);
  }
  options_.known_objects->Visit([&](const ObjectKey& key, const ObjectRef& known) {
    if (!listed.contains(key) && !last.contains(key)) gone(known);
  });
  return deletions;
}

Result<void> RealFifo::Resync() {
  if (options_.atomic) {
    if (Behaves("RFF-12")) Push(DeltaOf(DeltaType::kSyncAll, nullptr));
    return {};
  }
  std::set<ObjectKey> queued;
  for (const Delta& delta : queue_) {
    Result<ObjectKey> key = KeyOf(delta);
    if (!key.ok()) return key.error();
    queued.insert(std::move(*key));
  }
  std::vector<ObjectRef> known;
  options_.known_objects->Visit([&](const ObjectKey& key, const ObjectRef& object) {
    // What is queued is newer than what is stored.
    if (!queued.contains(key) || !Behaves("RFF-12b")) known.push_back(object);
  });
  for (ObjectRef& object : known) {
    Result<void> pushed = PushObject(DeltaType::kSync, std::move(object), {});
    if (!pushed.ok()) return pushed;
  }
  return {};
}

void RealFifo::Bookmark(const std::string& resource_version) {
  if (!options_.atomic || !Behaves("RFF-13")) return;
  Push({.type = DeltaType::kBookmark,
        .object = nullptr,
        .resource_version = resource_version,
        .all = nullptr});
}

std::vector<Delta> RealFifo::PopBatch() {
  std::vector<Delta> batch;
  if (queue_.empty()) return batch;
  in_initial_list_ = !HasSynced() && Behaves("RFF-09");
  // A batch does not cross the end of the initial population (RFF-10).
  const bool whole = initial_left_ == 0 || !Behaves("RFF-10");
  const size_t most =
      std::min({options_.batch_size, queue_.size(), whole ? queue_.size() : initial_left_});
  in_batch_.Clear();
  own_keys_.clear();
  while (batch.size() < most) {
    Delta& head = queue_.front();
    const Place place = most == 1 ? Place::kLast : PlaceOf(head, batch.empty());
    if (place == Place::kNext) break;
    batch.push_back(std::move(head));
    queue_.pop_front();
    if (place == Place::kLast) break;
  }
  if (!Behaves("RFF-08")) CountProcessed(batch.size());
  return batch;
}

// What stands for all is alone in its batch; a batch has a key once; what has no key ends it.
RealFifo::Place RealFifo::PlaceOf(const Delta& delta, bool batch_is_empty) {
  if (!Batchable(delta.type)) {
    return batch_is_empty || !Behaves("RFF-10b") ? Place::kLast : Place::kNext;
  }
  const ObjectKey* key = &delta.object->key();
  if (options_.key) {
    Result<ObjectKey> own = KeyOf(delta);
    if (!own.ok() && Behaves("RFF-10d")) return Place::kLast;
    if (own.ok()) key = &own_keys_.emplace_back(std::move(*own));
  }
  return in_batch_.Insert(*key) || !Behaves("RFF-10c") ? Place::kIn : Place::kNext;
}

// Not before: whoever sees "synced" finds the initial population dealt with (RFF-08).
void RealFifo::Done(const std::vector<Delta>& batch) {
  if (Behaves("RFF-08")) CountProcessed(batch.size());
}

void RealFifo::CountProcessed(size_t deltas) {
  initial_left_ -= std::min(initial_left_, deltas);
  CheckSynced();
}

void RealFifo::Close() {
  if (Behaves("RFF-15")) wake_.Close();
}

void RealFifo::CheckSynced() {
  if (populated_ && initial_left_ == 0 && !synced_.Ready()) synced_.Set();
}

}  // namespace relist
