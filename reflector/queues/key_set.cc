#include "reflector/queues/key_set.h"

#include <algorithm>
#include <utility>

#include "reflector/stores/object_table.h"

namespace relist {

bool KeySet::Insert(const ObjectKey& key) {
  if (2 * (used_ + 1) > slots_.size()) Grow();
  const uint32_t hash = HashOf(key);
  Slot& slot = SlotOf(key, hash);
  if (slot.round == round_) return false;
  slot = {&key, hash, round_};
  ++used_;
  return true;
}

void KeySet::Clear() {
  used_ = 0;
  ++round_;
}

KeySet::Slot& KeySet::SlotOf(const ObjectKey& key, uint32_t hash) {
  const size_t mask = slots_.size() - 1;
  for (size_t at = hash & mask;; at = (at + 1) & mask) {
    Slot& slot = slots_[at];
    if (slot.round != round_ || (slot.hash == hash && *slot.key == key)) return slot;
  }
}

void KeySet::Grow() {
  const std::vector<Slot> before =
      std::exchange(slots_, std::vector<Slot>(std::max(size_t{16}, 2 * slots_.size())));
  for (const Slot& slot : before) {
    if (slot.round == round_) SlotOf(*slot.key, slot.hash) = slot;
  }
}

}  // namespace relist
