#include "reflector/queues/delta_fifo.h"

#include <set>

#include "reflector/parity_switch.h"

namespace relist {
namespace {

// Two deletions in a row: the one that saw the final state is kept, else the later (DFF-01).
bool Collapses(std::vector<Delta>* deltas, Delta* next) {
  if (!Behaves("DFF-01")) return false;
  if (deltas->empty() || deltas->back().type != DeltaType::kDeleted ||
      next->type != DeltaType::kDeleted) {
    return false;
  }
  if (deltas->back().final_state_unknown) deltas->back() = std::move(*next);
  return true;
}

}  // namespace

DeltaFifo::DeltaFifo(DeltaFifoOptions options) : options_(std::move(options)), wake_(queue_) {}

Result<void> DeltaFifo::Add(ObjectRef object) {
  Populated();
  return Queue(DeltaType::kAdded, std::move(object), Origin::kOutside);
}

Result<void> DeltaFifo::Update(ObjectRef object) {
  Populated();
  return Queue(DeltaType::kUpdated, std::move(object), Origin::kOutside);
}

Result<void> DeltaFifo::Delete(ObjectRef object) {
  Populated();
  const ObjectKey& key = object->key();
  const bool known = options_.known_objects && options_.known_objects->Get(key);
  if (Behaves("DFF-02") && !known && !items_.contains(key)) return {};
  return Queue(DeltaType::kDeleted, std::move(object), Origin::kOutside);
}

Result<void> DeltaFifo::Queue(DeltaType type, ObjectRef object, Origin origin) {
  if (options_.transform && origin == Origin::kOutside) {
    Result<ObjectRef> changed = options_.transform(object);
    if (!changed.ok()) return changed.error();
    object = std::move(*changed);
  }
  Push({.type = type, .object = std::move(object), .resource_version = {}, .all = nullptr});
  return {};
}

void DeltaFifo::Push(Delta delta) {
  const ObjectKey key = delta.object->key();
  std::vector<Delta>& deltas = items_[key];
  if (deltas.empty()) queue_.push_back(key);
  if (!Collapses(&deltas, &delta)) deltas.push_back(std::move(delta));
  wake_.Raise();
}

Result<void> DeltaFifo::Replace(std::vector<ObjectRef> objects, const std::string&) {
  const DeltaType type =
      options_.emit_delta_type_replaced ? DeltaType::kReplaced : DeltaType::kSync;
  size_t population = 0;
  if (!Behaves("DFF-03")) QueueDeletions(objects, &population);
  for (const ObjectRef& object : objects) {
    Result<void> queued = Queue(type, object, Origin::kOutside);
    if (!queued.ok()) {
      return Error::Net(Transport::kOther, "couldn't enqueue object: " + queued.error().message());
    }
  }
  if (Behaves("DFF-03")) QueueDeletions(objects, &population);
  if (populated_) return {};
  populated_ = true;
  initial_left_ = population;
  CheckSynced();
  return {};
}

// What is queued or known, and is not in the list, is gone (DFF-03). `population` becomes the
// number of keys of the list and of deletions.
void DeltaFifo::QueueDeletions(const std::vector<ObjectRef>& objects, size_t* population) {
  std::set<ObjectKey> listed;
  for (const ObjectRef& object : objects) listed.insert(object->key());
  std::vector<ObjectRef> gone;
  for (const ObjectKey& key : queue_) {
    if (!listed.contains(key)) gone.push_back(items_.at(key).back().object);
  }
  if (options_.known_objects) {
    for (ObjectRef& known : options_.known_objects->List()) {
      if (listed.contains(known->key()) || items_.contains(known->key())) continue;
      gone.push_back(std::move(known));
    }
  }
  *population = listed.size() + gone.size();
  for (ObjectRef& object : gone) {
    Push({.type = DeltaType::kDeleted,
          .object = std::move(object),
          .final_state_unknown = true,
          .resource_version = {},
          .all = nullptr});
  }
}

Result<void> DeltaFifo::Resync() {
  if (!options_.known_objects) return {};
  for (const ObjectRef& known : options_.known_objects->List()) {
    // What waits is newer than what the store has (DFF-04).
    if (Behaves("DFF-04") && items_.contains(known->key())) continue;
    Result<void> queued = Queue(DeltaType::kSync, known, Origin::kOurOwn);
    if (!queued.ok()) return queued;
  }
  return {};
}

std::vector<Delta> DeltaFifo::PopBatch() {
  std::vector<Delta> batch;
  if (queue_.empty()) return batch;
  in_initial_list_ = !HasSynced();
  const auto item = items_.find(queue_.front());
  CHECK(item != items_.end(), "{} is queued without deltas", queue_.front().ToString());
  queue_.pop_front();
  batch = std::move(item->second);
  items_.erase(item);
  // Before it is processed: synced comes one key early (DFF-05).
  if (initial_left_ > 0) --initial_left_;
  CheckSynced();
  return batch;
}

void DeltaFifo::Populated() {
  populated_ = true;
  CheckSynced();
}

void DeltaFifo::CheckSynced() {
  if (HasSynced() && !synced_.Ready()) synced_.Set();
}

}  // namespace relist
