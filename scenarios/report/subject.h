// What a story is told of: a history, and what was found in it; of a run of ours, or of files that
// came from somewhere else.
//
//   const Subject subject = SubjectOf(scenario, result);
//   const Story story = Tell(subject, 1);
//
// Points into what it was made of, which must outlive it.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/history.h"
#include "scenarios/checkers/violation.h"
#include "scenarios/runner.h"
#include "scenarios/script/scenario.h"

namespace relist::report {

struct Subject {
  const History& history;
  const std::vector<Violation>& violations;
  const std::vector<Mismatch>& mismatches;  // of what the script expects
  const std::vector<std::string>& problems;
  std::set<std::string> expected;  // verdicts that the script expects: "C3", "faithful: WCH-06"
  std::string good;                // a sentence, where nothing is wrong
  std::vector<std::string> notes;  // a sentence each, which stand below
  std::string again;               // the command that shows it again
};

Subject SubjectOf(const Scenario& scenario, const RunResult& result);

}  // namespace relist::report
