// C13 Framing and C14 Truncation: what a client tells does not depend on how its bytes came. They
// compare two runs of one script, and so are no checkers of a history: a run in which nothing is
// split or cut, and one in which something is.
//
//   for (const Violation& v : CheckSameCallbacks(HistoryView(whole), HistoryView(cut), "C14")) ...
//
// The same callbacks: of each handler the types, keys and versions, in order; but for updates that
// change no version, which say only that a client listed (client-go does where a watch ends within
// its first second). Both runs must have written the same, each write seen before the next (what
// two lists see apart may merge); uids and times may differ. Pure.
#pragma once

#include <vector>

#include "scenarios/checkers/history_view.h"
#include "scenarios/checkers/violation.h"

namespace relist {

// `property` is "C13" (the same bytes in other pieces) or "C14" (cut, and resumed). The lines of a
// violation are of both histories, `whole` first.
std::vector<Violation> CheckSameCallbacks(const HistoryView& whole, const HistoryView& broken,
                                          const char* property);

}  // namespace relist
