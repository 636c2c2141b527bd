// Streaming lists: client-go's reflector_watchlist_test.go, as facts. In reflector_test.cc are
// those that need bytes.
#include <gmock/gmock.h>

#include "reflector/queues/real_fifo.h"
#include "reflector/reflector.h"
#include "reflector/testing/reflector_bench.h"

namespace relist {
namespace reflector_watch_list_test {

using testing::BookmarkAt;
using ::testing::ElementsAre;
using testing::ErrorEvent;
using testing::Ev;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::ObjectOf;
using testing::Page;
using testing::ReflectorBench;
using testing::Stream;

constexpr char kFirstStream[] =
    "watch allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan&sendInitialEvents=true";
constexpr char kFirstList[] = "list limit=500&resourceVersion=0";

std::string StreamFrom(const std::string& version) {
  return "watch allowWatchBookmarks=true&resourceVersion=" + version +
         "&resourceVersionMatch=NotOlderThan&sendInitialEvents=true";
}
std::string WatchFrom(const std::string& version) {
  return "watch allowWatchBookmarks=true&resourceVersion=" + version;
}

struct StreamingBench : ReflectorBench {
  explicit StreamingBench(ReflectorOptions options = {}) : ReflectorBench(std::move(options)) {
    lister.streaming = true;
  }
};

TEST(ReflectorWatchList, IsNotSyncedWithoutTheBookmark) {  // WLM-06
  StreamingBench bench;
  bench.lister.Watches(Stream({Ev("ADDED", "p1@1")}));
  bench.RunFor(Seconds(29));
  EXPECT_THAT(bench.lister.asked, ElementsAre(kFirstStream));
  EXPECT_THAT(bench.store.calls, IsEmpty());
  EXPECT_EQ(bench.reflector.last_sync_resource_version(), "");
}

TEST(ReflectorWatchList, IsNotTriedWhereItIsTurnedOff) {  // WLM-01
  ReflectorOptions options;
  options.streaming_list = false;
  StreamingBench bench(std::move(options));
  bench.lister.Lists(Page("1", {"p1@1"}));
  bench.RunFor(Seconds(1));
  EXPECT_THAT(bench.lister.asked, ElementsAre(kFirstList, WatchFrom("1")));
  EXPECT_THAT(bench.store.calls, ElementsAre("replace 1: p1@1"));
}

TEST(ReflectorWatchList, FallsBackToAListWhateverTheError) {  // RFL-07, WLM-09
  for (const Error& error :
       {Error::Net(Transport::kOther, "dummy error"), Error::Api(422, "Invalid", "no streaming")}) {
    StreamingBench bench;
    bench.lister.WatchFails(error);
    bench.lister.Lists(Page("1", {"p1@1"}));
    bench.lister.Watches(Stream({Ev("ADDED", "p2@2")}));
    bench.RunFor(Seconds(1));
    EXPECT_THAT(bench.lister.asked, ElementsAre(kFirstStream, kFirstList, WatchFrom("1")));
    EXPECT_THAT(bench.store.calls, ElementsAre("replace 1: p1@1", "add p2@2", "rv 2"));
  }
}

TEST(ReflectorWatchList, IsSyncedAtTheBookmark) {  // WLM-02, WLM-06, WLM-07
  StreamingBench bench;
  bench.lister.Watches(Stream({Ev("ADDED", "p1@1"), Ev("ADDED", "p2@5"), BookmarkAt("2", "true")}));
  bench.RunFor(Seconds(1));
  EXPECT_THAT(bench.lister.asked, ElementsAre(kFirstStream));
  EXPECT_THAT(bench.store.calls, ElementsAre("replace 2: p1@1 p2@5"));
  EXPECT_EQ(bench.reflector.last_sync_resource_version(), "2");
}

TEST(ReflectorWatchList, HonoursUpdatesAndDeletionsBeforeTheBookmark) {  // WLM-03
  StreamingBench bench;
  bench.lister.Watches(
      Stream({Ev("ADDED", "p1@1"), Ev("ADDED", "p2@2"), Ev("MODIFIED", "p1@3"), Ev("ADDED", "p3@4"),
              Ev("DELETED", "p3@5"), BookmarkAt("5", "true")}));
  bench.RunFor(Seconds(1));
  EXPECT_THAT(bench.store.calls, ElementsAre("replace 5: p1@3 p2@2"));
}

TEST(ReflectorWatchList, IsTriedAgainWhereTheServerIsBusy) {  // WLM-09
  StreamingBench bench;
  for (int i = 0; i < 2; ++i) bench.lister.WatchFails(Error::Api(429, "TooManyRequests", "busy"));
  bench.lister.Watches(Stream({Ev("ADDED", "p1@1"), BookmarkAt("2", "true")}));
  bench.RunFor(Seconds(3));
  EXPECT_THAT(bench.lister.asked, ElementsAre(kFirstStream, kFirstStream, kFirstStream));
  EXPECT_THAT(bench.store.calls, ElementsAre("replace 2: p1@1"));
  EXPECT_THAT(bench.log->lines()[0], HasSubstr("I watch-list failed - backing off"));
}

TEST(ReflectorWatchList, WaitsForABusyServerAreEndedByStop) {  // WLM-09: theirs are not
  StreamingBench bench;
  bench.lister.WatchFails(Error::Api(429, "TooManyRequests", "busy"));
  bench.RunFor(Millis(100));
  bench.stop.Set();
  EXPECT_TRUE(bench.RunToItsEnd());
  EXPECT_EQ(bench.Elapsed(), Millis(100));
}

TEST(ReflectorWatchList, StartsAnewWhereTheStreamEndsBeforeTheBookmark) {  // WLM-03, WLM-08
  StreamingBench bench;
  bench.lister.Watches(Stream({Ev("ADDED", "gone@1")}, /*ends=*/true));
  bench.lister.Watches(Stream({Ev("ADDED", "p1@1"), BookmarkAt("1", "true")}));
  bench.RunFor(Seconds(1));
  EXPECT_THAT(bench.lister.asked, ElementsAre(kFirstStream, kFirstStream));
  EXPECT_THAT(bench.store.calls, ElementsAre("replace 1: p1@1"));
}

TEST(ReflectorWatchList, IsFollowedByAPlainWatchWhereItsStreamEnds) {  // RFL-07, WLM-06
  StreamingBench bench;
  bench.lister.Watches(Stream({Ev("ADDED", "p1@1"), BookmarkAt("2", "true"), Ev("ADDED", "p3@3")},
                              /*ends=*/true));
  bench.lister.Watches(Stream({Ev("ADDED", "p4@4")}));
  bench.RunFor(Seconds(1));
  EXPECT_THAT(bench.lister.asked, ElementsAre(kFirstStream, WatchFrom("3")));
  EXPECT_THAT(bench.store.calls,
              ElementsAre("replace 2: p1@1", "add p3@3", "rv 3", "add p4@4", "rv 4"));
}

TEST(ReflectorWatchList, TellsAnExpiryOfTheWatchThatFollows) {  // WCH-04
  std::vector<std::string> handled;
  ReflectorOptions options;
  options.watch_error_handler = [&](const Error& error) { handled.push_back(error.message()); };
  StreamingBench bench(std::move(options));
  bench.lister.Watches(Stream({Ev("ADDED", "p1@1"), BookmarkAt("2", "true"), Ev("ADDED", "p3@3")},
                              /*ends=*/true));
  bench.lister.WatchFails(Error::Api(410, "Expired", "rv already expired"));
  bench.RunFor(Millis(100));
  EXPECT_THAT(bench.lister.asked, ElementsAre(kFirstStream, WatchFrom("3")));
  EXPECT_THAT(handled, ElementsAre("rv already expired"));
  bench.RunFor(Millis(701));
  EXPECT_EQ(bench.lister.asked[2], StreamFrom("3"));
}

TEST(ReflectorWatchList, LooksAtTheAnnotationsValue) {  // WLM-06
  for (const char* value : {"false", "", "True", "1"}) {
    StreamingBench bench;
    bench.lister.Watches(Stream({Ev("ADDED", "p1@1"), BookmarkAt("2", value)}));
    bench.RunFor(Seconds(1));
    EXPECT_THAT(bench.store.calls, IsEmpty()) << value;
  }
}

TEST(ReflectorWatchList, HasNoVersionBeforeItsBookmark) {  // WLM-07, WLM-10
  for (const bool ends : {false, true}) {
    StreamingBench bench;
    bench.lister.Watches(Stream({Ev("ADDED", "p1@1")}, ends));
    bench.RunFor(Millis(1));
    EXPECT_EQ(bench.reflector.last_sync_resource_version(), "");
    EXPECT_EQ(bench.lister.asked.back(), kFirstStream);
  }
}

TEST(ReflectorWatchList, TrustsItsVersionAgainAfterAnExpiry) {  // WLM-10
  StreamingBench bench;
  bench.lister.Watches(Stream({BookmarkAt("10", "true"), ErrorEvent(410, "Expired")}));
  bench.lister.WatchFails(Error::Api(410, "Expired", "too old"));
  bench.lister.Watches(Stream({BookmarkAt("20", "true"), ErrorEvent(410, "Expired")}));
  bench.RunFor(Seconds(3));
  EXPECT_THAT(bench.lister.asked,
              ElementsAre(kFirstStream, StreamFrom("10"), kFirstStream, StreamFrom("20")));
}

TEST(ReflectorWatchList, TransformsInitialObjectsTwice) {  // WLM-03, WLM-04
  int calls = 0;
  const Transform transform = [&calls](const ObjectRef& object) -> Result<ObjectRef> {
    ++calls;
    return ObjectOf(object->key().name + "@transformed");
  };
  BoringChoices boring;
  SimPort port;
  Loop loop(port);
  testing::ScriptedLister lister;
  lister.streaming = true;
  lister.Watches(Stream({Ev("ADDED", "foo-1@1"), Ev("ADDED", "foo-2@2"), BookmarkAt("3", "true"),
                         Ev("ADDED", "foo-3@3")}));
  RealFifo fifo({.transform = transform});
  ReflectorOptions options;
  options.choices = &boring;
  Reflector reflector(loop, lister, fifo, options);
  Signal stop;
  TaskScope scope(loop);
  scope.Spawn(reflector.Run(stop));
  loop.RunUntil([] { return false; }, loop.Now() + Millis(1));
  EXPECT_EQ(reflector.last_sync_resource_version(), "3");
  EXPECT_EQ(calls, 5);  // each of the two twice, and the one that came later once
  const std::vector<Delta> initial = fifo.PopBatch();
  ASSERT_EQ(initial.size(), 1u);
  ASSERT_EQ(initial[0].all->size(), 2u);
  for (const ObjectRef& object : *initial[0].all) {
    EXPECT_EQ(object->resource_version(), "transformed");
  }
  EXPECT_EQ(fifo.PopBatch()[0].object->resource_version(), "transformed");
}

TEST(ReflectorWatchList, ThatTheStoreRefusesIsFollowedByAList) {
  StreamingBench bench;
  bench.store.refuse = [](const std::string& call) -> Result<void> {
    if (call != "replace 2: p1@1") return {};
    return Error::Net(Transport::kOther, "full");
  };
  bench.lister.Watches(Stream({Ev("ADDED", "p1@1"), BookmarkAt("2", "true")}));
  bench.RunFor(Seconds(1));
  EXPECT_THAT(bench.lister.asked, ElementsAre(kFirstStream, kFirstList, WatchFrom("10")));
  EXPECT_THAT(bench.log->lines(),
              ElementsAre("I Falling back to regular list reflector=\"<unspecified>\" "
                          "type=\"<unspecified>\" err=\"unable to sync watch-list result: full\""));
}

TEST(ReflectorWatchList, WarnsEveryTenSecondsWithoutItsBookmark) {  // WLM-12
  ReflectorOptions options;
  options.streaming_list_patience.reset();
  StreamingBench bench(std::move(options));
  bench.lister.Watches(Stream({}));
  bench.RunFor(Seconds(25));
  EXPECT_THAT(bench.log->lines(), ElementsAre(HasSubstr("W event bookmark expired"),
                                              HasSubstr("no events received for 20.000s")));
}

TEST(ReflectorWatchList, IsSilentForItsPatienceWhateverTheWarnings) {
  StreamingBench bench;
  bench.lister.Watches(Stream({Ev("ADDED", "p1@1")}));
  bench.RunFor(Seconds(31));
  EXPECT_THAT(bench.lister.asked, ElementsAre(kFirstStream, kFirstList, WatchFrom("10")));
  EXPECT_THAT(bench.log->lines(),
              ElementsAre(HasSubstr("received last event 10.000s ago"),
                          HasSubstr("received last event 20.000s ago"),
                          HasSubstr("Trace \"Reflector WatchList\" (total time: 30000ms)"),
                          HasSubstr("no end of the initial events in 30.000 s")));
}

}  // namespace reflector_watch_list_test
}  // namespace relist
