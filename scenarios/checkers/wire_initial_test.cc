#include "scenarios/checkers/wire_text.h"

namespace relist {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const char kStreaming[] =
    "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";
const std::string kOpenStreaming = kWrites + Watch(1, kStreaming);
const std::string kOpenSynthetic = kWrites + Watch(1, "");

std::string EndAt(int rv) {
  return BookmarkAt(1, rv, "end=true", 1.2);
}

TEST(WireInitialTest, AllObjectsOfOneVersionAreGood) {
  const std::string both = Initial(1, "a", 5) + Initial(1, "b", 6);
  EXPECT_THAT(WireSays(kOpenStreaming + both + EndAt(6) + kMoreWrites + Event7(1)), IsEmpty());
  EXPECT_THAT(WireSays(kOpenSynthetic + both + kMoreWrites + Event7(1) + Event8(1)), IsEmpty());
  EXPECT_THAT(WireSays(kWrites + Watch(1, "allowWatchBookmarks=true") + both + EndAt(6)),
              IsEmpty());
  EXPECT_THAT(WireSays(kWrites + Watch(1, "allowWatchBookmarks=true") + both + kMoreWrites +
                       Event7(1) + BookmarkAt(1, 7)),
              IsEmpty())
      << "an older server ends them without a bookmark";
  EXPECT_THAT(WireSays(kOpenStreaming + Initial(1, "a", 5)), IsEmpty()) << "it is not over";
  EXPECT_THAT(WireSays(kOpenSynthetic + Initial(1, "a", 5) + "2 server end id=1 how=client\n"),
              IsEmpty());
  EXPECT_THAT(WireSays(Watch(1, kStreaming) + EndAt(6)), IsEmpty()) << "nothing is known";
}

TEST(WireInitialTest, WhatCameInTheMeantimeBelongsToOneStateOrTheOther) {
  const std::string opened =
      kWrites + Asked(1, "watch=true") + kMoreWrites + "5 server open id=1 status=200\n";
  EXPECT_THAT(WireSays(opened + R"(
    5 server event id=1 type=ADDED key=default/a uid=ua rv=7
    5 server event id=1 type=ADDED key=default/c uid=uc rv=9
  )"),
              IsEmpty());
  EXPECT_THAT(WireSays(opened + R"(
    5 server event id=1 type=ADDED key=default/a uid=ua rv=7
    5 server event id=1 type=ADDED key=default/b uid=ub rv=6
    5 server event id=1 type=DELETED key=default/b uid=ub rv=8
    5 server event id=1 type=ADDED key=default/c uid=uc rv=9
  )"),
              IsEmpty());
}

TEST(WireInitialTest, W8NoneLacksAndNoneIsTooMuch) {
  EXPECT_THAT(Blamed(kOpenSynthetic + Initial(1, "b", 6) + kMoreWrites + Event7(1)),
              ElementsAre("W8"));
  const std::string later = kWrites + kMoreWrites + Watch(1, "", 5);
  EXPECT_THAT(Blamed(later + "5 server event id=1 type=ADDED key=default/b uid=ub rv=6\n"),
              ElementsAre("W8"))
      << "it is gone";
}

// Found by mutated lives: the state after a deletion that had not happened yet explained it.
TEST(WireInitialTest, W8WhatWasNotWrittenYetExplainsNothing) {
  EXPECT_THAT(Blamed(kOpenSynthetic + Initial(1, "b", 6) + R"(
    2 server commit rv=7 resource=configmaps key=default/a type=DELETED uid=ua
  )"),
              ElementsAre("W8"));
}

TEST(WireInitialTest, W8TheyComeInTheOrderOfTheirKeys) {
  EXPECT_THAT(Blamed(kOpenSynthetic + Initial(1, "b", 6) + Initial(1, "a", 5)), ElementsAre("W8"));
}

TEST(WireInitialTest, W8WithoutAVersionTheyAreNotOlderThanTheRequest) {
  const std::string old = R"(
    5 server event id=1 type=ADDED key=default/a uid=ua rv=5
    5 server event id=1 type=ADDED key=default/b uid=ub rv=6
    5 server event id=1 type=MODIFIED key=default/a uid=ua rv=7
  )";
  const auto said = WireSays(kWrites + kMoreWrites + Watch(1, "", 5) + old);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_THAT(said[0], HasSubstr("W8: initial events are not older than what was asked for, but #1 "
                                 "was sent those of 6, and 9 was asked for"));
  EXPECT_THAT(WireSays(kWrites + kMoreWrites + Watch(1, "resourceVersion=0", 5) + old), IsEmpty())
      << "a replica may lag, and 0 is any";
}

