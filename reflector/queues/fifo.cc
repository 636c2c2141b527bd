#include "reflector/queues/fifo.h"

#include "reflector/parity_switch.h"

namespace relist {

Result<void> Fifo::Add(ObjectRef object) {
  Result<ObjectKey> key = KeyOf(key_, *object);
  if (!key.ok()) return key.error();
  Populated();
  Put(std::move(*key), std::move(object));
  return {};
}

void Fifo::Put(ObjectKey key, ObjectRef object) {
  ObjectRef& slot = items_[key];
  const bool waits = slot != nullptr;
  if (!waits) queue_.push_back(std::move(key));
  if (!waits || Behaves("DFF-07")) slot = std::move(object);
  wake_.Raise();
}

Result<void> Fifo::Delete(ObjectRef object) {
  const Result<ObjectKey> key = KeyOf(key_, *object);
  if (!key.ok()) return key.error();
  Populated();
  items_.erase(*key);
  return {};
}

Result<void> Fifo::Replace(std::vector<ObjectRef> objects, const std::string&) {
  std::vector<ObjectKey> keys;
  for (const ObjectRef& object : objects) {
    Result<ObjectKey> key = KeyOf(key_, *object);
    if (!key.ok()) return key.error();
    keys.push_back(std::move(*key));
  }
  items_.clear();
  queue_.clear();
  for (size_t i = 0; i < objects.size(); ++i) Put(std::move(keys[i]), std::move(objects[i]));
  if (populated_) return {};
  populated_ = true;
  initial_left_ = items_.size();
  CheckSynced();
  return {};
}

std::optional<Fifo::Popped> Fifo::TryPop() {
  Popped popped;
  popped.in_initial_list = !HasSynced();
  while (!popped.object && !queue_.empty()) {
    if (initial_left_ > 0) --initial_left_;
    const auto item = items_.find(queue_.front());
    queue_.pop_front();
    if (item == items_.end()) continue;  // deleted since
    popped.object = std::move(item->second);
    items_.erase(item);
  }
  if (popped.object) return popped;
  CheckSynced();
  return std::nullopt;
}

Result<ObjectRef> Fifo::Get(const Object& object) {
  const Result<ObjectKey> key = KeyOf(key_, object);
  if (!key.ok()) return key.error();
  return GetByKey(*key);
}

Result<ObjectRef> Fifo::GetByKey(const ObjectKey& key) {
  const auto item = items_.find(key);
  return item == items_.end() ? nullptr : item->second;
}

std::vector<ObjectRef> Fifo::List() {
  std::vector<ObjectRef> out;
  for (const auto& [key, object] : items_) out.push_back(object);
  return out;
}

std::vector<ObjectKey> Fifo::ListKeys() {
  std::vector<ObjectKey> out;
  for (const auto& [key, object] : items_) out.push_back(key);
  return out;
}

void Fifo::Populated() {
  populated_ = true;
  CheckSynced();
}

void Fifo::CheckSynced() {
  if (populated_ && initial_left_ == 0 && !synced_.Ready()) synced_.Set();
}

Task<Result<Fifo::Popped>> Next(Loop& loop, Fifo& fifo) {
  for (;;) {
    std::optional<Fifo::Popped> popped = fifo.TryPop();
    if (popped) co_return std::move(*popped);
    if (fifo.closed()) co_return QueueClosed();
    Select which(loop, fifo.source());
    co_await which;
  }
}

}  // namespace relist
