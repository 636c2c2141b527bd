#include "scenarios/shrink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "scenarios/runner.h"
#include "scenarios/script/scenario.h"

namespace relist {
namespace {

using ::testing::HasSubstr;
using ::testing::MatchesRegex;
using ::testing::Not;

// What is deleted while a client is away it is not told of, if it has that bug: a watch that ends,
// a deletion, and an expiry are all it takes.
const std::string kNoisy = R"(
name: much happens, and one thing matters
about: Nothing of this.
seed: 7
clients:
  - {name: one, streaming_list: false, namespace: default, handlers: 2}
  - {name: two, streaming_list: false, resource: pods, handlers: [{delay: 10ms}]}
objects:
  - {object: default/a, data: {colour: red, size: "3"}, labels: {app: web}}
  - {object: default/b}
  - {object: default/c}
steps:
  - {at: 3s, do: write, object: default/a, data: {colour: green}}
  - {at: 5s, do: write, object: default/d, data: {colour: blue}}
  - {at: 7s, do: delete, object: default/b}
  - {at: 47s, do: write, object: default/e}
faults:
  - {on: watch, client: one, nth: 1, events: 2, fault: close}
  - {on: list, client: two, nth: 1, fault: delay, for: 1s}
  - {on: watch, client: one, nth: 2, fault: delay, for: 10s}
  - {on: watch, client: one, nth: 2, events: 0, fault: error, code: 410}
expect:
  one: {store: [default/a, default/c, default/d, default/e]}
  two: {store: []}
)";

TEST(ShrinkTest, WhatDoesNotMatterGoes) {
  PlantedBugs bugs;
  bugs.lose_tombstones = true;
  int told = 0;
  const Result<Shrunk> small =
      ShrinkScenario(kNoisy, "s.yaml", {.bugs = bugs, .on_progress = [&](int, size_t) { ++told; }});
  ASSERT_TRUE(small.ok()) << small.error().message();
  EXPECT_EQ(small->failure, "C2 and C5");
  EXPECT_TRUE(small->complete);
  EXPECT_GT(told, 5);
  EXPECT_LT(small->size, 40u) << small->text;
  for (const char* gone : {"two", "default/a", "about", "expect", "delay", "colour"})
    EXPECT_THAT(small->text, Not(HasSubstr(gone)));
  EXPECT_THAT(small->text, HasSubstr("name: much happens, and one thing matters"))
      << "each has a name";
  EXPECT_THAT(small->text, HasSubstr("do: delete, object: default/b"));
  EXPECT_THAT(small->text, HasSubstr("code: 410"));
  // It fails as the other does, and again.
  const Result<Scenario> scenario = ParseScenario(small->text, "small.yaml");
  ASSERT_TRUE(scenario.ok()) << scenario.error().message();
  EXPECT_THAT(RunScenario(*scenario, {.bugs = bugs}).report, HasSubstr("C2"));
  EXPECT_EQ(RunScenario(*scenario).exit_status, 0) << "by the bug alone";
  const Result<Shrunk> again = ShrinkScenario(small->text, "small.yaml", {.bugs = bugs});
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->text, small->text);
}

TEST(ShrinkTest, AnExpectationShrinksToTheLineThatFails) {
  const Result<Shrunk> small = ShrinkScenario(R"(
name: n
objects: [{object: default/a}, {object: default/b}, {object: default/c}]
steps: [{at: 20m, do: delete, object: default/b}]
expect:
  client:
    store: [default/a, default/b, default/c]
    callbacks: [added default/a * initial, added default/b * initial, "*"]
)",
                                              "s.yaml", {});
  ASSERT_FALSE(small.ok()) << "\"*\" is no callback";
  EXPECT_THAT(small.error().message(), HasSubstr("s.yaml:8:"));
  const Result<Shrunk> right = ShrinkScenario(R"(
name: n
objects: [{object: default/a}, {object: default/b}, {object: default/c}]
steps: [{at: 20m, do: delete, object: default/b}]
expect:
  client:
    store: [default/a, default/b, default/c]
)",
                                              "s.yaml", {});
  ASSERT_TRUE(right.ok()) << right.error().message();
  EXPECT_EQ(right->failure, "client's store: expected default/b, seen default/c");
  EXPECT_THAT(right->text, Not(HasSubstr("default/a")));
  EXPECT_THAT(right->text, HasSubstr("at: "));
  EXPECT_THAT(right->text, Not(HasSubstr("20m"))) << "a shorter time will do";
}

TEST(ShrinkTest, WhatIsGoodOrNoScenarioIsAnError) {
  const auto error = [](const std::string& text) {
    const Result<Shrunk> small = ShrinkScenario(text, "s.yaml", {});
    return small.ok() ? small->text : small.error().message();
  };
  EXPECT_THAT(error("name: n\n"), HasSubstr("s.yaml: this scenario is good"));
  EXPECT_THAT(error("name: n\nstepz: []\n"), HasSubstr("s.yaml:2:1: unknown key \"stepz\""));
  // The lines are those of the text that was given.
  EXPECT_THAT(error("name: n\n# why\nfaults: [{on: list, nth: 7, fault: cut}]\n"),
              MatchesRegex("s.yaml: could not be run as written, and breaks nothing: nothing to "
                           "shrink\ns.yaml:3:10: this fault .*never struck.*as written"));
}

