#include "reflector/stores/key_order.h"

#include <algorithm>

namespace relist {
namespace {

constexpr size_t kPieceMax = 256;
// Assign leaves room, so that the next few do not split every piece.
constexpr size_t kPieceAssigned = 192;

bool EntryBefore(const StoreEntry* entry, const ObjectKey& key) {
  return entry->key() < key;
}

}  // namespace

size_t KeyOrder::PieceOf(const ObjectKey& key) const {
  const auto after = std::upper_bound(
      pieces_.begin(), pieces_.end(), key,
      [](const ObjectKey& k, const Piece& piece) { return k < piece.front()->key(); });
  return after == pieces_.begin() ? 0 : static_cast<size_t>(after - pieces_.begin()) - 1;
}

bool KeyOrder::Insert(StoreEntry* entry) {
  const ObjectKey& key = entry->key();
  if (pieces_.empty()) {
    pieces_.push_back({entry});
    ++size_;
    return true;
  }
  // Lists, and what is filled from them, come in order.
  const bool last = pieces_.back().back()->key() < key;
  const size_t at = last ? pieces_.size() - 1 : PieceOf(key);
  Piece* piece = &pieces_[at];
  const auto place =
      last ? piece->end() : std::lower_bound(piece->begin(), piece->end(), key, EntryBefore);
  if (place != piece->end() && *place == entry) return false;
  ++size_;
  if (piece->size() < kPieceMax) {
    piece->insert(place, entry);
    return true;
  }
  // In the middle; or, where all come in order, at the end, which leaves full pieces behind.
  const size_t offset = static_cast<size_t>(place - piece->begin());
  const size_t cut = last ? kPieceMax : kPieceMax / 2;
  Piece right(piece->begin() + static_cast<ptrdiff_t>(cut), piece->end());
  piece->resize(cut);
  if (offset > cut || right.empty()) {
    right.insert(right.begin() + static_cast<ptrdiff_t>(offset - cut), entry);
  } else {
    piece->insert(piece->begin() + static_cast<ptrdiff_t>(offset), entry);
  }
  pieces_.insert(pieces_.begin() + static_cast<ptrdiff_t>(at) + 1, std::move(right));
  return true;
}

bool KeyOrder::Erase(const StoreEntry* entry) {
  if (pieces_.empty()) return false;
  const size_t at = PieceOf(entry->key());
  Piece& piece = pieces_[at];
  const auto place = std::lower_bound(piece.begin(), piece.end(), entry->key(), EntryBefore);
  if (place == piece.end() || *place != entry) return false;
  piece.erase(place);
  if (piece.empty()) pieces_.erase(pieces_.begin() + static_cast<ptrdiff_t>(at));
  --size_;
  return true;
}

void KeyOrder::Assign(const std::vector<StoreEntry*>& sorted) {
  pieces_.clear();
  for (size_t begin = 0; begin < sorted.size(); begin += kPieceAssigned) {
    const size_t end = std::min(begin + kPieceAssigned, sorted.size());
    pieces_.emplace_back(sorted.begin() + static_cast<ptrdiff_t>(begin),
                         sorted.begin() + static_cast<ptrdiff_t>(end));
  }
  size_ = sorted.size();
}

void KeyOrder::Clear() {
  pieces_.clear();
  size_ = 0;
}

}  // namespace relist
