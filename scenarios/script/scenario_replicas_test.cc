// Several apiservers in a scenario: what may be said of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scenarios/script/scenario.h"
#include "scenarios/script/scenario_test_support.h"

namespace relist {
namespace {

using ::testing::HasSubstr;

TEST(ScenarioReplicas, AReplicaThatIsNotThereIsAMistake) {
  EXPECT_THAT(
      MistakesIn("name: x\nsteps: [{at: 1s, do: pause, replica: 1}]\n"),
      HasSubstr("s.yaml:2:9: there is no replica 1: \"server: {replicas: 2}\" would make it"));
  EXPECT_THAT(MistakesIn("name: x\nserver: {replicas: 2, balance: [0, 2]}\n"),
              HasSubstr("\"2\" is no replica; they are numbered from 0 to 1"));
  EXPECT_THAT(MistakesIn("name: x\nserver: {replicas: 11}\n"), HasSubstr("replicas"));
  EXPECT_THAT(MistakesIn("name: x\nserver: {balance: []}\n"), HasSubstr("names 1 to 100 replicas"));
  EXPECT_THAT(MistakesIn("name: x\nsteps: [{at: 1s, do: lag}]\n"), HasSubstr("\"by\" is missing"));
  EXPECT_THAT(MistakesIn("name: x\nsteps: [{at: 1s, do: compact, replica: 0}]\n"),
              HasSubstr("replica"))
      << "etcd is one";
}

}  // namespace
}  // namespace relist