// Each of two bugs: a lost deletion is told by more properties than a lost update.
constexpr const char* kTwoLost = R"(
name: n
legal: false
objects: [{object: default/a, data: {x: y}}, {object: default/b}]
steps:
- {at: 5s, do: patch, object: default/a, data: {x: z}}
- {at: 6s, do: delete, object: default/b}
faults:
- {fault: drop, on: any, line: modified}
- {fault: drop, on: any, line: deleted}
)";

TEST(ShrinkTest, AllThatWasBrokenIsBrokenStill) {
  const Result<Shrunk> small = ShrinkScenario(kTwoLost, "s.yaml", {});
  ASSERT_TRUE(small.ok()) << small.error().message();
  EXPECT_EQ(small->failure, "C1, C5 and C8");
  EXPECT_THAT(small->text, HasSubstr("line: deleted"));
  EXPECT_THAT(small->text, Not(HasSubstr("modified"))) << "what breaks no more than the other goes";
}

TEST(ShrinkTest, AnExpectationThatWasNotMetIsKeptBesideAProperty) {
  const Result<Shrunk> small = ShrinkScenario(
      kTwoLost + std::string("expect: {client: {store: [default/a]}}\n"), "s.yaml", {});
  ASSERT_TRUE(small.ok()) << small.error().message();
  EXPECT_EQ(small->failure, "C1, C5, C8 and client's store: expected nothing more, seen default/b");
  EXPECT_THAT(small->text, HasSubstr("expect:"));
}

TEST(ShrinkTest, WhatNeverHappenedGoes) {
  const std::string never = std::string(kTwoLost) + "- {fault: status, on: list, code: 500}\n";
  const Result<Shrunk> small = ShrinkScenario(never, "s.yaml", {});
  ASSERT_TRUE(small.ok()) << small.error().message();
  EXPECT_EQ(small->text, ShrinkScenario(kTwoLost, "s.yaml", {})->text);
}

// Of many objects one is deleted, unheard.
std::string ObjectsLeftOf(const std::string& many, const std::string& deleted) {
  const std::string text = "name: n\nlegal: false\nobjects:\n  - " + many +
                           "\nsteps:\n  - {at: 1s, do: delete, object: " + deleted +
                           "}\nfaults:\n  - {fault: drop, on: any, nth: every, line: deleted}\n";
  const Result<Shrunk> small = ShrinkScenario(text, "s.yaml", {});
  if (!small.ok()) return small.error().message();
  const size_t begin = small->text.find("  - "), end = small->text.find("\nsteps:");
  return small->text.substr(begin, end - begin);
}

TEST(ShrinkTest, OneObjectIsLeftOfMany) {
  const std::string many = R"({many: 9, object: "default/x-{n}", bytes: 1000})";
  EXPECT_EQ(ObjectsLeftOf(many, "default/x-1"), "  - {object: default/x-1}");
  EXPECT_EQ(ObjectsLeftOf(many, "default/x-9"), "  - {object: default/x-9}") << "the last";
  EXPECT_EQ(ObjectsLeftOf(many, "default/x-6"), "  - {object: default/x-6}") << "by its name";
  const Result<Shrunk> two = ShrinkScenario(R"(
name: n
objects: [{many: 9, object: "default/x-{n}"}]
expect: {client: {callbacks: ["added default/x-3 {L} initial"]}}
)",
                                            "s.yaml", {});
  ASSERT_TRUE(two.ok()) << two.error().message();
  EXPECT_THAT(two->text, HasSubstr("{many: 3,")) << "the one expected, and one before it";
}

TEST(ShrinkTest, EndsWhenItsRunsAreUsedUp) {
  PlantedBugs bugs;
  bugs.lose_tombstones = true;
  const Result<Shrunk> small = ShrinkScenario(kNoisy, "s.yaml", {.runs_max = 3, .bugs = bugs});
  ASSERT_TRUE(small.ok());
  EXPECT_EQ(small->runs, 3);
  EXPECT_FALSE(small->complete);
}

TEST(ShrinkTest, WhatItsRunsEndedIsNeverComplete) {
  const Result<Shrunk> small = ShrinkScenario(kTwoLost, "s.yaml", {});
  ASSERT_TRUE(small.ok()) << small.error().message();
  // It gets no smaller, and only who has tried everything knows it.
  const Result<Shrunk> whole = ShrinkScenario(small->text, "s.yaml", {});
  ASSERT_TRUE(whole.ok()) << whole.error().message();
  EXPECT_TRUE(whole->complete);
  for (int runs = 1; runs < whole->runs; ++runs) {
    const Result<Shrunk> ended = ShrinkScenario(small->text, "s.yaml", {.runs_max = runs});
    ASSERT_TRUE(ended.ok());
    EXPECT_EQ(ended->runs, runs);
    EXPECT_FALSE(ended->complete) << runs;
  }
}

}  // namespace
}  // namespace relist
