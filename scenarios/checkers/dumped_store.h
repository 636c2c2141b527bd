// The store that a program printed at some moment, held against a version that it had to have.
//
//   for (const StaleItem& stale : StaleItemsOf(view, client, dump, 7)) ...
//
// An object may be newer than that, or be gone since; older it may not be.
#pragma once

#include <string>
#include <vector>

#include "scenarios/checkers/history_view.h"

namespace relist {

struct StaleItem {
  std::string sentence;  // "lacks default/a"
  std::vector<const HistoryEntry*> lines;
  bool never_was = false;  // it is no state at all
};

// `dump` is one of the client's lines, its items follow it.
std::vector<StaleItem> StaleItemsOf(const HistoryView& view, const ClientView& client,
                                    const HistoryEntry* dump, uint64_t due);

}  // namespace relist
