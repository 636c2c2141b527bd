#include "scenarios/checkers/wire_text.h"

namespace relist {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const std::string kFromSix = kWrites + Watch(1, "allowWatchBookmarks=true&resourceVersion=6");
const std::string kLiveFromSix = kFromSix + kMoreWrites;

std::string SentOnOne(const std::string& what) {
  return "4.2 server event id=1 " + what + "\n";
}

TEST(WireStreamsTest, AWholeStreamIsGood) {
  EXPECT_THAT(WireSays(kLiveFromSix + Event7(1) + Event8(1) + Event9(1) + BookmarkAt(1, 9)),
              IsEmpty());
  EXPECT_THAT(WireSays(kLiveFromSix), IsEmpty()) << "what did not come may come yet";
  EXPECT_THAT(WireSays(kLiveFromSix + Event7(1)), IsEmpty());
  EXPECT_THAT(WireSays(kFromSix), IsEmpty());
}

TEST(WireStreamsTest, W1AnEventOfAnotherScopeIsForeign) {
  const std::string other = R"(
    2 server commit rv=10 resource=configmaps key=other/a type=ADDED uid=ux
    2 server commit rv=11 resource=secrets key=default/a type=ADDED uid=uy
  )";
  for (const char* event :
       {"type=ADDED key=other/a uid=ux rv=10", "type=ADDED key=default/a uid=uy rv=11"}) {
    const auto said = WireSays(kFromSix + other + SentOnOne(event));
    ASSERT_EQ(said.size(), 1u) << event;
    EXPECT_THAT(said[0], HasSubstr("W1: "));
    EXPECT_THAT(said[0], HasSubstr("which its scope never saw"));
  }
}

TEST(WireStreamsTest, W1AnEventThatNeverWasIsForeign) {
  for (const char* event : {
           "type=ADDED key=default/a uid=ua rv=7",     // it was changed
           "type=DELETED key=default/a uid=ua rv=7",   //
           "type=MODIFIED key=default/a uid=ub rv=7",  // another one of that name
       }) {
    EXPECT_THAT(Blamed(kLiveFromSix + SentOnOne(event)), ElementsAre("W1")) << event;
  }
  // In place of the one at 7: that one lacks, too.
  EXPECT_THAT(Blamed(kLiveFromSix + SentOnOne("type=MODIFIED key=default/b uid=ub rv=7")),
              ElementsAre("W1"));
  EXPECT_THAT(Blamed(kLiveFromSix + Event7(1) + Event8(1) + Event9(1) +
                     SentOnOne("type=MODIFIED key=default/c uid=uc rv=12")),
              ElementsAre("W1"));
}

const char kObject5[] = R"({"metadata":{"name":"a","resourceVersion":"5","labels":{"app":"web"}}})";
const char kObject6[] = R"({"metadata":{"name":"a","resourceVersion":"6","labels":{"app":"db"}}})";
const char kHeadW[] = R"({"kind":"ConfigMap","apiVersion":"v1",)";

std::string ScopedByLabel(const std::string& more = "") {
  return std::string(
             "0 server commit rv=5 resource=configmaps key=default/a type=ADDED uid=ua "
             "object=") +
         kObject5 + "\n" + Watch(1, "labelSelector=app%3Dweb&resourceVersion=5", 1, more) +
         "2 server commit rv=6 resource=configmaps key=default/a type=MODIFIED uid=ua object=" +
         kObject6 + "\n";
}

// {"type":T,"object":{the head and these bytes}}, digested.
std::string BodyOfLine(const std::string& type, std::string object) {
  object.replace(0, 1, kHeadW);
  return Digest().Add("{\"type\":\"" + type + "\",\"object\":" + object + "}\n").Text();
}

TEST(WireStreamsTest, W1AnObjectThatLeavesTheSelectorGoesAsItWasAtTheNewVersion) {
  std::string last = kObject5;
  last.replace(last.find("\"5\""), 3, "\"6\"");
  const auto sent = [](const std::string& type, const std::string& object) {
    return SentOnOne("type=" + type +
                     " key=default/a uid=ua rv=6 body=" + BodyOfLine(type, object));
  };
  EXPECT_THAT(WireSays(ScopedByLabel() + sent("DELETED", last)), IsEmpty());
  const auto said = WireSays(ScopedByLabel() + sent("DELETED", kObject6));
  ASSERT_EQ(said.size(), 1u);
  EXPECT_THAT(said[0], HasSubstr("W1: "));
  EXPECT_THAT(said[0], HasSubstr("with another body than it had"));
  EXPECT_THAT(Blamed(ScopedByLabel() + sent("DELETED", kObject5)), ElementsAre("W1"));
  EXPECT_THAT(Blamed(ScopedByLabel() + sent("MODIFIED", kObject6)), ElementsAre("W1"));
  // What is no plain object has another body.
  EXPECT_THAT(Blamed(ScopedByLabel("accept=application/json;as=Table") + sent("DELETED", kObject6)),
              IsEmpty());
}

TEST(WireStreamsTest, W2VersionsRise) {
  EXPECT_THAT(Blamed(kLiveFromSix + Event8(1) + Event7(1) + Event9(1)), ElementsAre("W2"));
  EXPECT_THAT(Blamed(kLiveFromSix + Event7(1) + Event9(1) + Event8(1) + BookmarkAt(1, 9)),
              ElementsAre("W2"));
}

