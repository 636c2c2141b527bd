// A request as a scenario expects it, compared with one that was made: "WATCH watch=true&* -> 200".
//
//   PatternNames names;
//   MatchRequest("LIST resourceVersion={L}&limit=*", "LIST limit=500&resourceVersion=7", &names);
//   HowRequestsDiffer("LIST limit=500 -> 200", "LIST limit=2 -> 200", names);   // "limit=500, not
//   limit=2"
//
// Parameters have no order: each one of the pattern is one of the request, and none is left over,
// unless "*" stands among them, which is any others, or none.
#pragma once

#include <string>
#include <vector>

#include "scenarios/expectations.h"

namespace relist {

// Binds names only where it is true.
bool MatchRequest(const std::string& pattern, const std::string& request, PatternNames* names);

// In one line, for people.
std::string HowRequestsDiffer(const std::string& pattern, const std::string& request,
                              const PatternNames& names);

}  // namespace relist
