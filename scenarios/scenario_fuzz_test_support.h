// What must hold of any bytes that are read as a scenario: for the fuzzer and for its corpus.
//
//   TryScenario(bytes);   // a failed CHECK where it does not
#pragma once

#include <string>

namespace relist {

// Each mistake is told with its place. What can be read can be written, and read again as the same.
void TryScenario(const std::string& bytes);

}  // namespace relist