TEST(WireStreamsTest, W2NeedsNoTruth) {
  const std::string alone = Watch(1, "resourceVersion=6");
  EXPECT_THAT(Blamed(alone + Event7(1) + Event8(1)), IsEmpty());
  EXPECT_THAT(Blamed(alone + Event8(1) + Event7(1)), ElementsAre("W2"));
}

TEST(WireStreamsTest, W3AVersionOfAKeyIsSentOnce) {
  EXPECT_THAT(Blamed(kLiveFromSix + Event7(1) + Event7(1) + Event8(1)), ElementsAre("W3"));
  EXPECT_THAT(Blamed(kLiveFromSix + Event7(1) + Event8(1) + Event7(1)), ElementsAre("W3"));
  EXPECT_THAT(Blamed(kLiveFromSix + Event7(1) + BookmarkAt(1, 7) + Event7(1)), ElementsAre("W3"));
  const std::string start =
      kWrites + Watch(1, "") + Initial(1, "a", 5) + Initial(1, "b", 6) + kMoreWrites;
  EXPECT_THAT(Blamed(start + Event7(1) + Initial(1, "b", 6)), ElementsAre("W3"));
  EXPECT_THAT(
      Blamed(kWrites + Watch(1, "") + Initial(1, "a", 5) + Initial(1, "a", 5) + Initial(1, "b", 6)),
      ElementsAre("W3"));
}

TEST(WireStreamsTest, W3AFaultThatSendsALineTwiceIsNotTheServers) {
  EXPECT_THAT(Blamed(kLiveFromSix + "4 server fault id=1 point=event verdict=duplicate\n" +
                     Event7(1) + Event7(1) + Event8(1)),
              IsEmpty());
}

TEST(WireStreamsTest, W4NothingIsLeftOut) {
  const auto said = WireSays(kLiveFromSix + Event9(1));
  ASSERT_EQ(said.size(), 1u);
  EXPECT_EQ(said[0],
            "W4: a stream leaves nothing out, but #1 came to ADDED default/c at 9 without "
            "MODIFIED default/a at 7 and 1 more");
  EXPECT_THAT(Blamed(kLiveFromSix + Event7(1) + Event9(1)), ElementsAre("W4"));
  EXPECT_THAT(Blamed(kLiveFromSix + Event7(1) + Event8(1) + BookmarkAt(1, 9)), ElementsAre("W4"))
      << "a lost tail";
  EXPECT_THAT(Blamed(kLiveFromSix + BookmarkAt(1, 9)), ElementsAre("W4"));
}

TEST(WireStreamsTest, W4AfterTheInitialEventsToo) {
  for (const char* query :
       {"", "resourceVersion=0", "sendInitialEvents=true&resourceVersionMatch=NotOlderThan"}) {
    const std::string start =
        kWrites + Watch(1, query) + Initial(1, "a", 5) + Initial(1, "b", 6) + kMoreWrites;
    EXPECT_THAT(Blamed(start + Event7(1) + Event8(1) + Event9(1)), IsEmpty()) << query;
    EXPECT_THAT(Blamed(start + Event7(1) + Event9(1)), ElementsAre("W4")) << query;
  }
  const std::string now = kWrites + Watch(1, "sendInitialEvents=false") + kMoreWrites;
  EXPECT_THAT(Blamed(now + Event7(1) + Event8(1)), IsEmpty());
  EXPECT_THAT(Blamed(now + Event8(1)), ElementsAre("W4"));
}

TEST(WireStreamsTest, W4WhatAResetTookIsNoEvent) {
  const std::string reset = kWrites + R"(
    2 server control action=reset rv=7
    2 server commit rv=8 resource=configmaps key=default/a type=ADDED uid=uz
  )";
  EXPECT_THAT(Blamed(reset + Watch(1, "resourceVersion=7", 3) +
                     "4 server event id=1 type=ADDED key=default/a uid=uz rv=8\n"),
              IsEmpty());
  EXPECT_THAT(Blamed(reset + List(1, "", "status=200 rv=8 items=1", 3)), IsEmpty());
  EXPECT_THAT(Blamed(reset + List(1, "", "status=200 rv=8 items=2", 3)), ElementsAre("W14"));
}

TEST(WireStreamsTest, W5NothingAtOrBelowTheStart) {
  EXPECT_THAT(Blamed(kLiveFromSix + SentOnOne("type=ADDED key=default/b uid=ub rv=6") + Event7(1)),
              ElementsAre("W5"));
  EXPECT_THAT(Blamed(kLiveFromSix + Event7(1) + SentOnOne("type=ADDED key=default/a uid=ua rv=5")),
              ElementsAre("W5"));
}

TEST(WireStreamsTest, W5AFutureStartTooIsSilentUpToIt) {
  const std::string future = kWrites + Watch(1, "resourceVersion=8") + kMoreWrites;
  EXPECT_THAT(Blamed(future + Event9(1)), IsEmpty());
  EXPECT_THAT(Blamed(future + Event8(1) + Event9(1)), ElementsAre("W5"));
}

TEST(WireStreamsTest, W18AReaderThatIsSlowIsLeftButNotSkipped) {
  const std::string slow = kLiveFromSix + "2 server fault id=1 point=open verdict=stall_after_3\n";
  EXPECT_THAT(Blamed(slow + Event7(1) + "5 server end id=1 how=last_chunk\n"), IsEmpty());
  const auto said = WireSays(slow + Event7(1) + Event9(1));
  ASSERT_EQ(said.size(), 1u);
  EXPECT_THAT(said[0], HasSubstr("W18: no event is skipped to keep a reader that is slow"));
}

}  // namespace
}  // namespace relist
