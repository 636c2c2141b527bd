// Keys that were seen: a set that is filled and cleared over and over, a batch at a time.
//
//   if (!seen.Insert(object->key())) ...   // it was in already
//   seen.Clear();                          // costs nothing
//
// Keeps pointers: a key must live until Clear. No thread-safety of its own.
#pragma once

#include <cstdint>
#include <vector>

#include "core/wire/object_key.h"

namespace relist {

class KeySet {
 public:
  // False where it is in already.
  bool Insert(const ObjectKey& key);
  void Clear();

 private:
  struct Slot {
    const ObjectKey* key = nullptr;
    uint32_t hash = 0;
    uint64_t round = 0;  // free unless it is this one
  };
  void Grow();
  Slot& SlotOf(const ObjectKey& key, uint32_t hash);  // its slot, or the free one for it

  std::vector<Slot> slots_;  // a power of two, at most half full, linear probing
  size_t used_ = 0;
  uint64_t round_ = 1;
};

}  // namespace relist
