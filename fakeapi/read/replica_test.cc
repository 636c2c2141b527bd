#include "fakeapi/read/replica.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "fakeapi/api/request_target.h"
#include "fakeapi/api/resources.h"
#include "fakeapi/read/read_handlers.h"
#include "fakeapi/read/read_test_world.h"

namespace relist::fakeapi {
namespace replica_test {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr char kStreaming[] =
    "sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true";

// ns/a=1 at 2 has come; ns/a=2 at 3 and ns/b=1 at 4 have not.
class LaggingReplica : public testing::Test {
 protected:
  LaggingReplica() {
    world_.Put("ns/a", "1");
    world_.replica->SetLag(Seconds(2), world_.now);
    world_.Put("ns/a", "2");
    world_.Put("ns/b", "1");
  }

  // What is answered at once; "wait" where that is nothing.
  std::string Items(const std::string& query) {
    const Reply reply = world_.List(query);
    if (std::holds_alternative<Wait>(reply)) return "wait";
    if (StatusOf(reply) != 200) return std::to_string(StatusOf(reply)) + " " + MessageOf(reply);
    return ItemsOf(reply);
  }
  std::string Get(const std::string& query) {
    const RequestTarget target = ParseTarget("/?" + query);
    const ReadRequest read{&world_.configmaps, {"ns", "a"},  &target.query,
                           Negotiated(),       world_.start, world_.now};
    const Reply reply = HandleGet(*world_.replica, read, Seconds(3));
    if (std::holds_alternative<Wait>(reply)) return "wait";
    const std::string body = std::get<Response>(reply).BodyText();
    if (StatusOf(reply) != 200) return std::to_string(StatusOf(reply)) + " " + MessageOf(reply);
    const size_t at = body.find("\"n\":\"");
    return body.substr(at + 5, 1);
  }
  // Time passes, as a front lets it.
  void Pass(Duration time) {
    world_.now += time;
    world_.replica->Advance(world_.now);
  }

