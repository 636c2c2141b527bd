#include "fakeapi/store/pagination.h"
#include "scenarios/checkers/wire_text.h"

namespace relist {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kAllWrites = kWrites + kMoreWrites;  // a and c at 9

std::string TokenAt(int64_t rv, const std::string& last) {
  return fakeapi::EncodeContinue({rv, fakeapi::StartAfter("default", {"default", last})});
}

std::string FirstPage(const std::string& answer) {
  return List(1, "limit=1", answer, 5);
}

TEST(WireListsTest, ListsOfWhatThereIsAreGood) {
  EXPECT_THAT(WireSays(kAllWrites + List(1, "", "status=200 rv=9 items=2", 5)), IsEmpty());
  EXPECT_THAT(WireSays(kAllWrites + List(1, "resourceVersion=0", "status=200 rv=6 items=2", 5)),
              IsEmpty())
      << "any";
  EXPECT_THAT(WireSays(kAllWrites + List(1, "resourceVersion=7", "status=200 rv=8 items=1", 5)),
              IsEmpty());
  EXPECT_THAT(WireSays(kAllWrites + List(1, "resourceVersion=7&resourceVersionMatch=Exact",
                                         "status=200 rv=7 items=2", 5)),
              IsEmpty());
  EXPECT_THAT(
      WireSays(kAllWrites + FirstPage("status=200 rv=9 items=1 continue=" + TokenAt(9, "a")) +
               List(2, "limit=1&continue=" + TokenAt(9, "a"), "status=200 rv=9 items=1", 6)),
      IsEmpty());
}

TEST(WireListsTest, W12AllPagesAreOfOneVersion) {
  EXPECT_THAT(Blamed(kAllWrites +
                     List(2, "limit=1&continue=" + TokenAt(8, "a"), "status=200 rv=9 items=1", 6)),
              ElementsAre("W12"));
  EXPECT_THAT(Blamed(kAllWrites + FirstPage("status=200 rv=9 items=1 continue=" + TokenAt(8, "a"))),
              ElementsAre("W12"));
  EXPECT_THAT(Blamed(kAllWrites +
                     List(2, "limit=1&continue=" + TokenAt(-1, "a"), "status=200 rv=9 items=1", 6)),
              IsEmpty())
      << "it goes on at the newest";
}

TEST(WireListsTest, W12PagesLeaveNothingOut) {
  // At 7 there are a and b.
  const std::string exact = "limit=1&resourceVersion=7";
  EXPECT_THAT(
      Blamed(kAllWrites + List(1, exact, "status=200 rv=7 items=1 continue=" + TokenAt(7, "a"), 5)),
      IsEmpty());
  EXPECT_THAT(
      Blamed(kAllWrites + List(1, exact, "status=200 rv=7 items=1 continue=" + TokenAt(7, "b"), 5)),
      ElementsAre("W12"))
      << "b is on no page";
  EXPECT_THAT(
      Blamed(kAllWrites + List(1, exact, "status=200 rv=7 items=1 continue=" + TokenAt(7, "0"), 5)),
      ElementsAre("W12"))
      << "a is on two";
  EXPECT_THAT(Blamed(kAllWrites + List(1, exact, "status=200 rv=7 items=1 continue=x", 5)),
              ElementsAre("W12"));
  EXPECT_THAT(Blamed(kAllWrites +
                     List(2, "limit=1&continue=" + TokenAt(7, "a"), "status=200 rv=7 items=0", 6)),
              ElementsAre("W12"));
  EXPECT_THAT(Blamed(kAllWrites +
                     List(2, "limit=1&continue=" + TokenAt(7, "0"), "status=200 rv=7 items=2", 6)),
              ElementsAre("W12"))
      << "more than its limit";
}

const char kExpiredPageW13[] =
    R"(object={"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Expired","code":410,"metadata":{"continue":")";
const std::string kCompacted = kAllWrites + "5 server control action=compact rv=9 learned=true\n";

TEST(WireListsTest, W13ATokenFromBelowTheFloorIsToldWithAnotherOne) {
  const std::string old = "limit=1&continue=" + TokenAt(7, "a");
  const auto told = [&](const std::string& token) {
    return Blamed(kCompacted +
                  List(2, old, "status=410 " + std::string(kExpiredPageW13) + token + "\"}}", 6));
  };
  EXPECT_THAT(told(TokenAt(-1, "a")), IsEmpty());
  EXPECT_THAT(told(TokenAt(9, "a")), ElementsAre("W13")) << "not at the newest";
  EXPECT_THAT(told(TokenAt(-1, "b")), ElementsAre("W13")) << "not where it was";
  EXPECT_THAT(told(""), ElementsAre("W13"));
  EXPECT_THAT(Blamed(kCompacted + List(2, old, "status=200 rv=7 items=1", 6)), ElementsAre("W13"));
}

