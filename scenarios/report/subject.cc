#include "scenarios/report/subject.h"

namespace relist::report {

Subject SubjectOf(const Scenario& scenario, const RunResult& result) {
  Subject subject{result.history, result.violations, result.mismatches, result.problems, {}, {}, {},
                  result.again};
  subject.good = "Every property held, and all that the scenario expects was seen.";
  for (const ExpectedLine& verdict : scenario.verdicts) subject.expected.insert(verdict.text);
  return subject;
}

}  // namespace relist::report
