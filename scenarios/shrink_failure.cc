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
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    if (i > 0) text += i + 1 == words.size() ? " and " : ", ";
    text += words[i];
  }
  return text;
}

Failure FailureOf(const Scenario& scenario, const RunResult& run) {
  Failure failure;
  for (const Violation& violation : run.violations) {
    const bool expected =
        std::any_of(scenario.verdicts.begin(), scenario.verdicts.end(),
                    [&](const ExpectedLine& line) { return line.text == violation.property; });
    if (!violation.excuse.empty() || expected) continue;
    if (!Contains(failure.properties, violation.property))
      failure.properties.push_back(violation.property);
  }
  if (!run.mismatches.empty()) failure.mismatch = run.mismatches.front().what;
  return failure;
}

}  // namespace relist
