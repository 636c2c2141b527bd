// What a scenario says, by hand, that must be seen; compared with what was seen.
//
// A request is written as verb, query and outcome, a callback as type, key, version and marks:
//
//   WATCH allowWatchBookmarks=true&resourceVersion={L+1}&timeoutSeconds=*&watch=true -> 200
//   modified default/a {L} -> {L+1}
//   deleted default/b {L} tombstone
//
// "*" stands for any text without "&" and blanks; among a request's parameters, which have no order
// (request_pattern.h), for any others; as an outcome for any. "{L}" stands for a number: the first
// time any, then the same one; "{L+1}" for one that is known already, plus one. "3-6 x " before a
// pattern: that often. All lists of one scenario share their names, requests first.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/history.h"
#include "scenarios/script/scenario.h"

namespace relist {

// Numbers bound so far, by name.
using PatternNames = std::map<std::string, int64_t>;

// True if `text` is what `pattern` says. Binds names only where it is.
bool MatchPattern(const std::string& pattern, const std::string& text, PatternNames* names);

// The client's requests, and the callbacks of one handler, in the patterns' words (the sentinel is
// left out).
std::vector<std::string> RequestTexts(const History& history, const std::string& client);
std::map<std::string, std::vector<std::string>> CallbackTexts(const History& history,
                                                              const std::string& client);
std::vector<std::string> StoreTexts(const History& history, const std::string& client);

// A difference.
struct Mismatch {
  std::string text;  // a few lines for people, with the place of what was expected
  const HistoryEntry* seen = nullptr;  // what was seen instead, of the history; null: nothing was
  std::string what;  // the same without places and numbers: "client's store: expected a, seen b"
};
// Empty if all is as expected.
std::vector<Mismatch> CompareExpectations(const Scenario& scenario, const History& history);

}  // namespace relist
