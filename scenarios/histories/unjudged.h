// What a history does not tell, and which properties nobody has judged therefore: so that "good" is
// not taken for more than it is.
//
//   for (const std::string& line : Unjudged(view, false, {})) ...   // "C20: no log has a `waited`"
#pragma once

#include <string>
#include <vector>

#include "scenarios/checkers/checkers.h"
#include "scenarios/checkers/history_view.h"

namespace relist {

// A line for each group of properties, with the reason. `compared`: two runs were.
std::vector<std::string> Unjudged(const HistoryView& view, bool compared,
                                  const CheckOptions& options);
// "12 writes, 5 requests, 40 callbacks of 1 client".
std::string CountsOf(const HistoryView& view);
// A connection, or an answer, was cut on purpose.
bool WasCut(const History& server);

}  // namespace relist
