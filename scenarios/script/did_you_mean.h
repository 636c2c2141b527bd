// What somebody who wrote a word may have meant.
//
//   DidYouMean("wacth", {"list", "watch"});   // "watch"
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace relist {

// The word of `known` that is nearest to `word`, if it is near enough to be meant: about a third of
// its letters may be wrong.
std::optional<std::string> DidYouMean(const std::string& word,
                                      const std::vector<std::string>& known);

}  // namespace relist
