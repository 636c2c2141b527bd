#include "reflector/trace.h"

#include <gtest/gtest.h>

namespace relist {
namespace trace_test {

constexpr TimePoint kStart = kSimulationEpoch;

TEST(Trace, TellsEachStepOfWhatTookLong) {
  Trace trace("Reflector ListAndWatch", kStart);
  trace.Step("Objects listed", kStart + Seconds(11), "count:3");
  trace.Step("SyncWith done", kStart + Millis(11250));
  EXPECT_EQ(trace.LineIfLong(Seconds(10), kStart + Seconds(12)),
            "Trace \"Reflector ListAndWatch\" (total time: 12000ms): \"Objects listed\" count:3 "
            "11000ms, \"SyncWith done\" 250ms");
}

TEST(Trace, SaysNothingOfWhatDidNot) {
  Trace trace("x", kStart);
  EXPECT_EQ(trace.LineIfLong(Seconds(10), kStart + Millis(9999)), "");
  EXPECT_EQ(trace.LineIfLong(Seconds(10), kStart + Seconds(10)),
            "Trace \"x\" (total time: 10000ms)");
}

}  // namespace trace_test
}  // namespace relist