  ReadTestWorld world_;
};

// The cache of a kind is made when somebody needs it, and is as if it had been there always.
TEST(Replica, KeepsTheSnapshotsOfAKindThatNobodyNeededWhenWindowsWereEmptied) {
  ReadTestWorld world;
  const uint64_t first = world.etcd->revision();
  world.Elsewhere();
  world.replica->Evict();
  const uint64_t put = world.Put("ns/a", "1");
  world.Compact(put, /*learned=*/false);
  const std::string query = "limit=2&resourceVersion=" + std::to_string(first);
  EXPECT_EQ(StatusOf(world.List(query)), 200);
  EXPECT_EQ(ItemsOf(world.List(query)), "");
  world.Compact(put, /*learned=*/true);
  EXPECT_EQ(StatusOf(world.List(query)), 410);
}

TEST_F(LaggingReplica, AnswersAnyVersionFromWhatHasCome) {
  EXPECT_EQ(Items("resourceVersion=0"), "a=1");
  EXPECT_EQ(Get("resourceVersion=0"), "1");
  EXPECT_THAT(Drain(*world_.Watch("resourceVersion=0"), world_.now), ElementsAre("ADDED a=1@2"));
  EXPECT_EQ(MetaOf(world_.List("resourceVersion=0"), "resourceVersion"), "2");
  EXPECT_EQ(world_.replica->NextChange(), world_.start + Seconds(2));
  Pass(Seconds(2));
  EXPECT_EQ(Items("resourceVersion=0"), "a=2 b=1");
  EXPECT_EQ(world_.replica->NextChange(), kNever);
}

TEST_F(LaggingReplica, AsksEtcdForTheNewestObjectAndWaitsForTheNewestList) {
  EXPECT_EQ(Get(""), "2");
  EXPECT_EQ(Items(""), "wait");
  Pass(Seconds(2));
  EXPECT_EQ(Items(""), "a=2 b=1");
}

// What is written after the request came need not be waited for.
TEST_F(LaggingReplica, NeedsForTheNewestOnlyWhatWasThereWhenTheRequestCame) {
  world_.now += Seconds(1);
  world_.Put("ns/c", "1");
  Pass(Seconds(1));
  EXPECT_EQ(Items(""), "a=2 b=1") << "the request is from the start";
}

// TestConsistentReadFallback (SRV-13).
TEST_F(LaggingReplica, AnswersTheNewestFromEtcdIfItCannotCatchUp) {
  world_.replica->Pause();
  Pass(Seconds(3) - Duration(1));
  EXPECT_EQ(Items(""), "wait");
  Pass(Duration(1));
  EXPECT_EQ(Items(""), "a=2 b=1");
  EXPECT_EQ(MetaOf(world_.List(""), "resourceVersion"), "4");
  EXPECT_EQ(Items("resourceVersion=0"), "a=1");
}

TEST_F(LaggingReplica, WaitsForAVersionAndThenSaysHowFarItIs) {
  for (const char* query : {"resourceVersion=4", "resourceVersion=4&resourceVersionMatch=Exact",
                            "resourceVersion=4&limit=1"}) {
    EXPECT_EQ(Items(query), "wait") << query;
  }
  EXPECT_EQ(Get("resourceVersion=3"), "wait");
  world_.replica->Pause();
  Pass(Seconds(3));
  EXPECT_EQ(Items("resourceVersion=4"), "504 Timeout: Too large resource version: 4, current: 2");
  EXPECT_EQ(Items("resourceVersion=4&resourceVersionMatch=Exact"),
            "504 Timeout: Too large resource version: 4, current: 2");
  EXPECT_EQ(Get("resourceVersion=3"), "504 Timeout: Too large resource version: 3, current: 2");
  world_.replica->Resume(world_.now);
  EXPECT_EQ(Items("resourceVersion=4"), "a=2 b=1") << "what came late comes at once";
}

TEST_F(LaggingReplica, GivesEventsToItsWatchesWhenTheyCome) {
  const auto from_two = world_.Watch("resourceVersion=2");
  const auto from_three = world_.Watch("resourceVersion=3");  // of another replica, say
  EXPECT_THAT(Drain(*from_two, world_.now), IsEmpty());
  EXPECT_THAT(Drain(*from_three, world_.now), IsEmpty());
  Pass(Seconds(2));
  EXPECT_THAT(Drain(*from_two, world_.now), ElementsAre("MODIFIED a=2@3", "ADDED b=1@4"));
  EXPECT_THAT(Drain(*from_three, world_.now), ElementsAre("ADDED b=1@4"));
}

TEST_F(LaggingReplica, StartsAStreamingListOfTheNewestWhenItHasCaughtUp) {
  EXPECT_EQ(world_.WaitOfWatch(kStreaming), world_.start + Seconds(3));
  Pass(Seconds(2));
  EXPECT_THAT(Drain(*world_.Watch(kStreaming), world_.now),
              ElementsAre("ADDED a=2@3", "ADDED b=1@4", "BOOKMARK@4 end"));
}

TEST_F(LaggingReplica, FailsAStreamingListOfTheNewestThatCannotCatchUp) {
  world_.replica->Pause();
  Pass(Seconds(3));
  EXPECT_THAT(Drain(*world_.Watch(kStreaming), world_.now),
              ElementsAre("ERROR 504 Timeout: Too large resource version: 4, current: 2", "end"));
}

TEST_F(LaggingReplica, StartsWatchesOfTheFutureWhereEtcdIs) {
  const auto now =
      world_.Watch("sendInitialEvents=false&resourceVersionMatch=NotOlderThan");  // after 4
  const auto here = world_.Watch(
      "sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion=0");  // after 2
  Pass(Seconds(2));
  EXPECT_THAT(Drain(*now, world_.now), IsEmpty());
  EXPECT_THAT(Drain(*here, world_.now), ElementsAre("MODIFIED a=2@3", "ADDED b=1@4"));
}

TEST_F(LaggingReplica, SendsBookmarksOfWhereItIs) {
  const auto session = world_.Watch("resourceVersion=2&allowWatchBookmarks=true");
  world_.replica->Bookmark();
  EXPECT_THAT(Drain(*session, world_.now), ElementsAre("BOOKMARK@2"));
}

TEST_F(LaggingReplica, EvictsAndListsWhereItIs) {
  world_.replica->Evict();
  EXPECT_EQ(world_.replica->CacheOf(world_.configmaps)->OldestStart(), 2u);
  Pass(Seconds(2));
  EXPECT_THAT(Drain(*world_.Watch("resourceVersion=2"), world_.now),
              ElementsAre("MODIFIED a=2@3", "ADDED b=1@4"));
}

TEST_F(LaggingReplica, ThatRestartsListsEtcdAsItIs) {
  world_.replica->Restart(world_.now, {});
  EXPECT_EQ(Items("resourceVersion=0"), "a=2 b=1");
  EXPECT_THAT(Drain(*world_.Watch("resourceVersion=3"), world_.now),
              ElementsAre("ERROR 410 too old resource version: 3 (4)", "end"));
  world_.Put("ns/c", "1");
  EXPECT_EQ(Items("resourceVersion=0"), "a=2 b=1") << "and lags as before";
}

TEST_F(LaggingReplica, OfAKindThatNobodyAskedForStartsWhereItIs) {
  world_.replica->Pause();
  const ResourceType& secrets = *FindResource("", "v1", "secrets");
  world_.store.Create(secrets, {"ns", "s"}, {{"metadata", {{"name", "s"}, {"uid", "u"}}}});
  EXPECT_EQ(world_.replica->CacheOf(secrets)->log().At(world_.replica->revision())->objects.size(),
            0u);
  world_.replica->Resume(world_.now + Seconds(2));
  EXPECT_EQ(world_.replica->CacheOf(secrets)->end(), 1u);
}

// SRV-15, TestGetCacheBypass, TestRetryAfterForUnreadyCache.
class UnreadyReplica : public LaggingReplica {
 protected:
  UnreadyReplica() { world_.replica->Restart(world_.now, Seconds(60)); }
};

TEST_F(UnreadyReplica, AnswersGetsFromEtcd) {
  EXPECT_EQ(Get(""), "2");
  EXPECT_EQ(Get("resourceVersion=0"), "2");
  EXPECT_EQ(Get("resourceVersion=9"), "504 Timeout: Too large resource version: 9, current: 4");
}

TEST_F(UnreadyReplica, RefusesListsUnlessTheyHaveALimitAndNoSelector) {
  constexpr char kBusy[] = "429 storage is (re)initializing";
  for (const char* query : {"", "resourceVersion=0", "resourceVersion=3",
                            "resourceVersion=3&resourceVersionMatch=Exact",
                            "limit=1&labelSelector=a=b", "limit=1&fieldSelector=metadata.name=a"}) {
    EXPECT_EQ(Items(query), kBusy) << query;
  }
  EXPECT_EQ(Items("limit=1"), "a=2");
  EXPECT_EQ(Items("limit=1&resourceVersion=0"), "a=2") << "etcd ignores no limit";
  EXPECT_EQ(Items("limit=5&resourceVersion=3"), "a=2");
  EXPECT_EQ(Items("limit=5&resourceVersion=9"),
            "504 Timeout: Too large resource version: 9, current: 4");
  const std::string token = MetaOf(world_.List("limit=1"), "continue");
  EXPECT_EQ(Items("continue=" + token), kBusy);
  EXPECT_EQ(Items("limit=1&continue=" + token), "b=1");
}

TEST_F(UnreadyReplica, RefusesWatchesAndSaysWhenToComeAgain) {
  const auto retry_after = [&] {
    const Response refused = world_.RefusedWatch("resourceVersion=4");
    EXPECT_EQ(refused.status, 429);
    for (const auto& [name, value] : refused.headers) {
      if (name == "Retry-After") return value;
    }
    return std::string("none");
  };
  EXPECT_EQ(retry_after(), "1");
  world_.now += Seconds(20);
  EXPECT_EQ(retry_after(), "3") << "e^1.2";
  world_.now += Seconds(39);
  EXPECT_EQ(retry_after(), "30") << "at most";
}

TEST_F(UnreadyReplica, ListsEtcdWhenItIsReady) {
  EXPECT_EQ(world_.replica->NextChange(), world_.start + Seconds(60));
  world_.Put("ns/c", "1");
  Pass(Seconds(60));
  EXPECT_EQ(Items("resourceVersion=0"), "a=2 b=1 c=1");
  EXPECT_THAT(Drain(*world_.Watch("resourceVersion=4"), world_.now),
              ElementsAre("ERROR 410 too old resource version: 4 (5)", "end"));
}

// Of a kind that nobody asked for before it was compacted.
TEST(Replicas, KnowOfACompactionFromBeforeACacheWasNeeded) {
  ReadTestWorld world;
  world.Elsewhere();
  world.Compact(2, /*learned=*/true);
  EXPECT_FALSE(world.replica->CacheOf(world.configmaps)->CanServeExact(1));
  EXPECT_TRUE(world.replica->CacheOf(world.configmaps)->CanServeExact(2));
  EXPECT_EQ(StatusOf(world.List("resourceVersion=1&resourceVersionMatch=Exact")), 410);
}

TEST(Replicas, StandOverOneEtcdEachForItself) {
  ReadTestWorld world;
  auto other = std::make_shared<Replica>(world.etcd, WatchCacheOptions(), world.now);
  other->Pause();
  world.Put("ns/a", "1");
  EXPECT_EQ(world.replica->revision(), 2u);
  EXPECT_EQ(other->revision(), 1u);
  world.replica->Evict();
  EXPECT_EQ(world.replica->CacheOf(world.configmaps)->OldestStart(), 2u);
  EXPECT_EQ(other->CacheOf(world.configmaps)->OldestStart(), 1u);
  const EventRef event = world.replica->CacheOf(world.configmaps)->log().Event(0);
  other->Resume(world.now);
  EXPECT_EQ(other->CacheOf(world.configmaps)->Event(0), event) << "kept once";
  other->Close();
}

}  // namespace replica_test
}  // namespace relist::fakeapi