TEST(WireListsTest, W13ATokenFromAboveTheFloorIsServed) {
  const std::string gone = "status=410 " + std::string(kExpiredPageW13) + TokenAt(-1, "a") + "\"}}";
  EXPECT_THAT(Blamed(kCompacted + List(2, "limit=1&continue=" + TokenAt(9, "a"), gone, 6)),
              ElementsAre("W13"));
  EXPECT_THAT(Blamed(kAllWrites + "5 server control action=compact rv=9\n" +
                     List(2, "limit=1&continue=" + TokenAt(7, "a"), gone, 6)),
              IsEmpty())
      << "nobody has learned of it, but who says that there was a snapshot";
  EXPECT_THAT(Blamed(kAllWrites + "5 server control action=compact rv=9\n" +
                     List(2, "limit=1&continue=" + TokenAt(7, "a"), gone, 6, "replica=1")),
              IsEmpty())
      << "another replica may have";
}

TEST(WireListsTest, W14AListIsNotOlderThanWhatWasAskedFor) {
  EXPECT_THAT(Blamed(kAllWrites + List(1, "", "status=200 rv=8 items=1", 5)), ElementsAre("W14"));
  EXPECT_THAT(Blamed(kAllWrites + List(1, "resourceVersion=8", "status=200 rv=7 items=2", 5)),
              ElementsAre("W14"));
  EXPECT_THAT(Blamed(kAllWrites + List(1, "", "status=200 rv=12 items=2", 5)), ElementsAre("W14"));
  // What is written after it was asked for need not be in it.
  EXPECT_THAT(Blamed(kWrites + Asked(1, "") + kMoreWrites +
                     "5 server answer id=1 status=200 rv=7 items=2\n"),
              IsEmpty());
}

TEST(WireListsTest, W14AnExactListIsOfThatVersion) {
  const std::string exact = "resourceVersion=7&resourceVersionMatch=Exact";
  EXPECT_THAT(Blamed(kAllWrites + List(1, exact, "status=200 rv=8 items=1", 5)),
              ElementsAre("W14"));
  EXPECT_THAT(
      Blamed(kAllWrites + List(1, "resourceVersion=7&limit=5", "status=200 rv=8 items=1", 5)),
      ElementsAre("W14"))
      << "the legacy rule";
  EXPECT_THAT(
      Blamed(kAllWrites + List(1, "resourceVersion=7&limit=5&fieldSelector=metadata.name%3Dzz",
                               "status=200 rv=8 items=0", 5)),
      IsEmpty())
      << "only one can be meant";
  EXPECT_THAT(Blamed(kAllWrites + List(1, "resourceVersion=7&continue=" + TokenAt(7, "a"),
                                       "status=200 rv=7 items=1", 5)),
              ElementsAre("W14"));
}

TEST(WireListsTest, W14AllObjectsOfItsVersion) {
  EXPECT_THAT(Blamed(kAllWrites + List(1, "", "status=200 rv=9 items=1", 5)), ElementsAre("W14"));
  EXPECT_THAT(Blamed(kAllWrites + List(1, "", "status=200 rv=9 items=3", 5)), ElementsAre("W14"));
}

TEST(WireListsTest, W14TheyAreThoseObjects) {
  const std::string a = R"({"metadata":{"name":"a"}})",
                    b = R"({"metadata":{"name":"b"},"data":{}})";
  const std::string writes =
      "0 server commit rv=5 resource=configmaps key=default/a type=ADDED uid=ua object=" + a +
      "\n0 server commit rv=6 resource=configmaps key=default/b type=ADDED uid=ub object=" + b +
      "\n";
  const auto list = [&](const ListDigest& digest) {
    return Blamed(writes + List(1, "", "status=200 rv=6 items=2 digest=" + digest.Text()));
  };
  const ObjectKey key_a{"default", "a"};
  EXPECT_THAT(list(ListDigest().Add(key_a, 5, a.size()).Add("default/b", 6, b.size())), IsEmpty());
  EXPECT_THAT(list(ListDigest().Add("default/b", 6, b.size()).Add(key_a, 5, a.size())),
              ElementsAre("W14"));
  EXPECT_THAT(list(ListDigest().Add(key_a, 4, a.size()).Add("default/b", 6, b.size())),
              ElementsAre("W14"));
  EXPECT_THAT(list(ListDigest().Add(key_a, 5, b.size()).Add("default/b", 6, b.size())),
              ElementsAre("W14"));
}

const char kStatusW14[] = R"(object={"kind":"Status","apiVersion":"v1","status":"Failure",)";

