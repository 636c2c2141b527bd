#include "tools/command/timeline.h"

#include <gtest/gtest.h>

namespace relist::command {
namespace {

TEST(Timeline, ALineTellsWhenWhoAndWhat) {
  History history;
  history.Add(kSimulationEpoch + Millis(1500), "client", "request")
      .Set("n", "3")
      .Set("verb", "WATCH")
      .Set("target", "/api/v1/configmaps?watch=true");
  EXPECT_EQ(Timeline(history),
            "     1.500  client    request   WATCH /api/v1/configmaps?watch=true n=3\n");
}

TEST(Timeline, NumbersOfConnectionsAndUidsAreLeftOut) {
  History history;
  history.Add(kSimulationEpoch, "server", "event")
      .Set("id", "1")
      .Set("type", "ADDED")
      .Set("key", "default/a")
      .Set("uid", "u")
      .Set("rv", "7");
  EXPECT_EQ(Timeline(history), "     0.000  server    event     ADDED key=default/a rv=7\n");
}

}  // namespace
}  // namespace relist::command
