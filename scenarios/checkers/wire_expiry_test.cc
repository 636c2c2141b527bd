#include "scenarios/checkers/wire_text.h"

namespace relist {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kGoneW = R"(
  9 server event id=1 type=ERROR code=410 object={"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"too_old","reason":"Expired","code":410}
  9 server end id=1 how=last_chunk
)";
const std::string kEvictedW = kWrites + Watch(7, "resourceVersion=6", 0.5) + kMoreWrites +
                              "5 server control action=evict rv=9\n";

TEST(WireExpiryTest, FromBelowTheWindowAStreamIsOneError) {
  EXPECT_THAT(WireSays(kEvictedW + Watch(1, "resourceVersion=8", 9) + kGoneW), IsEmpty());
  EXPECT_THAT(WireSays(kEvictedW + Watch(1, "resourceVersion=9", 9)), IsEmpty());
  EXPECT_THAT(WireSays(kEvictedW + Event7(7) + Event8(7)), IsEmpty()) << "open ones go on";
}

TEST(WireExpiryTest, W6FromWithinTheWindowAWatchIsServed) {
  const auto said = WireSays(kEvictedW + Watch(1, "resourceVersion=9", 9) + kGoneW);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_THAT(said[0], HasSubstr("W6: a watch from within the window is served, but #1 started at "
                                 "9, the window at 9 or before"));
  // Nothing was evicted since the first request.
  EXPECT_THAT(Blamed(kWrites + Watch(7, "resourceVersion=6", 0.5) + kMoreWrites +
                     Watch(1, "resourceVersion=6", 9) + kGoneW),
              ElementsAre("W6"));
}

TEST(WireExpiryTest, W6AnEvictionThatAnyWindowExplainsIsBelieved) {
  const std::string text = kWrites + Watch(7, "resourceVersion=6", 0.5) + kMoreWrites +
                           Watch(1, "resourceVersion=6", 9) + kGoneW;
  EXPECT_THAT(Blamed(text, {.watch_window = 2}), IsEmpty());
  EXPECT_THAT(Blamed(text, {}), IsEmpty()) << "nobody knows how large it is";
  EXPECT_THAT(Blamed(kWrites + Watch(7, "resourceVersion=6", 0.5) + kMoreWrites +
                         Watch(1, "resourceVersion=8", 9) + kGoneW,
                     {}),
              ElementsAre("W6"))
      << "the last event is in any";
}

TEST(WireExpiryTest, W6ADroppedVersionFromBeforeTheFirstRequestMayBeGone) {
  EXPECT_THAT(Blamed(kWrites + Watch(1, "resourceVersion=5", 9) + kGoneW), IsEmpty());
  EXPECT_THAT(Blamed(kWrites + Watch(1, "resourceVersion=6", 9) + kGoneW), ElementsAre("W6"));
}

// Found by a scenario in which an apiserver is not ready after its restart.
TEST(WireExpiryTest, W6ACacheThatIsFilledLateBeginsLate) {
  const std::string late = kWrites + Watch(7, "resourceVersion=6", 0.5) +
                           "1 server control action=restart rv=6 not_ready=2.000\n" + kMoreWrites;
  EXPECT_THAT(Blamed(late + Watch(1, "resourceVersion=6", 9) + kGoneW), IsEmpty());
  EXPECT_THAT(
      Blamed(late + Watch(2, "resourceVersion=6", 8) + Watch(1, "resourceVersion=9", 9) + kGoneW),
      ElementsAre("W6"));
}

TEST(WireExpiryTest, W6WithoutATruthStreamsAreHeldAgainstEachOther) {
  const std::string first = Watch(1, "resourceVersion=6") + Event7(1) + Event8(1) + Event9(1);
  EXPECT_THAT(Blamed(first + Watch(2, "resourceVersion=7", 5) + Event8(2) + Event9(2)), IsEmpty());
  EXPECT_THAT(Blamed(first + Watch(2, "resourceVersion=7", 5) + Event9(2)), ElementsAre("W6"));
  EXPECT_THAT(Blamed(first + Watch(2, "resourceVersion=7", 5)), IsEmpty());
  EXPECT_THAT(Blamed(first + Watch(2, "labelSelector=a&resourceVersion=7", 5) + Event9(2)),
              IsEmpty())
      << "another scope";
}

TEST(WireExpiryTest, W10FromBelowTheWindowNothingElseComes) {
  const std::string below = kEvictedW + Watch(1, "resourceVersion=7", 9);
  EXPECT_THAT(Blamed(below + "9 server event id=1 type=DELETED key=default/b uid=ub rv=8\n"),
              ElementsAre("W10"));
  EXPECT_THAT(Blamed(below + "99 run phase name=end\n"), ElementsAre("W10")) << "it hangs";
  EXPECT_THAT(Blamed(below + "9 server end id=1 how=last_chunk\n99 run phase name=end\n"),
              IsEmpty())
      << "W19";
  // By the size of the window, where that is known.
  const std::string old = kWrites + Watch(7, "resourceVersion=6", 0.5) + kMoreWrites +
                          Watch(1, "resourceVersion=6", 9) +
                          "9 server event id=1 type=MODIFIED key=default/a uid=ua rv=7\n";
  EXPECT_THAT(Blamed(old, {.watch_window = 2}), ElementsAre("W10"));
  EXPECT_THAT(Blamed(old, {.watch_window = 3}), IsEmpty());
  EXPECT_THAT(Blamed(old, {}), IsEmpty());
  EXPECT_THAT(Blamed(old + "9 server control action=lag rv=9\n", {.watch_window = 2}), IsEmpty())
      << "who lags has not evicted so much";
}

TEST(WireExpiryTest, W10ARestartAndAResetMoveTheWindowOfTheirReplica) {
  const auto from7 = [](const std::string& control, const std::string& replica) {
    return Blamed(kWrites + Watch(7, "resourceVersion=6", 0.5) + kMoreWrites + "5 server control " +
                  control + "\n" + Watch(1, "resourceVersion=7", 9, replica) +
                  "9 server event id=1 type=DELETED key=default/b uid=ub rv=8\n");
  };
  EXPECT_THAT(from7("action=restart rv=9", ""), ElementsAre("W10"));
  EXPECT_THAT(from7("action=reset rv=10", ""), ElementsAre("W10"));
  EXPECT_THAT(from7("action=compact rv=9 learned=true", ""), IsEmpty()) << "watches do not mind";
  EXPECT_THAT(from7("action=evict rv=9 replica=1", ""), IsEmpty());
  EXPECT_THAT(from7("action=evict rv=9 replica=1", "replica=1"), ElementsAre("W10"));
  EXPECT_THAT(from7("action=evict rv=9", "replica=1"), IsEmpty())
      << "whose window, it does not say";
  EXPECT_THAT(Blamed(kWrites + Watch(7, "resourceVersion=6", 0.5) + kMoreWrites +
                     "5 server control action=evict rv=9\n" +
                     Watch(1, "resourceVersion=7", 9, "replica=1") + kGoneW),
              IsEmpty());
}

TEST(WireExpiryTest, W10TheFormIsAnErrorLineWithCodeAndReason) {
  const std::string below = kEvictedW + Watch(1, "resourceVersion=7", 9);
  EXPECT_THAT(Blamed(below + R"(
    9 server event id=1 type=ERROR code=410 object={"kind":"Status","status":"Failure","apiVersion":"v1","reason":"Gone","code":410}
    9 server end id=1 how=last_chunk
  )"),
              ElementsAre("W10"));
  EXPECT_THAT(Blamed(kEvictedW + List(1, "watch=true&resourceVersion=7", "status=410", 9)),
              ElementsAre("W10"));
  EXPECT_THAT(Blamed(kEvictedW + Asked(1, "watch=true&resourceVersion=7", 9) +
                     "9 server fault id=1 point=request verdict=answer_410\n" +
                     "9 server answer id=1 status=410\n"),
              IsEmpty())
      << "a script's";
}

TEST(WireExpiryTest, W10AnErrorIsTheEnd) {
  const std::string below = kEvictedW + Watch(1, "resourceVersion=7", 9);
  EXPECT_THAT(
      Blamed(below + kGoneW.substr(0, kGoneW.find("  9 server end")) + "99 run phase name=end\n"),
      ElementsAre("W10"))
      << "it stays open";
  EXPECT_THAT(Blamed(kEvictedW + R"(
    6 server event id=7 type=ERROR code=500
    6 server event id=7 type=MODIFIED key=default/a uid=ua rv=7
    6 server end id=7 how=last_chunk
  )"),
              ElementsAre("W10"));
}

TEST(WireExpiryTest, W10InitialEventsNeverExpire) {
  EXPECT_THAT(Blamed(kEvictedW +
                     Watch(1,
                           "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&"
                           "resourceVersion=5",
                           9) +
                     kGoneW),
              ElementsAre("W10"));
}

std::string Future(const std::string& query, double at, const std::string& more) {
  return kWrites + Watch(1, query + "&resourceVersion=99") + std::to_string(at) +
         " server event id=1 type=ERROR code=504 object={\"kind\":\"Status\",\"apiVersion\":\"v1\","
         "\"status\":\"Failure\",\"reason\":\"Timeout\",\"code\":504" +
         more + "}\n" + std::to_string(at) + " server end id=1 how=last_chunk\n";
}

const char kStreamingW20[] = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan";
const char kAdviceW20[] =
    R"(,"details":{"retryAfterSeconds":1,"causes":[{"reason":"ResourceVersionTooLarge"}]})";

TEST(WireExpiryTest, W20AStreamingListFromTheFutureIsToldAfterTheWait) {
  EXPECT_THAT(Blamed(Future(kStreamingW20, 4, kAdviceW20)), IsEmpty());
  EXPECT_THAT(Blamed(Future(kStreamingW20, 2, kAdviceW20)), ElementsAre("W20")) << "too soon";
  EXPECT_THAT(Blamed(Future(kStreamingW20, 4, R"(,"details":{"retryAfterSeconds":1})")),
              ElementsAre("W20"));
  EXPECT_THAT(Blamed(Future(kStreamingW20, 4, "")), ElementsAre("W20"));
}

TEST(WireExpiryTest, W20ItDoesNotHang) {
  const std::string silent = kWrites + Watch(1, std::string(kStreamingW20) + "&resourceVersion=99");
  EXPECT_THAT(Blamed(silent + "99 run phase name=end\n"), ElementsAre("W20"));
  EXPECT_THAT(Blamed(silent + "5 run phase name=end\n"), IsEmpty());
  EXPECT_THAT(Blamed(silent + "1 server fault id=1 point=open verdict=delay_60.000\n" +
                     "99 run phase name=end\n"),
              IsEmpty());
}

TEST(WireExpiryTest, W20APlainWatchFromTheFutureIsSilent) {
  EXPECT_THAT(Blamed(Future("a=b", 4, kAdviceW20)), ElementsAre("W20"));
  EXPECT_THAT(Blamed(kWrites + Watch(1, "resourceVersion=99") + "99 run phase name=end\n"),
              IsEmpty());
}

TEST(WireExpiryTest, W20WhatIsThereIsNotTooLarge) {
  const std::string there = kWrites + Watch(1, std::string(kStreamingW20) + "&resourceVersion=6");
  const std::string error = std::string(
                                "5 server event id=1 type=ERROR code=504 object={\"kind\":"
                                "\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\","
                                "\"reason\":\"Timeout\",\"code\":504") +
                            kAdviceW20 + "}\n5 server end id=1 how=last_chunk\n";
  EXPECT_THAT(Blamed(there + error), ElementsAre("W20"));
  // Who lags may not have come so far; who showed it has.
  const std::string lag = "0 server control action=lag rv=6\n";
  EXPECT_THAT(Blamed(lag + there + error), IsEmpty());
  EXPECT_THAT(Blamed(lag + kWrites + List(3, "resourceVersion=0", "status=200 rv=6 items=2", 0.5) +
                     Watch(1, std::string(kStreamingW20) + "&resourceVersion=6") + error),
              ElementsAre("W20"));
}

}  // namespace
}  // namespace relist
