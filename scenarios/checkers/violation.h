// What a checker says when a property does not hold.
#pragma once

#include <string>
#include <vector>

#include "core/history.h"

namespace relist {

struct Violation {
  enum class Kind {
    kSafety,    // something happened that must never happen
    kLiveness,  // something did not happen in time
  } kind = Kind::kSafety;
  std::string property;                    // "C3"
  std::string sentence;                    // the property, and what broke it, in one sentence
  std::vector<const HistoryEntry*> lines;  // those that clash, oldest first; owned by the history
  // Empty: a failure. "faithful: WCH-06": client-go is known to do this, no failure.
  // "stale-served": the server legally served old data.
  std::string excuse;

  // What a script expects, where it expects this: the excuse, or else the property.
  const std::string& verdict() const { return excuse.empty() ? property : excuse; }
};

// The property and the sentence, then the lines, then `again`: the command that shows it again (may
// be empty).
std::string Describe(const History& history, const Violation& violation, const std::string& again);
// "C1, C16 and C17"; "" of none.
std::string InWords(const std::vector<std::string>& names);

}  // namespace relist
