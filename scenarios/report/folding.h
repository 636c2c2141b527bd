// Which rows of the lanes are shown, and which are folded into one line.
//
//   for (const LaneBlock& block : Fold(lanes.rows, is_lit))
//     block.folded;   // "1 min 2 s of quiet: 2 bookmarks"; "" where its rows are shown
//
// Folded are quiet stretches (bookmarks and nothing else), what comes again and again (more than
// four times), and, of a run that is longer than anybody reads, what is in its middle. A row that
// holds a lit line never is. Pure.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "scenarios/report/lanes.h"

namespace relist::report {

struct LaneBlock {
  size_t begin = 0, end = 0;  // of the rows
  std::string folded;         // what they are, in one line
};

using IsLit = std::function<bool(const HistoryEntry& line)>;

// Each row is in one block, in order. `most` rows are shown, and those that are lit.
std::vector<LaneBlock> Fold(const std::vector<LaneRow>& rows, const IsLit& is_lit,
                            size_t most = 1000);

// "0.25 s", "4.9 s", "1 min 2 s", "2 h 5 min".
std::string RoughLength(Duration length);

}  // namespace relist::report
