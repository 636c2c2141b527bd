#include "reflector/initial_events_ticker.h"

#include <gtest/gtest.h>

namespace relist {
namespace initial_events_ticker_test {

TEST(InitialEventsTicker, WarnsEveryTenSecondsOfSilence) {  // WLM-12
  const TimePoint start = kSimulationEpoch;
  InitialEventsTicker ticker(start, start);
  EXPECT_EQ(ticker.next(), start + Seconds(10));
  EXPECT_EQ(ticker.Tick(start + Seconds(9)), "");
  EXPECT_EQ(ticker.Tick(start + Seconds(10)),
            "awaiting required bookmark event for initial events stream, no events received for "
            "10.000s");
  EXPECT_EQ(ticker.Tick(start + Seconds(20)),
            "awaiting required bookmark event for initial events stream, no events received for "
            "20.000s");
  ticker.Observe(start + Seconds(21));
  EXPECT_EQ(ticker.Tick(start + Seconds(30)), "");
  EXPECT_EQ(ticker.Tick(start + Seconds(40)),
            "hasn't received required bookmark event marking the end of initial events stream, "
            "received last event 19.000s ago");
}

TEST(InitialEventsTicker, CountsFromTheAnswerAndTellsOfTheTimeSinceTheRequest) {
  const TimePoint start = kSimulationEpoch;
  InitialEventsTicker ticker(start, start + Seconds(4));
  EXPECT_EQ(ticker.next(), start + Seconds(14));
  EXPECT_NE(ticker.Tick(start + Seconds(14)).find("for 14.000s"), std::string::npos);
}

TEST(InitialEventsTicker, LeavesOutTicksThatItMissed) {
  const TimePoint start = kSimulationEpoch;
  InitialEventsTicker ticker(start, start);
  EXPECT_NE(ticker.Tick(start + Seconds(35)), "");
  EXPECT_EQ(ticker.next(), start + Seconds(40));
}

}  // namespace initial_events_ticker_test
}  // namespace relist
