#include "scenarios/play/step_moments.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/script/scenario.h"

namespace relist {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class StepMomentsTest : public ::testing::Test {
 protected:
  explicit StepMomentsTest()
      : scenario_(*ParseScenario(R"(
name: x
clients: [{name: one, handlers: 2}, {name: two}]
objects: [{object: default/a}]
steps:
  - {when: {synced: one}, do: evict}
  - {when: {synced: one, handler: 2}, do: evict}
  - {when: {seen: default/a, client: one, as: modified, nth: 2}, do: evict}
  - {when: {seen: default/a, client: one, handler: 2, nth: every}, do: evict}
  - {at: 1s, do: evict}
)",
                                 "s.yaml")),
        moments_(scenario_) {}

  // The lines of the steps that are due.
  std::vector<int> Due(const Moment& moment) {
    std::vector<int> lines;
    for (const StepSpec* step : moments_.DueAt(moment)) {
      lines.push_back(step->line);
      moments_.Did(*step);
    }
    return lines;
  }
  Moment Seen(int handler, MomentSpec::As as, const std::string& name = "a") const {
    return {MomentSpec::Kind::kSeen, &scenario_.clients[0], handler, as, {"default", name}};
  }

  const Scenario scenario_;
  StepMoments moments_;
};

TEST_F(StepMomentsTest, AMomentIsOfAClientAHandlerAndAnObject) {
  EXPECT_THAT(Due({MomentSpec::Kind::kSynced, &scenario_.clients[0], 0, {}, {}}), ElementsAre(6));
  EXPECT_THAT(Due({MomentSpec::Kind::kSynced, &scenario_.clients[0], 2, {}, {}}), ElementsAre(7));
  EXPECT_THAT(Due({MomentSpec::Kind::kSynced, &scenario_.clients[1], 0, {}, {}}), IsEmpty());
  EXPECT_THAT(Due(Seen(1, MomentSpec::As::kAdded)), IsEmpty());
  EXPECT_THAT(Due(Seen(1, MomentSpec::As::kModified)), IsEmpty()) << "it is the first";
  EXPECT_THAT(Due(Seen(1, MomentSpec::As::kModified, "b")), IsEmpty()) << "another object";
  EXPECT_THAT(Due(Seen(1, MomentSpec::As::kModified)), ElementsAre(8));
  EXPECT_THAT(Due(Seen(1, MomentSpec::As::kModified)), IsEmpty()) << "it is the third";
  EXPECT_THAT(Due(Seen(2, MomentSpec::As::kDeleted)), ElementsAre(9));
  EXPECT_THAT(Due(Seen(2, MomentSpec::As::kAdded)), ElementsAre(9));
  EXPECT_THAT(moments_.NeverHappened(), IsEmpty());
}

TEST_F(StepMomentsTest, WhatNeverCameIsToldInTheOrderOfTheFile) {
  Due(Seen(1, MomentSpec::As::kModified));
  EXPECT_THAT(
      moments_.NeverHappened(),
      ElementsAre(
          "s.yaml:6:5: this step (evict) never happened: client \"one\" synced 0 times, and "
          "it waits for \"nth: 1\"",
          "s.yaml:7:5: this step (evict) never happened: handler2 of client \"one\" synced 0 "
          "times, and it waits for \"nth: 1\"",
          "s.yaml:8:5: this step (evict) never happened: handler of client \"one\" was told "
          "of default/a as modified 1 times, and it waits for \"nth: 2\"",
          "s.yaml:9:5: this step (evict) never happened: handler2 of client \"one\" was told "
          "of default/a 0 times, and it waits for \"nth: every\""));
}

}  // namespace
}  // namespace relist
