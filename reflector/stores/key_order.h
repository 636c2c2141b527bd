// The entries of a store in the order of their keys: what a list walks, of the whole store or of
// one value of an index.
//
//   KeyOrder order;
//   order.Insert(entry);
//   order.ForEach([](const StoreEntry& entry) { ... });
//
// Sorted pieces of at most 256 pointers, so that one comes in or leaves in some hundred
// nanoseconds, in order or not, and costs 8 to 16 bytes. No thread-safety of its own.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/wire/object.h"

namespace relist {

// What a store knows of one key. It stays where it is while the key is in the store.
struct StoreEntry {
  ObjectRef object;
  std::unique_ptr<const ObjectKey> other_key;  // null: the key is the object's own
  uint32_t hash = 0;                           // of the key
  uint32_t mark = 0;                           // for whoever walks over all

  const ObjectKey& key() const { return other_key ? *other_key : object->key(); }
};

class KeyOrder {
 public:
  // False where it is in already.
  bool Insert(StoreEntry* entry);
  // False where it is not in. The entry's key must be readable still.
  bool Erase(const StoreEntry* entry);
  // Whatever was there, then these, which are in order and each there once.
  void Assign(const std::vector<StoreEntry*>& sorted);
  void Clear();
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  template <class Visitor>
  void ForEach(Visitor visit) const {
    for (const Piece& piece : pieces_) {
      for (StoreEntry* entry : piece) visit(*entry);
    }
  }

 private:
  using Piece = std::vector<StoreEntry*>;  // never empty
  // The piece that has `key`, or would have it; pieces_ is not empty.
  size_t PieceOf(const ObjectKey& key) const;

  std::vector<Piece> pieces_;
  size_t size_ = 0;
};

}  // namespace relist
