#include "scenarios/checkers/history_text.h"

namespace relist {
namespace {

// A list by number, at a time, and what it was answered with.
std::string ListC15(int n, double at, const std::string& answer) {
  const std::string target = "/api/v1/configmaps?resourceVersion=0";
  const std::string t = std::to_string(at), number = std::to_string(n);
  return t + " client request n=" + number + " verb=LIST target=" + target + "\n" + t +
         " server request id=" + number + " conn=1 method=GET agent=client target=" + target +
         "\n" + t + " server answer id=" + number + " " + answer + "\n" + t +
         " client answer n=" + number + " " + answer.substr(0, 10) + "\n";
}

const std::string kWaitC15 = "status=429 retry_after=5";

TEST(PolitenessTest, WhoIsToldToWaitWaits) {
  EXPECT_TRUE(
      Found(CheckPoliteness, ListC15(1, 1, kWaitC15) + ListC15(2, 6, "status=200")).empty());
  const auto found = Found(CheckPoliteness, ListC15(1, 1, kWaitC15) + ListC15(2, 3, "status=200"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("after 2.000 s instead of 5.000"), std::string::npos);
  EXPECT_EQ(Found(CheckPoliteness,
                  ListC15(1, 1, "status=503 retry_after=5") + ListC15(2, 3, "status=200"))
                .size(),
            1u);
  EXPECT_TRUE(
      Found(CheckPoliteness, ListC15(1, 1, "status=503") + ListC15(2, 3, "status=200")).empty());
}

TEST(PolitenessTest, AnotherKindOfRequestNeedNotWait) {
  const std::string watch =
      "2 server request id=2 conn=1 method=GET agent=client "
      "target=/api/v1/configmaps?resourceVersion=0&watch=true\n";
  EXPECT_TRUE(Found(CheckPoliteness, ListC15(1, 1, kWaitC15) + watch).empty());
}

TEST(PolitenessTest, AnAnswerThatAFaultKeptFromTheClientTellsItNothing) {
  EXPECT_TRUE(Found(CheckPoliteness, "1 server fault id=1 point=answer verdict=cut_RST\n" +
                                         ListC15(1, 1, kWaitC15) + ListC15(2, 2, "status=200"))
                  .empty());
}

TEST(PolitenessTest, WhatOneProgramWasToldBindsNotTheNextOfItsName) {
  const std::string again = "2 client stopped\n3 client started\n";
  EXPECT_TRUE(Found(CheckPoliteness, ListC15(1, 1, kWaitC15) + again + ListC15(2, 3, "status=200"))
                  .empty());
  EXPECT_EQ(Found(CheckPoliteness, ListC15(1, 0, "status=200") + again + ListC15(2, 3, kWaitC15) +
                                       ListC15(3, 4, "status=200"))
                .size(),
            1u)
      << "and is told once";
}

TEST(PolitenessTest, AfterTenRetriesItIsClientGosBackOffThatCounts) {
  std::string text;
  for (int n = 1; n <= 11; ++n) text += ListC15(n, n * 5, kWaitC15);
  const auto found = Found(CheckPoliteness, text + ListC15(12, 56, "status=200"));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].find("faithful: NET-03: "), 0u);
}

TEST(PolitenessTest, WhoGetsNowhereAsksABoundedNumberOfTimesInAMinute) {
  std::string hasty, patient;
  for (int n = 1; n <= 31; ++n) hasty += ListC15(n, n, "status=500");
  for (int n = 1; n <= 40; ++n) patient += ListC15(n, n * 2.1, "status=500");
  const auto found = Found(CheckPoliteness, hasty);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_NE(found[0].find("client did 31 times in 30.000 s"), std::string::npos);
  EXPECT_TRUE(Found(CheckPoliteness, patient).empty());
}

std::string WatchesC15(const std::string& line, const std::string& parameters = "") {
  std::string text;
  for (int n = 1; n <= 31; ++n) {
    const std::string id = std::to_string(n), t = id;
    const std::string target = "/api/v1/configmaps?" + parameters + "resourceVersion=6&watch=true";
    text += t + " client request n=" + id + " verb=WATCH target=" + target + "\n" + t +
            " server request id=" + id + " conn=1 method=GET target=" + target + "\n" + t +
            " server open id=" + id + " status=200\n" + t + " client answer n=" + id +
            " status=200\n";
    if (!line.empty()) text += t + " server event id=" + id + " " + line + "\n";
    text += t + ".5 server end id=" + id + " how=last_chunk\n";
  }
  return text;
}

TEST(PolitenessTest, WatchesThatEndAtOnceAreAskedForLessOften) {
  const auto found = Found(CheckPoliteness, WatchesC15(""));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].find("who gets nowhere"), 0u) << "no excuse: " << found[0];
}

TEST(PolitenessTest, WhereClientGoLoopsTheVerdictSaysSo) {
  const auto reopened = Found(CheckPoliteness, WatchesC15("type=BOOKMARK rv=6"));
  ASSERT_EQ(reopened.size(), 1u);
  EXPECT_EQ(reopened[0].find("faithful: WCH-05: "), 0u);
  const auto unfinished =
      Found(CheckPoliteness, WatchesC15("type=ADDED key=d/a rv=6", "sendInitialEvents=true&"));
  ASSERT_EQ(unfinished.size(), 1u);
  EXPECT_EQ(unfinished[0].find("faithful: WLM-08: "), 0u);
  const auto expired =
      Found(CheckPoliteness, WatchesC15("type=ERROR code=410", "sendInitialEvents=true&"));
  ASSERT_EQ(expired.size(), 1u);
  EXPECT_EQ(expired[0].find("faithful: WLM-09: "), 0u);
}

}  // namespace
}  // namespace relist
