#include "scenarios/report/findings.h"

#include <gmock/gmock.h>

#include "scenarios/checkers/history_text.h"

namespace relist::report {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using Kind = Finding::Kind;

RunResult ThreeLines() {
  RunResult result;
  result.history = HistoryOf(R"(
    1 client position rv=6
    2 client position rv=7
    3 client position rv=5
  )");
  return result;
}

const HistoryEntry* LineAt(const RunResult& result, size_t at) {
  return &result.history.entries()[at];
}

TEST(Findings, WhatIsGoodHasNone) {
  const RunResult result = ThreeLines();
  const Findings findings(SubjectOf({}, result));
  EXPECT_THAT(findings.all(), IsEmpty());
  EXPECT_EQ(findings.InBrief(), "");
  EXPECT_THAT(findings.MarksOf(*LineAt(result, 0)), IsEmpty());
}

TEST(Findings, TheLinesThatClashAreMarkedByFindingAndPlace) {
  RunResult result = ThreeLines();
  result.violations = {
      {Violation::Kind::kSafety, "C4", "it goes back", {LineAt(result, 1), LineAt(result, 2)}, ""},
      {Violation::Kind::kLiveness, "C1", "it hangs", {nullptr, LineAt(result, 2)}, ""}};
  const Findings findings(SubjectOf({}, result));
  ASSERT_THAT(findings.all(), SizeIs(2));
  EXPECT_EQ(findings.all()[0].title, "C4");
  EXPECT_THAT(findings.all()[0].meaning, HasSubstr("must never happen"));
  EXPECT_THAT(findings.all()[1].meaning, HasSubstr("did not happen in time"));
  EXPECT_THAT(findings.MarksOf(*LineAt(result, 0)), IsEmpty());
  const auto& marks = findings.MarksOf(*LineAt(result, 2));
  ASSERT_THAT(marks, SizeIs(2));
  EXPECT_EQ(marks[0].finding, 0u);
  EXPECT_EQ(marks[0].line, 1u);
  EXPECT_EQ(marks[1].finding, 1u);
  EXPECT_EQ(marks[1].line, 0u) << "what is no line has no number";
  EXPECT_EQ(findings.InBrief(), "C4 and C1");
}

TEST(Findings, WhatDoesNotCountComesLastAndSaysWhy) {
  RunResult result = ThreeLines();
  result.violations = {
      {Violation::Kind::kSafety, "C9", "a", {}, "faithful: WCH-06"},
      {Violation::Kind::kSafety, "C3", "b", {}, "stale-served"},
      {Violation::Kind::kSafety, "C8", "c", {}, ""},
      {Violation::Kind::kSafety, "C7", "d", {}, ""},
  };
  Scenario scenario;
  scenario.verdicts = {{"C8", 1, 1}};
  const Findings findings(SubjectOf(scenario, result));
  ASSERT_THAT(findings.all(), SizeIs(4));
  std::vector<Kind> kinds;
  for (const Finding& finding : findings.all()) kinds.push_back(finding.kind);
  EXPECT_THAT(kinds, ElementsAre(Kind::kBroken, Kind::kExcused, Kind::kExcused, Kind::kExpected));
  EXPECT_EQ(findings.all()[0].title, "C7");
  EXPECT_EQ(findings.all()[1].title, "C9 (faithful: WCH-06)");
  EXPECT_EQ(findings.all()[1].mark, "C9");
  EXPECT_THAT(findings.all()[1].meaning, HasSubstr("client-go is known to do the same"));
  EXPECT_THAT(findings.all()[2].meaning, HasSubstr("serve old data"));
  EXPECT_THAT(findings.all()[3].meaning, HasSubstr("The scenario expects this"));
  EXPECT_EQ(findings.InBrief(), "C7");
}

TEST(Findings, ExpectationsAndProblemsAreFindingsOfTheirFirstLine) {
  RunResult result = ThreeLines();
  result.mismatches = {{"s.yaml:7:1: differs\n  expected a\n  seen b", LineAt(result, 1)},
                       {"s.yaml:8:1: differs"}};
  result.problems = {"s.yaml:9:1: never happened"};
  const Findings findings(SubjectOf({}, result));
  ASSERT_THAT(findings.all(), SizeIs(3));
  EXPECT_EQ(findings.all()[0].sentence, "s.yaml:7:1: differs");
  EXPECT_EQ(findings.all()[0].details, "  expected a\n  seen b");
  EXPECT_THAT(findings.all()[0].lines, ElementsAre(LineAt(result, 1)));
  EXPECT_THAT(findings.MarksOf(*LineAt(result, 1)), SizeIs(1));
  EXPECT_EQ(findings.all()[1].details, "");
  EXPECT_THAT(findings.all()[1].lines, IsEmpty());
  EXPECT_EQ(findings.all()[2].kind, Kind::kProblem);
  EXPECT_EQ(findings.InBrief(), "2 expectations and 1 problem");
}

TEST(Findings, OfVeryManyTheFirstAreTold) {
  RunResult result = ThreeLines();
  for (int i = 0; i < 25; ++i)
    result.violations.push_back(
        {Violation::Kind::kSafety, "C3", "it goes back", {LineAt(result, 0)}, ""});
  const Findings findings(SubjectOf({}, result));
  EXPECT_THAT(findings.all(), SizeIs(Findings::kMost));
  EXPECT_EQ(findings.more(), 5u);
  EXPECT_EQ(findings.InBrief(), "C3");
}

}  // namespace
}  // namespace relist::report
