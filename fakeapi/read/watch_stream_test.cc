#include "fakeapi/read/watch_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "fakeapi/read/read_test_world.h"

namespace relist::fakeapi {
namespace watch_stream_test {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr char kInitial[] = "sendInitialEvents=true&resourceVersionMatch=NotOlderThan";

class Watches : public testing::Test {
 protected:
  std::vector<std::string> Lines(WatchSession& session) { return Drain(session, world_.now); }

  ReadTestWorld world_;
};

TEST_F(Watches, WithoutAStartSendWhatIsThereInKeyOrderThenWhatFollows) {
  world_.Put("ns/b", "1");
  world_.Put("ns/a", "1");
  world_.Put("ns/b", "2");
  const auto session = world_.Watch("");
  EXPECT_THAT(Lines(*session), ElementsAre("ADDED a=1@3", "ADDED b=2@4"));
  world_.Put("ns/c", "1");
  world_.Remove("ns/a");
  EXPECT_THAT(Lines(*session), ElementsAre("ADDED c=1@5", "DELETED a=1@6"));
}

TEST_F(Watches, WhatChangesDuringTheInitialEventsFollowsThem) {
  world_.Put("ns/a", "1");
  const auto session = world_.Watch("resourceVersion=0");
  world_.Remove("ns/a");
  EXPECT_THAT(Lines(*session), ElementsAre("ADDED a=1@2", "DELETED a=1@3"));
}

TEST_F(Watches, FromARevisionSendOnlyWhatIsLater) {
  world_.Put("ns/a", "1");
  world_.Put("ns/a", "2");
  world_.Put("ns/b", "1");
  EXPECT_THAT(Lines(*world_.Watch("resourceVersion=2")),
              ElementsAre("MODIFIED a=2@3", "ADDED b=1@4"));
  EXPECT_THAT(Lines(*world_.Watch("resourceVersion=4")), IsEmpty());
}

TEST_F(Watches, OfAnObjectThatEntersAndLeavesTheSelectionSeeItComeAndGo) {
  world_.Put("ns/a", "1");
  const auto session = world_.Watch("resourceVersion=2&labelSelector=app=x");
  world_.Put("ns/a", "2", {{"app", "x"}});
  world_.Put("ns/a", "3", {{"app", "x"}});
  world_.Put("ns/a", "4", {{"app", "y"}});
  world_.Put("ns/a", "5", {{"app", "y"}});
  world_.Put("ns/a", "6", {{"app", "x"}});
  world_.Remove("ns/a");
  EXPECT_THAT(Lines(*session), ElementsAre("ADDED a=2@3", "MODIFIED a=3@4", "DELETED a=3@5",
                                           "ADDED a=6@7", "DELETED a=6@8"));
}

TEST_F(Watches, SeeOnlyTheirNamespaceOrName) {
  const auto in_namespace = world_.Watch("resourceVersion=1", "ns");
  const auto by_name = world_.Watch("resourceVersion=1&fieldSelector=metadata.name=a");
  world_.Put("ns/a", "1");
  world_.Put("ns/b", "1");
  world_.Put("other/a", "2");
  EXPECT_THAT(Lines(*in_namespace), ElementsAre("ADDED a=1@2", "ADDED b=1@3"));
  EXPECT_THAT(Lines(*by_name), ElementsAre("ADDED a=1@2", "ADDED a=2@4"));
}

TEST_F(Watches, BelowTheWindowGetOneErrorAndEnd) {
  world_.Put("ns/a", "1");
  world_.Put("ns/a", "2");
  world_.replica->Evict();
  EXPECT_THAT(Lines(*world_.Watch("resourceVersion=2")),
              ElementsAre("ERROR 410 too old resource version: 2 (3)", "end"));
  EXPECT_THAT(Lines(*world_.Watch("resourceVersion=3")), IsEmpty());
  EXPECT_THAT(Lines(*world_.Watch(std::string(kInitial) + "&resourceVersion=2")),
              ElementsAre("ADDED a=2@3"))
      << "with initial events no revision is too old";
}

TEST_F(Watches, ThatAreOpenOutliveAnEvictionWithAllTheirEvents) {
  const auto session = world_.Watch("resourceVersion=1");
  world_.Put("ns/a", "1");
  world_.replica->Evict();
  world_.Put("ns/a", "2");
  EXPECT_THAT(Lines(*session), ElementsAre("ADDED a=1@2", "MODIFIED a=2@3"));
}

TEST_F(Watches, ThatAreOpenEndWithARestartAndWithTheServer) {
  const auto session = world_.Watch("resourceVersion=1");
  EXPECT_THAT(Lines(*session), IsEmpty());
  bool woken = false;
  session->OnReady([&] { woken = true; });
  world_.replica->Restart(world_.now, {});
  EXPECT_TRUE(woken);
  EXPECT_THAT(Lines(*session), ElementsAre("end"));
  std::unique_ptr<WatchSession> survivor;
  {
    ReadTestWorld other;
    survivor = other.Watch("resourceVersion=1");
  }
  EXPECT_THAT(Lines(*survivor), ElementsAre("end"));
}

TEST_F(Watches, FromTheFutureAreSilentUntilItHasPassed) {
  const auto session = world_.Watch("resourceVersion=3&allowWatchBookmarks=true");
  world_.Put("ns/a", "1");
  world_.replica->Bookmark();
  EXPECT_THAT(Lines(*session), IsEmpty());
  world_.Put("ns/a", "2");
  world_.Put("ns/a", "3");
  EXPECT_THAT(Lines(*session), ElementsAre("MODIFIED a=3@4"));
}

TEST_F(Watches, EndAtTheirDeadlineWithoutAWord) {
  const auto session = world_.Watch("resourceVersion=1&timeoutSeconds=5");
  EXPECT_EQ(session->NextDeadline(), world_.start + Seconds(5));
  EXPECT_THAT(Drain(*session, world_.start + Seconds(5) - Duration(1)), IsEmpty());
  EXPECT_THAT(Drain(*session, world_.start + Seconds(5)), ElementsAre("end"));
  EXPECT_EQ(session->NextDeadline(), kNever);
  EXPECT_THAT(Lines(*world_.Watch("resourceVersion=1&timeoutSeconds=-1")), ElementsAre("end"));
  EXPECT_EQ(world_.Watch("resourceVersion=1")->NextDeadline(), world_.start + Seconds(1800));
  EXPECT_EQ(world_.Watch("resourceVersion=1&timeoutSeconds=0")->NextDeadline(),
            world_.start + Seconds(1800));
  EXPECT_LT(world_.start, world_.Watch("timeoutSeconds=9223372036")->NextDeadline());
}

TEST_F(Watches, WithInitialEventsAndBookmarksGetOneThatEndsThem) {
  world_.Put("ns/a", "1");
  world_.Elsewhere();
  const auto session = world_.Watch(std::string(kInitial) + "&allowWatchBookmarks=true");
  EXPECT_THAT(Lines(*session), ElementsAre("ADDED a=1@2", "BOOKMARK@3 end"));
  EXPECT_THAT(Lines(*world_.Watch(kInitial)), ElementsAre("ADDED a=1@2"));
  EXPECT_THAT(Lines(*world_.Watch("resourceVersion=0&allowWatchBookmarks=true")),
              ElementsAre("ADDED a=1@2", "BOOKMARK@3 end"))
      << "as if sendInitialEvents had been sent";
}

TEST_F(Watches, WithoutInitialEventsStartNowOrWhereTheyAreToldTo) {
  constexpr char kNone[] = "sendInitialEvents=false&resourceVersionMatch=NotOlderThan";
  world_.Put("ns/a", "1");
  world_.Put("ns/a", "2");
  const auto from_now = world_.Watch(kNone);
  const auto from_any = world_.Watch(std::string(kNone) + "&resourceVersion=0");
  const auto from_two = world_.Watch(std::string(kNone) + "&resourceVersion=2");
  world_.Put("ns/a", "3");
  EXPECT_THAT(Lines(*from_now), ElementsAre("MODIFIED a=3@4"));
  EXPECT_THAT(Lines(*from_any), ElementsAre("MODIFIED a=3@4"));
  EXPECT_THAT(Lines(*from_two), ElementsAre("MODIFIED a=2@3", "MODIFIED a=3@4"));
}

// Not even a head comes before that; and timeoutSeconds counts from when it is served.
TEST_F(Watches, WithInitialEventsOfTheFutureWaitThreeSecondsAndThenFail) {
  const std::string query =
      std::string(kInitial) + "&allowWatchBookmarks=true&timeoutSeconds=1&resourceVersion=3";
  EXPECT_EQ(world_.WaitOfWatch(query), world_.start + Seconds(3));
  world_.Put("ns/a", "1");
  EXPECT_EQ(world_.WaitOfWatch(query), world_.start + Seconds(3));
  world_.now = world_.start + Seconds(3);
  EXPECT_THAT(Lines(*world_.Watch(query)),
              ElementsAre("ERROR 504 Timeout: Too large resource version: 3, current: 2", "end"));
  world_.now = world_.start + Seconds(2);
  world_.Elsewhere();
  const auto in_time = world_.Watch(query);
  EXPECT_THAT(Lines(*in_time), ElementsAre("ADDED a=1@2", "BOOKMARK@3 end"));
  EXPECT_EQ(in_time->NextDeadline(), world_.start + Seconds(3));
}

TEST_F(Watches, GetABookmarkEveryMinuteAndShortlyBeforeTheirEnd) {
  const auto session = world_.Watch("resourceVersion=1&allowWatchBookmarks=true&timeoutSeconds=90");
  world_.Elsewhere();
  EXPECT_EQ(session->NextDeadline(), world_.start + Seconds(60));
  EXPECT_THAT(Drain(*session, world_.start + Seconds(59)), IsEmpty());
  EXPECT_THAT(Drain(*session, world_.start + Seconds(60)), ElementsAre("BOOKMARK@2"));
  EXPECT_EQ(session->NextDeadline(), world_.start + Seconds(88));
  EXPECT_THAT(Drain(*session, world_.start + Seconds(88)), ElementsAre("BOOKMARK@2"));
  EXPECT_EQ(session->NextDeadline(), world_.start + Seconds(90));
  EXPECT_THAT(Drain(*session, world_.start + Seconds(90)), ElementsAre("end"));
}

TEST_F(Watches, ThatAreIdleAtTheNewestRevisionGetNoPeriodicBookmark) {
  const auto session = world_.Watch("resourceVersion=1&allowWatchBookmarks=true&timeoutSeconds=10");
  EXPECT_THAT(Drain(*session, world_.start + Seconds(9)), IsEmpty());
}

TEST_F(Watches, ThatDidNotAskForBookmarksGetNone) {
  const auto session = world_.Watch("resourceVersion=1&timeoutSeconds=90");
  world_.Elsewhere();
  EXPECT_EQ(world_.replica->Bookmark(), 0);
  EXPECT_THAT(Drain(*session, world_.start + Seconds(89)), IsEmpty());
}

TEST_F(Watches, AllowingBookmarksGetOneWhenTheServerIsToldTo) {
  const auto session = world_.Watch("resourceVersion=1&allowWatchBookmarks=true");
  EXPECT_THAT(Lines(*session), IsEmpty());
  bool woken = false;
  session->OnReady([&] { woken = true; });
  EXPECT_EQ(world_.replica->Bookmark(), 1);
  EXPECT_TRUE(woken);
  EXPECT_THAT(Lines(*session), ElementsAre("BOOKMARK@1"));
  EXPECT_THAT(Lines(*session), IsEmpty());
  world_.replica->Restart(world_.now, {});
  EXPECT_EQ(world_.replica->Bookmark(), 0) << "it is over, though it has not said so yet";
}

TEST_F(Watches, BookmarksComeAfterTheEventsThatTheyCover) {
  const auto session = world_.Watch("resourceVersion=1&allowWatchBookmarks=true");
  world_.Put("ns/a", "1");
  world_.replica->Bookmark();
  world_.Put("ns/a", "2");
  EXPECT_THAT(Lines(*session), ElementsAre("ADDED a=1@2", "MODIFIED a=2@3", "BOOKMARK@3"));
}

TEST_F(Watches, AreWokenOnceAndOnlyForWhatConcernsThem) {
  const auto session = world_.Watch("resourceVersion=1", "ns");
  EXPECT_THAT(Lines(*session), IsEmpty());
  int woken = 0;
  session->OnReady([&] { ++woken; });
  for (uint64_t i = 0; i < 1010; ++i) world_.Put("other/a", std::to_string(i));
  world_.Elsewhere();
  EXPECT_EQ(woken, 0);
  world_.Put("ns/a", "1");
  world_.Put("ns/a", "2");
  EXPECT_EQ(woken, 1);
  EXPECT_EQ(Lines(*session).size(), 2u) << "other namespaces' events did not count as being behind";
  world_.Put("ns/a", "3");
  EXPECT_EQ(woken, 2);
}

TEST_F(Watches, ShareOneFrameForAnEvent) {
  const auto one = world_.Watch("resourceVersion=1");
  const auto two = world_.Watch("resourceVersion=1");
  world_.Put("ns/a", "1");
  WatchLine first, second;
  ASSERT_EQ(one->Next(world_.now, &first), WatchSession::Step::kLine);
  ASSERT_EQ(two->Next(world_.now, &second), WatchSession::Step::kLine);
  ASSERT_EQ(first.chunk.size(), second.chunk.size());
  const StoredRef stored = world_.store.Find(world_.configmaps, {"ns", "a"});
  bool shares_object = false;
  for (size_t i = 0; i < first.chunk.size(); ++i) {
    EXPECT_EQ(first.chunk[i].bytes.data(), second.chunk[i].bytes.data());
    shares_object |= first.chunk[i].bytes.data() == stored->bytes.data() + 1;
  }
  EXPECT_TRUE(shares_object);
  EXPECT_EQ(first.key, "ns/a");
  EXPECT_EQ(first.uid, "u-a");
}

TEST_F(Watches, OfAMalformedRevisionAreRefusedWithA500) {
  const Response refused = world_.RefusedWatch("resourceVersion=abc");
  EXPECT_EQ(refused.status, 500);
  EXPECT_EQ(MessageOf(refused),
            "resourceVersion: Invalid value: \"abc\": strconv.ParseUint: parsing \"abc\": invalid "
            "syntax");
}

// Cutting a watch anywhere and going on from what was seen last loses nothing and repeats nothing.
TEST_F(Watches, ResumedAtAnyPointContinueExactly) {
  SeededChoices choices(3);
  for (int i = 0; i < 60; ++i) {
    const std::string key =
        "ns/" + std::string(1, static_cast<char>('a' + choices.Below(3, "key")));
    const uint64_t what = choices.Below(4, "what");
    const std::map<std::string, std::string> labels = {{"app", what % 2 == 0 ? "x" : "y"}};
    if (what == 3 && world_.store.Find(world_.configmaps, ObjectKey::Parse(key))) {
      world_.Remove(key);
    } else {
      world_.Put(key, std::to_string(i), labels);
    }
  }
  for (const std::string& selector : {std::string(), std::string("&labelSelector=app=x")}) {
    const auto all = Lines(*world_.Watch("resourceVersion=1" + selector));
    for (size_t cut = 0; cut < all.size(); ++cut) {
      const std::string revision = all[cut].substr(all[cut].find('@') + 1);
      const auto rest = Lines(*world_.Watch("resourceVersion=" + revision + selector));
      EXPECT_EQ(rest, std::vector<std::string>(all.begin() + static_cast<std::ptrdiff_t>(cut) + 1,
                                               all.end()));
    }
  }
}

}  // namespace watch_stream_test
}  // namespace relist::fakeapi
