// Objects by key: found by a hash, walked in key order.
//
//   ObjectTable table;
//   StoreEntry* entry = table.Find(object->key());       // null
//   entry = table.Add(object->key(), object);
//   ObjectRef before = table.Exchange(entry, newer->key(), newer);
//
// To find one of 100,000 takes two cache misses, where a tree of keys takes seventeen and more. An
// entry costs about 70 bytes. What is erased leaves gaps that the next ones fill. Nothing but speed
// depends on hashes. No thread-safety of its own.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "core/wire/object.h"
#include "reflector/stores/key_order.h"

namespace relist {

uint32_t HashOf(const ObjectKey& key);

class ObjectTable {
 public:
  // Null where there is none.
  StoreEntry* Find(const ObjectKey& key) const;
  // `key` is not there yet; the object's own one is not copied.
  StoreEntry* Add(const ObjectKey& key, ObjectRef object);
  // Puts an object with the same key in; what was there comes back.
  ObjectRef Exchange(StoreEntry* entry, const ObjectKey& key, ObjectRef object);
  // What was there comes back. The entry is gone.
  ObjectRef Erase(StoreEntry* entry);
  size_t size() const { return used_; }
  const KeyOrder& order() const { return order_; }

  // ---- a whole new content: AddUnordered or Exchange, and a mark other than 0, for each entry
  // that will be there, then KeepMarked with these, each once and in any order.
  void Reserve(size_t entries);
  StoreEntry* AddUnordered(const ObjectKey& key, ObjectRef object);
  // What is gone with the others, in key order. Marks are 0 afterwards. Where little is left of
  // much, memory is given back, and entries have moved.
  std::vector<ObjectRef> KeepMarked(std::vector<StoreEntry*> marked);

 private:
  struct Slot {
    StoreEntry* entry = nullptr;  // null: free
    uint32_t hash = 0;
  };
  size_t SlotOf(const ObjectKey& key, uint32_t hash) const;  // its slot, or the free one for it
  void Rehash(size_t slots);
  ObjectRef Forget(StoreEntry* entry);
  void Compact();

  std::deque<StoreEntry> entries_;   // never moves one
  std::vector<StoreEntry*> unused_;  // of entries_
  std::vector<Slot> slots_;          // a power of two, at most 2/3 full, linear probing
  size_t used_ = 0;
  KeyOrder order_;
};

}  // namespace relist