TEST(WireInitialTest, W9TheBookmarkThatEndsThemSaysOfWhatVersionTheyAre) {
  const auto said = WireSays(kOpenStreaming + Initial(1, "a", 5) + EndAt(6));
  ASSERT_EQ(said.size(), 1u);
  EXPECT_THAT(said[0], HasSubstr("W9: initial events are all objects of one version"));
  EXPECT_THAT(said[0], HasSubstr("default/b at 6 lacks"));
  EXPECT_THAT(Blamed(kOpenStreaming + Initial(1, "a", 5) + EndAt(6) + Initial(1, "b", 6)),
              ElementsAre("W9"))
      << "it came too early";
  EXPECT_THAT(Blamed(kOpenStreaming + Initial(1, "a", 5) + Initial(1, "b", 6) + EndAt(5)),
              ElementsAre("W9"));
  EXPECT_THAT(Blamed(kOpenStreaming + Initial(1, "b", 6) + Initial(1, "a", 5) + EndAt(6)),
              ElementsAre("W9"));
}

TEST(WireInitialTest, W9TheyEndOnceAndBeforeAnythingElse) {
  const std::string both = kOpenStreaming + Initial(1, "a", 5) + Initial(1, "b", 6);
  EXPECT_THAT(Blamed(both + EndAt(6) + EndAt(6)), ElementsAre("W9"));
  EXPECT_THAT(Blamed(both + kMoreWrites + Event7(1)), ElementsAre("W9"));
  EXPECT_THAT(Blamed(both + kMoreWrites + Event7(1) + BookmarkAt(1, 7, "end=true")),
              ElementsAre("W9"));
  EXPECT_THAT(
      Blamed(both + kMoreWrites + "5 server event id=1 type=ADDED key=default/c uid=uc rv=9\n"),
      testing::Contains("W9"));
}

TEST(WireInitialTest, W9TheyAreNotOlderThanTheVersionThatIsNamed) {
  const std::string named = std::string(kStreaming) + "&resourceVersion=8";
  EXPECT_THAT(Blamed(kWrites + kMoreWrites + Watch(1, named, 5) + R"(
    5 server event id=1 type=ADDED key=default/a uid=ua rv=7
    5 server event id=1 type=ADDED key=default/b uid=ub rv=6
    5 server event id=1 type=BOOKMARK rv=7 end=true
  )"),
              ElementsAre("W9"));
}

TEST(WireInitialTest, W9WithoutThemThereAreNone) {
  const std::string now = kWrites + Watch(1, "sendInitialEvents=false&allowWatchBookmarks=true");
  EXPECT_THAT(Blamed(now + EndAt(6)), ElementsAre("W9"));
  EXPECT_THAT(Blamed(now + Initial(1, "b", 6)), ElementsAre("W9"));
  EXPECT_THAT(Blamed(now + BookmarkAt(1, 6)), IsEmpty());
}

TEST(WireInitialTest, W9TheyAreRefusedWhereTheyDoNotBelong) {
  EXPECT_THAT(Blamed(kWrites + Watch(1, "sendInitialEvents=true")), ElementsAre("W9"));
  EXPECT_THAT(Blamed(kWrites + List(1, "sendInitialEvents=true", "status=200 rv=6 items=2")),
              ElementsAre("W9"));
  EXPECT_THAT(Blamed(kWrites + List(1, "sendInitialEvents=true", "status=422")), IsEmpty());
  EXPECT_THAT(Blamed(kWrites + List(1, "watch=true&sendInitialEvents=true", "status=422")),
              IsEmpty());
}

}  // namespace
}  // namespace relist
