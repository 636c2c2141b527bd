#include "reflector/stores/object_table.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <string_view>

namespace relist {
namespace {

constexpr size_t kSlotsMin = 16;
constexpr size_t kSlotsWorthGivingBack = 4096;

}  // namespace

uint32_t HashOf(const ObjectKey& key) {
  const std::hash<std::string_view> hash;
  const uint64_t both = hash(key.name) ^ (hash(key.ns) * 0x9e3779b97f4a7c15u);
  return static_cast<uint32_t>(both ^ (both >> 32));
}

size_t ObjectTable::SlotOf(const ObjectKey& key, uint32_t hash) const {
  const size_t mask = slots_.size() - 1;
  for (size_t at = hash & mask;; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (!slot.entry || (slot.hash == hash && slot.entry->key() == key)) return at;
  }
}

StoreEntry* ObjectTable::Find(const ObjectKey& key) const {
  return slots_.empty() ? nullptr : slots_[SlotOf(key, HashOf(key))].entry;
}

StoreEntry* ObjectTable::AddUnordered(const ObjectKey& key, ObjectRef object) {
  Reserve(used_ + 1);
  const uint32_t hash = HashOf(key);
  Slot& slot = slots_[SlotOf(key, hash)];
  if (unused_.empty()) unused_.push_back(&entries_.emplace_back());
  StoreEntry* entry = unused_.back();
  unused_.pop_back();
  Exchange(entry, key, std::move(object));
  entry->hash = hash;
  slot = {entry, hash};
  ++used_;
  return entry;
}

StoreEntry* ObjectTable::Add(const ObjectKey& key, ObjectRef object) {
  StoreEntry* entry = AddUnordered(key, std::move(object));
  order_.Insert(entry);
  return entry;
}

ObjectRef ObjectTable::Exchange(StoreEntry* entry, const ObjectKey& key, ObjectRef object) {
  if (&key != &object->key() && !entry->other_key && key != object->key()) {
    entry->other_key = std::make_unique<const ObjectKey>(key);
  }
  std::swap(entry->object, object);
  return object;
}

ObjectRef ObjectTable::Erase(StoreEntry* entry) {
  order_.Erase(entry);
  return Forget(entry);
}

ObjectRef ObjectTable::Forget(StoreEntry* entry) {
  const size_t mask = slots_.size() - 1;
  size_t hole = entry->hash & mask;
  while (slots_[hole].entry != entry) hole = (hole + 1) & mask;
  // Whoever stands behind, and could stand in the hole, moves up: a search ends at a free slot.
  for (size_t at = (hole + 1) & mask; slots_[at].entry; at = (at + 1) & mask) {
    const size_t home = slots_[at].hash & mask;
    if (((at - home) & mask) < ((at - hole) & mask)) continue;
    slots_[hole] = slots_[at];
    hole = at;
  }
  slots_[hole] = {};
  --used_;
  unused_.push_back(entry);
  entry->other_key.reset();
  return std::move(entry->object);
}

void ObjectTable::Reserve(size_t entries) {
  const size_t slots = std::bit_ceil(std::max(kSlotsMin, entries + entries / 2));
  if (slots > slots_.size()) Rehash(slots);
}

void ObjectTable::Rehash(size_t slots) {
  const std::vector<Slot> before = std::exchange(slots_, std::vector<Slot>(slots));
  const size_t mask = slots - 1;
  for (const Slot& slot : before) {
    if (!slot.entry) continue;
    size_t at = slot.hash & mask;
    while (slots_[at].entry) at = (at + 1) & mask;
    slots_[at] = slot;
  }
}

std::vector<ObjectRef> ObjectTable::KeepMarked(std::vector<StoreEntry*> marked) {
  std::vector<StoreEntry*> leaving;
  order_.ForEach([&leaving](StoreEntry& entry) {
    if (entry.mark == 0) leaving.push_back(&entry);
  });
  if (!leaving.empty() || marked.size() != order_.size()) {
    const auto before = [](const StoreEntry* a, const StoreEntry* b) {
      return a->key() < b->key();
    };
    if (!std::is_sorted(marked.begin(), marked.end(), before)) {
      std::sort(marked.begin(), marked.end(), before);
    }
    order_.Assign(marked);
  }
  for (StoreEntry* entry : marked) entry->mark = 0;
  std::vector<ObjectRef> gone;
  gone.reserve(leaving.size());
  for (StoreEntry* entry : leaving) gone.push_back(Forget(entry));
  if (slots_.size() >= kSlotsWorthGivingBack && used_ < slots_.size() / 16) Compact();
  return gone;
}

void ObjectTable::Compact() {
  ObjectTable small;
  small.Reserve(used_);
  std::vector<StoreEntry*> sorted;
  sorted.reserve(used_);
  order_.ForEach([&small, &sorted](StoreEntry& entry) {
    sorted.push_back(small.AddUnordered(entry.key(), entry.object));
  });
  small.order_.Assign(sorted);
  *this = std::move(small);
}

}  // namespace relist