TEST(WireListsTest, W14WhatIsGoneIsGone) {
  const std::string exact = "resourceVersion=7&resourceVersionMatch=Exact";
  const std::string gone =
      "status=410 " + std::string(kStatusW14) + R"("reason":"Expired","code":410})";
  EXPECT_THAT(Blamed(kCompacted + List(1, exact, gone, 6)), IsEmpty());
  EXPECT_THAT(Blamed(kCompacted + List(1, exact, "status=200 rv=7 items=2", 6)),
              ElementsAre("W14"));
  EXPECT_THAT(
      Blamed(kCompacted +
             List(1, exact,
                  "status=410 " + std::string(kStatusW14) + R"("reason":"Gone","code":410})", 6)),
      ElementsAre("W14"));
  EXPECT_THAT(Blamed(kAllWrites + List(1, exact, gone, 6)), ElementsAre("W14")) << "it is there";
  EXPECT_THAT(Blamed(kCompacted + List(1, "resourceVersion=7", gone, 6)), ElementsAre("W14"))
      << "only an exact list expires";
  EXPECT_THAT(
      Blamed(kAllWrites + "5 server control action=compact rv=9\n" + List(1, exact, gone, 6)),
      IsEmpty());
  // A restart forgets the snapshots: from then on etcd's floor holds.
  EXPECT_THAT(Blamed(kAllWrites + "5 server control action=compact rv=9\n" +
                     "5 server control action=restart rv=9\n" + List(1, exact, gone, 6)),
              IsEmpty());
}

std::string TooLargeAt(double at, const std::string& more, const std::string& query) {
  return kAllWrites + Asked(1, query, 5) + std::to_string(at) + " server answer id=1 status=504 " +
         more + "\n";
}

TEST(WireListsTest, W14WhatIsYetToComeIsToldAfterTheWait) {
  const std::string future = "resourceVersion=99";
  const std::string advice =
      "retry_after=1 " + std::string(kStatusW14) +
      R"("reason":"Timeout","code":504,"details":{"retryAfterSeconds":1,"causes":[{"reason":"ResourceVersionTooLarge","message":"Too_large_resource_version"}]}})";
  EXPECT_THAT(Blamed(TooLargeAt(8, advice, future)), IsEmpty());
  EXPECT_THAT(Blamed(TooLargeAt(6, advice, future)), ElementsAre("W14")) << "too soon";
  EXPECT_THAT(Blamed(TooLargeAt(8, advice.substr(14), future)), ElementsAre("W14"))
      << "without Retry-After";
  EXPECT_THAT(Blamed(TooLargeAt(8, advice, "resourceVersion=9")), ElementsAre("W14"));
  EXPECT_THAT(
      Blamed("0 server control action=lag rv=1\n" + TooLargeAt(8, advice, "resourceVersion=9")),
      IsEmpty())
      << "it may be behind";
  const std::string etcds =
      std::string(kStatusW14) +
      R"("reason":"Timeout","code":504,"details":{"causes":[{"reason":"ResourceVersionTooLarge"}]}})";
  const std::string one = "resourceVersion=99&fieldSelector=metadata.name%3Da";
  for (const char* more : {"&resourceVersionMatch=Exact", "&limit=5"}) {
    EXPECT_THAT(Blamed(TooLargeAt(5, etcds, one + more)), IsEmpty()) << "etcd's: at once" << more;
  }
  for (const char* more : {"", "&limit=5&resourceVersionMatch=NotOlderThan"}) {
    EXPECT_THAT(Blamed(TooLargeAt(5, etcds, one + more)), Contains("W14")) << more;
  }
}

TEST(WireListsTest, W15OneReplicaNeverGoesBack) {
  const auto lists = [](int replica, const std::string& query) {
    return Blamed(
        kAllWrites + List(1, "resourceVersion=0", "status=200 rv=9 items=2", 5) +
        List(2, query, "status=200 rv=7 items=2", 6, "replica=" + std::to_string(replica)));
  };
  EXPECT_THAT(lists(0, "resourceVersion=0"), ElementsAre("W15"));
  EXPECT_THAT(lists(1, "resourceVersion=0"), IsEmpty()) << "another one may lag";
  EXPECT_THAT(lists(0, "resourceVersion=7&resourceVersionMatch=Exact"), IsEmpty());
}

TEST(WireListsTest, W15WhatWasAskedForAtTheSameTimeHasNoOrder) {
  EXPECT_THAT(Blamed(kAllWrites + Asked(1, "resourceVersion=0", 5) +
                     List(2, "resourceVersion=0", "status=200 rv=9 items=2", 5) +
                     "6 server answer id=1 status=200 rv=7 items=2\n"),
              IsEmpty());
}

TEST(WireListsTest, W15InitialEventsCountToo) {
  const std::string streaming =
      "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&"
      "resourceVersion=0";
  EXPECT_THAT(Blamed(kAllWrites + List(1, "resourceVersion=0", "status=200 rv=9 items=2", 5) +
                     Watch(2, streaming, 6) + R"(
    6 server event id=2 type=ADDED key=default/a uid=ua rv=7
    6 server event id=2 type=ADDED key=default/b uid=ub rv=6
    6 server event id=2 type=BOOKMARK rv=7 end=true
  )"),
              ElementsAre("W15"));
}

TEST(WireListsTest, AnAnswerThatAFaultMadeIsNotJudged) {
  EXPECT_THAT(Blamed(kAllWrites + Asked(1, "resourceVersion=0", 5) +
                     "5 server fault id=1 point=answer verdict=answer_410\n" +
                     "5 server answer id=1 status=410\n"),
              IsEmpty());
}

}  // namespace
}  // namespace relist
