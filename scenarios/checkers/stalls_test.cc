#include "scenarios/checkers/history_text.h"

namespace relist {
namespace {

const std::string kStalledC16 = R"(
  1 client request n=1 verb=WATCH target=/api/v1/configmaps?resourceVersion=6&timeoutSeconds=300&watch=true
  1 server request id=1 conn=1 method=GET target=/api/v1/configmaps?resourceVersion=6&timeoutSeconds=300&watch=true
  1 server open id=1 status=200
  1 client answer n=1 status=200
  10 server fault id=1 point=event verdict=stall
  301 server end id=1 how=last_chunk
)";

TEST(StallsTest, AWatchThatFellSilentIsGivenUp) {
  const auto found = Found(CheckStalls, kStalledC16 + "400 run phase name=end\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("still waited for its request 1 at 370.000"), std::string::npos)
      << found[0];
  EXPECT_TRUE(Found(CheckStalls, kStalledC16 + "360 run phase name=end\n").empty())
      << "its time is not over";
}

TEST(StallsTest, AnotherRequestAClosedConnectionAnErrorOrAStopIsGivingUp) {
  const std::string end = "400 run phase name=end\n";
  for (const char* sign : {"331 client request n=2 verb=WATCH "
                           "target=/api/v1/configmaps?resourceVersion=6&watch=true\n",
                           "331 client answer n=1 error=timeout\n", "331 client stop\n"})
    EXPECT_TRUE(Found(CheckStalls, kStalledC16 + sign + end).empty()) << sign;
  std::string closed = kStalledC16;
  closed.replace(closed.find("last_chunk"), 10, "client");
  EXPECT_TRUE(Found(CheckStalls, closed + end).empty());
}

TEST(StallsTest, AWatchThatEndsAsItShouldIsOver) {
  std::string good = kStalledC16;
  good.erase(good.find("  10 server fault"),
             std::string("  10 server fault id=1 point=event verdict=stall\n").size());
  EXPECT_TRUE(Found(CheckStalls, good + "4000 run phase name=end\n").empty());
}

TEST(StallsTest, AServerThatDiesWithoutAWordIsNoticedAsWell) {
  std::string dead = kStalledC16;
  dead.erase(dead.find("  10 server fault"));
  EXPECT_EQ(Found(CheckStalls, dead + "400 run phase name=end\n").size(), 1u);
  EXPECT_TRUE(Found(CheckStalls, dead + "390 server event id=1 type=BOOKMARK rv=6\n" +
                                     "400 run phase name=end\n")
                  .empty());
}

}  // namespace
}  // namespace relist
