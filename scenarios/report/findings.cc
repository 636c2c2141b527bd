#include "scenarios/report/findings.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

namespace relist::report {
namespace {

using FindingKind = Finding::Kind;

const std::vector<Mark> kUnmarked;

const char* MeaningOf(const Violation& violation, FindingKind kind) {
  if (kind == FindingKind::kExpected)
    return "The scenario expects this to be said: it does not make the run bad.";
  if (violation.excuse.starts_with("faithful"))
    return "client-go is known to do the same: it does not make the run bad.";
  if (kind == FindingKind::kExcused)
    return "The server was in its right to serve old data: it does not make the run bad.";
  return violation.kind == Violation::Kind::kSafety
             ? "A safety property is broken: something happened that must never happen."
             : "A liveness property is broken: something did not happen in time.";
}

Finding OfViolation(const Subject& subject, const Violation& violation) {
  const bool excused = !violation.excuse.empty();
  const FindingKind kind = subject.expected.contains(violation.verdict()) ? FindingKind::kExpected
                           : excused                                      ? FindingKind::kExcused
                                                                          : FindingKind::kBroken;
  Finding finding{kind,
                  violation.property,
                  violation.property,
                  violation.sentence,
                  "",
                  MeaningOf(violation, kind),
                  {}};
  if (excused) finding.title += " (" + violation.excuse + ")";
  for (const HistoryEntry* line : violation.lines) {
    if (line) finding.lines.push_back(line);
  }
  return finding;
}

// Its first line is the sentence.
Finding OfText(FindingKind kind, const std::string& text) {
  const size_t end = std::min(text.find('\n'), text.size());
  const bool expectation = kind == FindingKind::kExpectation;
  return {kind,
          expectation ? "Not as expected" : "Not as written",
          "Not expected",
          text.substr(0, end),
          end < text.size() ? text.substr(end + 1) : "",
          expectation ? "What the scenario says must be seen differs from what was seen."
                      : "The scenario could not be run as it is written.",
          {}};
}

std::string CountOf(size_t count, const char* one, const char* many) {
  return count == 1 ? fmt::format("1 {}", one) : fmt::format("{} {}", count, many);
}

std::string BriefOf(const std::vector<Finding>& findings) {
  std::vector<std::string> parts;
  std::set<std::string> told;
  size_t expectations = 0, problems = 0;
  for (const Finding& finding : findings) {
    expectations += finding.kind == FindingKind::kExpectation ? 1 : 0;
    problems += finding.kind == FindingKind::kProblem ? 1 : 0;
    if (finding.kind == FindingKind::kBroken && told.insert(finding.title).second)
      parts.push_back(finding.title);
  }
  if (expectations > 0) parts.push_back(CountOf(expectations, "expectation", "expectations"));
  if (problems > 0) parts.push_back(CountOf(problems, "problem", "problems"));
  return InWords(parts);
}

}  // namespace

Findings::Findings(const Subject& subject) {
  std::vector<Finding> found;
  for (const Violation& violation : subject.violations)
    found.push_back(OfViolation(subject, violation));
  for (const Mismatch& mismatch : subject.mismatches) {
    found.push_back(OfText(FindingKind::kExpectation, mismatch.text));
    if (mismatch.seen) found.back().lines.push_back(mismatch.seen);
  }
  for (const std::string& text : subject.problems)
    found.push_back(OfText(FindingKind::kProblem, text));
  brief_ = BriefOf(found);
  const auto counts = [](const Finding& finding) {
    return finding.kind != FindingKind::kExpected && finding.kind != FindingKind::kExcused;
  };
  std::stable_partition(found.begin(), found.end(), counts);
  more_ = found.size() - std::min(found.size(), kMost);
  found.resize(found.size() - more_);
  for (Finding& finding : found) Add(std::move(finding));
}

void Findings::Add(Finding finding) {
  for (size_t i = 0; i < finding.lines.size(); ++i)
    marks_[finding.lines[i]].push_back({all_.size(), i});
  all_.push_back(std::move(finding));
}

const std::vector<Mark>& Findings::MarksOf(const HistoryEntry& line) const {
  const auto found = marks_.find(&line);
  return found == marks_.end() ? kUnmarked : found->second;
}

}  // namespace relist::report
