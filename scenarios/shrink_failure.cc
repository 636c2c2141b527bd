#include "scenarios/shrink_failure.h"

#include <algorithm>

namespace relist {
namespace {

bool Contains(const std::vector<std::string>& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

}  // namespace

bool Failure::Includes(const Failure& other) const {
  const bool all =
      std::all_of(other.properties.begin(), other.properties.end(),
                  [this](const std::string& property) { return Contains(properties, property); });
  return all && (other.mismatch.empty() || mismatch == other.mismatch);
}

std::string Failure::Text() const {
  std::vector<std::string> words = properties;
  if (!mismatch.empty()) words.push_back(mismatch);
  return InWords(words);
}

Failure FailureOf(const Scenario& scenario, const RunResult& run) {
  Failure failure;
  for (const Violation& violation : run.violations) {
    if (!violation.excuse.empty() || scenario.Expects(violation.property)) continue;
    if (!Contains(failure.properties, violation.property))
      failure.properties.push_back(violation.property);
  }
  if (!run.mismatches.empty()) failure.mismatch = run.mismatches.front().what;
  return failure;
}

}  // namespace relist
