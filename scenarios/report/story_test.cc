#include "scenarios/report/story.h"

#include <gmock/gmock.h>

#include <regex>
#include <set>

#include "scenarios/checkers/history_text.h"

namespace relist::report {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

Scenario ScenarioOf(const std::string& text) {
  Result<Scenario> scenario = ParseScenario(text, "s.yaml");
  if (scenario.ok()) return *scenario;
  ADD_FAILURE() << scenario.error().message();
  return {};
}

Story TellText(const std::string& text, const PlantedBugs& bugs = {}, size_t number = 1) {
  const Scenario scenario = ScenarioOf(text);
  return Tell(SubjectOf(scenario, RunScenario(scenario, {.bugs = bugs})), number);
}

const std::string kDeleted = R"(
name: a test
clients: [{streaming_list: false, namespace: default}]
objects: [{object: default/a}, {object: default/b}]
steps: [{at: 5s, do: delete, object: default/a}]
faults: [{on: watch, nth: 1, events: 1, fault: close}]
)";

// The anchors that links lead to, and those that are there.
void ExpectLinksLeadSomewhere(const std::string& html) {
  std::multiset<std::string> ids;
  const std::regex id("id=\"([^\"]+)\""), link("href=\"#([^\"]+)\"");
  for (std::sregex_iterator i(html.begin(), html.end(), id), end; i != end; ++i)
    ids.insert((*i)[1]);
  for (const std::string& one : ids) EXPECT_EQ(ids.count(one), 1u) << one;
  for (std::sregex_iterator i(html.begin(), html.end(), link), end; i != end; ++i)
    EXPECT_EQ(ids.count((*i)[1]), 1u) << (*i)[1];
}

TEST(Story, OfAGoodRunSaysSoAndHasAllLanes) {
  const Story story = TellText(kDeleted);
  EXPECT_EQ(story.brief, "");
  EXPECT_THAT(story.html, HasSubstr("Every property held"));
  EXPECT_THAT(story.html, HasSubstr("<code>relist replay s.yaml --world sim</code>"));
  for (const char* lane :
       {"Seconds", "Truth", "Replica", "Wire", "Reflector", "Queue", "Store", "Handlers"}) {
    EXPECT_THAT(story.html, HasSubstr(std::string("<th scope=\"col\">") + lane + "</th>"));
  }
  EXPECT_THAT(story.html, HasSubstr("<b>fault</b> #2 the answer ends early"));
  EXPECT_THAT(story.html, HasSubstr("<tr class=\"p-watch\"><th scope=\"row\">5.000<small>5 s later"
                                    "</small></th><td data-l=\"Truth\"><div class=\"e del\">"
                                    "configmaps default/a deleted at 8</div></td>"));
  EXPECT_THAT(story.html, Not(HasSubstr(" lit\"")));
}

TEST(Story, ABrokenPropertyIsToldWithItsLinesAndLit) {
  const Story story = TellText(kDeleted, {.delete_keeps_position = true}, 7);
  EXPECT_THAT(story.brief, HasSubstr("C8"));
  EXPECT_THAT(story.html, HasSubstr("<article class=\"finding bad\" id=\"s7f1\""));
  EXPECT_THAT(story.html, HasSubstr("<span class=\"prop\">C8</span> "));
  EXPECT_THAT(story.html, HasSubstr("A safety property is broken"));
  EXPECT_THAT(story.html, HasSubstr("See it again: <code>relist replay s.yaml --world sim</code>"));
  EXPECT_THAT(story.html, HasSubstr("<li><a href=\"#s7t1f1l1\">"));
  EXPECT_THAT(story.html, ContainsRegex(" lit\"[^>]*><a class=\"mark\" id=\"s7t1f[0-9]l2\" "
                                        "href=\"#s7f[0-9]\">C8 · line 2</a> "));
  EXPECT_THAT(story.html, HasSubstr("{&quot;t&quot;:&quot;5.0")) << "as recorded";
  ExpectLinksLeadSomewhere(story.html);
}

TEST(Story, ALineOfAnotherClientIsLitThere) {
  RunResult result;
  result.history = HistoryOf(R"(
    1 web request n=1 verb=LIST target=/api/v1/configmaps
    1 server request id=1 conn=1 method=GET target=/api/v1/configmaps agent=web
    1 all request n=1 verb=LIST target=/api/v1/configmaps
    1 server request id=2 conn=2 method=GET target=/api/v1/configmaps agent=all
    2 server answer id=1 status=200 rv=5 items=1
    2 server answer id=2 status=200 rv=4 items=1
    3 server commit rv=6 resource=configmaps key=default/a type=ADDED
  )");
  const auto& lines = result.history.entries();
  result.violations = {
      {Violation::Kind::kSafety, "W15", "it goes back", {&lines[4], &lines[5], &lines[6]}, ""}};
  const Story story = Tell(SubjectOf({}, result), 1);
  EXPECT_THAT(story.html, HasSubstr("id=\"s1t1f1l1\""));
  EXPECT_THAT(story.html, HasSubstr("id=\"s1t2f1l2\""));
  ExpectLinksLeadSomewhere(story.html);
}

