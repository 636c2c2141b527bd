#include "scenarios/checkers/history_text.h"

namespace relist {
namespace {

const std::string kCutC17 = "20 server end id=2 how=RST\n";

TEST(SilenceTest, WhoAsksForNothingMoreHasToSayWhy) {
  const auto found = Found(CheckSilence, kGoodStart + kCutC17 + "300 run phase name=end\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("after its request 2"), std::string::npos);
  EXPECT_TRUE(Found(CheckSilence, kGoodStart + kCutC17 +
                                      "21 client error message=no terminal=true\n"
                                      "300 run phase name=end\n")
                  .empty());
  EXPECT_EQ(Found(CheckSilence,
                  kGoodStart + kCutC17 + "21 client error message=no\n300 run phase name=end\n")
                .size(),
            1u)
      << "an error that is not the end";
}

TEST(SilenceTest, WhoGoesOnLives) {
  EXPECT_TRUE(
      Found(CheckSilence, kGoodStart + kCutC17 + WatchFrom(3, 6, 21) + "300 run phase name=end\n")
          .empty());
  EXPECT_TRUE(Found(CheckSilence, kGoodStart + "300 run phase name=end\n").empty())
      << "its watch is open";
  EXPECT_TRUE(Found(CheckSilence, kGoodStart + kCutC17 + "100 run phase name=end\n").empty())
      << "it may be backing off";
  EXPECT_TRUE(Found(CheckSilence, kGoodStart + kCutC17 + "22 client stop\n300 run phase name=end\n")
                  .empty());
}

TEST(SilenceTest, WhoWasToldToWaitIsSilentForSoLong) {
  const std::string target = "/api/v1/namespaces/default/configmaps?resourceVersion=6";
  const std::string told = "21 client request n=3 verb=LIST target=" + target +
                           "\n21 server request id=3 method=GET target=" + target +
                           "\n21 server answer id=3 status=429 retry_after=200\n"
                           "21 client answer n=3 status=429\n";
  EXPECT_TRUE(
      Found(CheckSilence, kGoodStart + kCutC17 + told + "300 run phase name=end\n").empty());
  EXPECT_EQ(Found(CheckSilence, kGoodStart + kCutC17 + told + "400 run phase name=end\n").size(),
            1u);
}

// Of a program nobody knows whether it is there, but by what it prints.
TEST(SilenceTest, AProgramIsThereAsLongAsItSaysSomething) {
  const std::string log = "0 client log file=l agent=client\n";
  EXPECT_TRUE(Found(CheckSilence, log + kGoodStart + kCutC17 + "300 server commit rv=9\n").empty());
  EXPECT_EQ(Found(CheckSilence, log + kGoodStart + kCutC17 + "300 client dump items=0\n").size(),
            1u);
}

}  // namespace
}  // namespace relist
