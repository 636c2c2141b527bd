// A scenario with other options of its clients: what a case is like with a better one, or a worse.
//
//   Result<std::string> text = WithClientOptions(scenario_text, "a.yaml", {"watch_deadline:
//   false"});
//
// Each option is what stands in a client, "KEY: VALUE" or "{KEY: VALUE, KEY: VALUE}", and goes into
// every client, in the place of what it says itself. A scenario without clients has one, with
// these. The Error says which option is none, and why.
#pragma once

#include <string>
#include <vector>

#include "core/result.h"

namespace relist {

Result<std::string> WithClientOptions(const std::string& text, const std::string& file,
                                      const std::vector<std::string>& options);

}  // namespace relist
