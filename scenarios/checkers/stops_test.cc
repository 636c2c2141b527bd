#include "scenarios/checkers/history_text.h"

namespace relist {
namespace {

const std::string kStoppedC19 = R"(
  30 client stop
  31 server end id=2 how=client
  31 client stopped left=0
)";
const std::string kCallbackC19 =
    " client callback handler=h type=modified key=default/a uid=ua rv=7 old_rv=5\n";

TEST(StopsTest, WhoStopsIsStill) {
  EXPECT_TRUE(Found(CheckStops, kGoodStart + kStoppedC19 + "90 run phase name=end\n").empty());
  EXPECT_TRUE(Found(CheckStops, kGoodStart + "30 client stop\n30" + kCallbackC19 +
                                    "31 server end id=2 how=client\n31 client stopped left=0\n")
                  .empty())
      << "what was under way may still be told";
}

TEST(StopsTest, ACallbackAfterTheEndIsFound) {
  const auto found = Found(CheckStops, kGoodStart + kStoppedC19 + "32" + kCallbackC19);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("client was told \"modified\" of default/a"), std::string::npos);
  EXPECT_EQ(Found(CheckStops,
                  kGoodStart + "30 client stop\n31 server end id=2 how=client\n45" + kCallbackC19)
                .size(),
            1u)
      << "who does not say when it has stopped has ten seconds";
}

TEST(StopsTest, WhatIsLeftBehindIsTold) {
  std::string left = kStoppedC19;
  left.replace(left.find("left=0"), 6, "left=2");
  const auto found = Found(CheckStops, kGoodStart + left);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("left 2 of its own behind"), std::string::npos);
}

TEST(StopsTest, ItsWatchIsClosedAndNothingIsAskedForAnyMore) {
  const std::string stop = "30 client stop\n31 client stopped\n";
  const auto open = Found(CheckStops, kGoodStart + stop + "90 run phase name=end\n");
  ASSERT_EQ(open.size(), 1u);
  EXPECT_NE(open[0].find("kept a watch open"), std::string::npos);
  EXPECT_EQ(Found(CheckStops, kGoodStart + stop + "50 server end id=2 how=client\n").size(), 1u);
  const auto asked = Found(CheckStops, kGoodStart + kStoppedC19 + WatchFrom(3, 6, 50) +
                                           "51 server end id=3 how=client\n");
  ASSERT_EQ(asked.size(), 2u);
  EXPECT_NE(asked[0].find("asked once more"), std::string::npos);
}

TEST(StopsTest, AServerMayReadARequestLongAfterItWasMade) {
  const std::string target = "target=/api/v1/namespaces/default/configmaps?watch=true\n";
  const std::string late = "29 client request n=3 verb=WATCH " + target + kStoppedC19 +
                           "50 server request id=3 conn=1 method=GET " + target +
                           "50 server answer id=3 status=200\n";
  EXPECT_TRUE(Found(CheckStops, kGoodStart + late).empty());
}

TEST(StopsTest, StoppingTakesABoundedTime) {
  const auto found =
      Found(CheckStops, kGoodStart + "30 client stop\n31 server end id=2 how=client\n" +
                            "50 client stopped left=0\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("took longer to stop"), std::string::npos);
}

}  // namespace
}  // namespace relist
