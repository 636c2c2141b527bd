#include "reflector/queues/delta_fifo.h"

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
  const Result<ObjectKey> key = relist::KeyOf(options_.key, *object);
  if (!key.ok()) return key.error();
  Populated();
  const bool known = options_.known_objects && options_.known_objects->Get(*key);
  if (Behaves("DFF-02") && !known && !items_.contains(*key)) return {};
  return Queue(DeltaType::kDeleted, std::move(object), Origin::kOutside);
}

Result<ObjectKey> DeltaFifo::KeyOf(const Delta& delta) const {
  return relist::KeyOf(options_.key, *delta.object);
}

Result<void> DeltaFifo::Queue(DeltaType type, ObjectRef object, Origin origin) {
  const Result<ObjectKey> key = relist::KeyOf(options_.key, *object);
  if (!key.ok()) return key.error();
  if (options_.transform && (origin == Origin::kOutside || !Behaves("DFF-04b"))) {
    Result<ObjectRef> changed = options_.transform(object);
    if (!changed.ok()) return changed.error();
    object = std::move(*changed);
  }
  Push(*key, {.type = type, .object = std::move(object), .resource_version = {}, .all = nullptr});
  return {};
}

void DeltaFifo::Push(const ObjectKey& key, Delta delta) {
  std::vector<Delta>& deltas = items_[key];
  if (deltas.empty()) queue_.push_back(key);
  if (!Collapses(&deltas, &delta)) deltas.push_back(std::move(delta));
  wake_.Raise();
}

Result<void> DeltaFifo::Replace(std::vector<ObjectRef> objects, const std::string&) {
  const DeltaType type =
      options_.emit_delta_type_replaced ? DeltaType::kReplaced : DeltaType::kSync;
  std::set<ObjectKey> listed;
  for (ObjectRef& object : objects) {
    Result<ObjectKey> key = relist::KeyOf(options_.key, *object);
    if (!key.ok()) return key.error();
    listed.insert(std::move(*key));
    Result<void> queued = Queue(type, std::move(object), Origin::kOutside);
    if (queued.ok()) continue;
    Error error = queued.error();
    error.status.message = "couldn't enqueue object: " + error.message();
    return error;
  }
  const size_t deletions = Behaves("DFF-03") ? QueueDeletions(listed) : 0;
  if (populated_) return {};
  populated_ = true;
  initial_left_ = listed.size() + deletions;
  CheckSynced();
  return {};
}

// What is queued or known, and is not in the list, is gone (DFF-03).
size_t DeltaFifo::QueueDeletions(const std::set<ObjectKey>& listed) {
  std::vector<std::pair<ObjectKey, ObjectRef>> gone;
  for (const ObjectKey& key : queue_) {
    if (!listed.contains(key)) gone.emplace_back(key, items_.at(key).back().object);
  }
  if (options_.known_objects) {
    options_.known_objects->Visit([&](const ObjectKey& key, const ObjectRef& known) {
      if (!listed.contains(key) && !items_.contains(key)) gone.emplace_back(key, known);
    });
  }
  for (auto& [key, object] : gone) {
    Push(key, {.type = DeltaType::kDeleted,
               .object = std::move(object),
               .final_state_unknown = true,
               .resource_version = {},
               .all = nullptr});
  }
  return gone.size();
}

Result<void> DeltaFifo::Resync() {
  if (!options_.known_objects) return {};
  std::vector<ObjectRef> known;
  options_.known_objects->Visit([&](const ObjectKey& key, const ObjectRef& object) {
    // What waits is newer than what the store has (DFF-04).
    if (!items_.contains(key) || !Behaves("DFF-04")) known.push_back(object);
  });
  for (ObjectRef& object : known) {
    Result<void> queued = Queue(DeltaType::kSync, std::move(object), Origin::kOurOwn);
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
  if (Behaves("DFF-05")) CheckSynced();
  return batch;
}

void DeltaFifo::Done(const std::vector<Delta>&) {
  if (!Behaves("DFF-05")) CheckSynced();
}

void DeltaFifo::Populated() {
  populated_ = true;
  CheckSynced();
}

void DeltaFifo::CheckSynced() {
  if (populated_ && initial_left_ == 0 && !synced_.Ready()) synced_.Set();
}

}  // namespace relist