TEST(Story, WhatIsExcusedIsNotedAndNotLit) {
  RunResult result;
  result.history = HistoryOf("1 client position rv=6");
  result.violations = {{Violation::Kind::kSafety,
                        "C9",
                        "it resumes",
                        {&result.history.entries()[0]},
                        "faithful: WCH-06"}};
  const Story story = Tell(SubjectOf({}, result), 1);
  EXPECT_THAT(story.html, HasSubstr("<article class=\"finding note\""));
  EXPECT_THAT(story.html, HasSubstr("<div class=\"e noted\">"));
  EXPECT_THAT(story.html, Not(HasSubstr(" lit\"")));
  EXPECT_THAT(story.html, HasSubstr("Every property held"));
}

TEST(Story, AWrongExpectationIsToldWhole) {
  const Story story = TellText(kDeleted + "expect: {client: {store: [default/a]}}\n");
  EXPECT_EQ(story.brief, "1 expectation");
  EXPECT_THAT(story.html, HasSubstr("<span class=\"prop\">Not as expected</span> s.yaml:7:"));
  EXPECT_THAT(story.html, HasSubstr("<pre>  expected default/a\n  seen     default/b"));
  EXPECT_THAT(story.html, HasSubstr("What was seen instead"));
  EXPECT_THAT(story.html, HasSubstr(" lit\"><a class=\"mark\" id=\"s1t1f1l1\""));
}

TEST(Story, AScenarioThatCouldNotBeRunHasItsProblemsAndNoLanes) {
  RunResult result;
  result.problems = {"s.yaml:1:1: no port <left>"};
  const Story story = Tell(SubjectOf({}, result), 1);
  EXPECT_EQ(story.brief, "1 problem");
  EXPECT_THAT(story.html, HasSubstr("s.yaml:1:1: no port &lt;left&gt;"));
  EXPECT_THAT(story.html, Not(HasSubstr("<table")));
}

TEST(Story, OfACellThatHoldsVeryMuchTheMiddleIsCounted) {
  std::string text = "1 client request n=1 verb=LIST target=/api/v1/configmaps\n";
  for (int i = 0; i < 50; ++i)
    text += "1 server event id=1 type=ADDED key=default/x" + std::to_string(i) + " rv=9\n";
  RunResult result;
  result.history = HistoryOf(text);
  const HistoryEntry& lit = result.history.entries()[25];
  result.violations = {{Violation::Kind::kSafety, "C2", "no", {&lit}, ""}};
  const Story story = Tell(SubjectOf({}, result), 1);
  EXPECT_THAT(story.html, HasSubstr("ADDED default/x1 at 9"));
  EXPECT_THAT(story.html, Not(HasSubstr("ADDED default/x2 at 9")));
  EXPECT_THAT(story.html, HasSubstr("<div class=\"more\">22 more like these</div><div"));
  EXPECT_THAT(story.html, HasSubstr("ADDED default/x24 at 9")) << "it is lit";
  EXPECT_THAT(story.html, HasSubstr("at 9</div><div class=\"more\">22 more like these</div>"));
  EXPECT_THAT(story.html, HasSubstr("ADDED default/x49 at 9"));
}

// Whoever writes the lines; $ stands for it.
constexpr char kEvil[] = "<script>alert('\"&";
constexpr char kEvilLines[] = R"(
  1 $ request n=$ verb=$ target=$
  1 server request id=$ conn=1 method=$ target=$ agent=$
  1 server answer id=$ status=$ message=$ items=$ rv=$
  1 server event id=$ type=$ key=$ rv=$
  1 server fault id=$ point=$ verdict=$
  1 server control action=$ rv=$ replica=$
  1 server commit resource=$ key=$ rv=$ type=ADDED
  1 server end id=$ how=$
  1 server $ id=$
  2 $ error message=$
  2 $ relist why=$
  2 $ position rv=$
  2 $ callback handler=$ type=$ key=$ rv=$
  2 $ synced handler=$
  2 $ store key=$ rv=$
  2 run mark client=$ rv=$
  2 run phase name=$
)";

TEST(Story, NothingThatAHistorySaysIsMarkup) {
  RunResult result;
  result.history = HistoryOf(std::regex_replace(kEvilLines, std::regex("\\$"), kEvil));
  ASSERT_EQ(result.history.entries().size(), 17u);
  result.again = std::string("relist replay ") + kEvil;
  result.mismatches = {{std::string(kEvil) + "\n" + kEvil}};
  result.problems = {kEvil};
  Violation all{Violation::Kind::kSafety, kEvil, kEvil, {}, ""};
  for (const HistoryEntry& line : result.history.entries()) all.lines.push_back(&line);
  result.violations = {all};
  const Story story = Tell(SubjectOf({}, result), 1);
  EXPECT_THAT(story.html, HasSubstr("&lt;script&gt;alert(&#39;&quot;&amp;"));
  for (const char* markup : {"<script", "alert('", "alert(&#39;\"", "&quot;&\"", "&quot;& "})
    EXPECT_THAT(story.html, Not(HasSubstr(markup)));
  ExpectLinksLeadSomewhere(story.html);
}

TEST(Story, TheSameRunIsTheSameStory) {
  EXPECT_EQ(TellText(kDeleted).html, TellText(kDeleted).html);
  EXPECT_EQ(TellText(kDeleted, {.lose_tombstones = true}).html,
            TellText(kDeleted, {.lose_tombstones = true}).html);
}

}  // namespace
}  // namespace relist::report
