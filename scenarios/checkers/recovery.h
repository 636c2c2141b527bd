// The store that a program printed last, and whether anything can be asked of it yet: for C1, and
// for who tells what was not judged.
#pragma once

#include <string>

#include "scenarios/checkers/checkers.h"

namespace relist {

// Its "dump" line; null: it printed none.
const HistoryEntry* LastStoreOf(const ClientView& client);

// Why a store printed then may lack anything: in a sentence for people; "" where it may not. A
// client is back options.recovery after the last fault, of its own time.
std::string WhyNothingIsDue(const HistoryView& view, const HistoryEntry& store,
                            const CheckOptions& options);

}  // namespace relist
