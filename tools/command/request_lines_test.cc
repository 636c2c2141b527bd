#include "tools/command/request_lines.h"

#include <gtest/gtest.h>

namespace relist::command {
namespace {

fakeapi::RequestRecord ARequest() {
  return {.connection = 3,
          .method = "GET",
          .target = "/api/v1/pods?limit=500",
          .agent = "kubectl/v1.33.1 (linux/amd64) kubernetes/8adc0f0",
          .received = kSimulationEpoch,
          .now = kSimulationEpoch + Duration(2100000),
          .status = 200,
          .bytes = 1834,
          .how = "sent"};
}

TEST(RequestLines, TellWhoAskedForWhatAndHowItEnded) {
  EXPECT_EQ(EndLine(ARequest()),
            "00:00:00.002 conn 3 GET /api/v1/pods?limit=500 kubectl/v1.33.1 200 1834 bytes 2.1ms "
            "sent\n");
}

TEST(RequestLines, OfAWatchTellThatItOpenedAndHowManyLinesItHad) {
  fakeapi::RequestRecord watch = ARequest();
  watch.is_watch = true;
  watch.replica = 2;
  watch.agent = "";
  EXPECT_EQ(OpenLine(watch),
            "00:00:00.002 conn 3 replica 2 GET /api/v1/pods?limit=500 - 200 watch opened\n");
  watch.lines = 7;
  watch.how = "last chunk";
  EXPECT_EQ(EndLine(watch),
            "00:00:00.002 conn 3 replica 2 GET /api/v1/pods?limit=500 - 200 7 lines 1834 bytes "
            "2.1ms last chunk\n");
}

TEST(RequestLines, AreLinesWhateverIsInTheRequest) {
  fakeapi::RequestRecord odd = ARequest();
  odd.method = "G\nT";
  odd.target = "/a\r\n\xff b";
  odd.agent = "\x1b[31mred";
  odd.status = 0;
  odd.how = "RST";
  EXPECT_EQ(EndLine(odd),
            "00:00:00.002 conn 3 G\\x0aT /a\\x0d\\x0a\\xff\\x20b \\x1b[31mred - 1834 bytes 2.1ms "
            "RST\n");
}

}  // namespace
}  // namespace relist::command
