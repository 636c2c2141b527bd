// What came of a run, numbered, and the lines that it is about: those are lit in the lanes.
//
//   Findings findings(subject);
//   findings.all()[0].title;              // "C3"
//   findings.MarksOf(line);               // of that line of the history: {finding 0, its line 2}
//   findings.InBrief();                   // "C3, C7 and 2 expectations"
//
// Points into the subject's history, which must outlive it. Pure.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "scenarios/report/subject.h"

namespace relist::report {

struct Finding {
  enum class Kind {
    kBroken,       // a property
    kExpected,     // a property, and the script says so
    kExcused,      // a property, and it is known why
    kExpectation,  // of the script
    kProblem,      // of the script, or its surroundings
  } kind = Kind::kBroken;
  std::string title;                       // "C3 (faithful: WCH-06)"; "Not as expected"
  std::string mark;                        // of its lines in the lanes: "C3"; "Not expected"
  std::string sentence;                    // one line
  std::string details;                     // more lines, or none
  std::string meaning;                     // of the kind, for newcomers
  std::vector<const HistoryEntry*> lines;  // that clash, oldest first; or what was seen instead
};

struct Mark {
  size_t finding = 0;  // among all()
  size_t line = 0;     // among its lines
};

class Findings {
 public:
  explicit Findings(const Subject& subject);

  // Those that count first; at most kMost, the rest is in more().
  const std::vector<Finding>& all() const { return all_; }
  size_t more() const { return more_; }
  const std::vector<Mark>& MarksOf(const HistoryEntry& line) const;
  // Of what counts, in a few words; "" where all is good.
  const std::string& InBrief() const { return brief_; }

  static constexpr size_t kMost = 20;

 private:
  void Add(Finding finding);

  std::vector<Finding> all_;
  std::unordered_map<const HistoryEntry*, std::vector<Mark>> marks_;
  std::string brief_;
  size_t more_ = 0;
};

}  // namespace relist::report
