// Events one by one, and how a watch ends: what client-go's reflector_test.go says of them.
#include <gmock/gmock.h>

#include "reflector/reflector.h"
#include "reflector/testing/reflector_bench.h"

namespace relist {
namespace reflector_events_test {

using testing::BookmarkAt;
using ::testing::ElementsAre;
using testing::ErrorEvent;
using testing::Ev;
using testing::ObjectOf;
using testing::Page;
using testing::ReflectorBench;
using testing::Stream;

WatchEvent EventOf(EventType type, const std::string& object) {
  return {type, *Object::Parse(object)};
}

Task<void> FailAfter(Loop& loop, Channel<WatchEvent>& stream, Duration wait) {
  Task<void> pause = Sleep(loop, wait);
  co_await pause;
  stream.Push(ErrorEvent(500, "InternalError"));
}

TEST(ReflectorEvents, GoIntoTheStoreInTheirOrder) {  // EVT-03, EVT-04, EVT-07
  ReflectorOptions options;
  options.expected_kind = "ConfigMap";
  ReflectorBench bench(std::move(options));
  bench.lister.Lists(Page("10", {"foo@1", "bar@2"}));
  bench.lister.Watches(
      Stream({EventOf(EventType::kAdded, R"({"kind":"Service","metadata":{"name":"rejected"}})"),
              Ev("DELETED", "foo@11"), Ev("MODIFIED", "bar@55"), Ev("ADDED", "baz@32")}));
  bench.RunFor(Seconds(1));
  EXPECT_THAT(bench.store.calls, ElementsAre("replace 10: foo@1 bar@2", "delete foo@11", "rv 11",
                                             "update bar@55", "rv 55", "add baz@32", "rv 32"));
  EXPECT_EQ(bench.reflector.last_sync_resource_version(), "32");
}

TEST(ReflectorEvents, TellTheStoreEachVersionBookmarksToo) {  // EVT-05, EVT-08
  ReflectorBench bench;
  bench.lister.Watches(Stream(
      {Ev("ADDED", "a@10"), Ev("MODIFIED", "a@20"), BookmarkAt("30"), Ev("DELETED", "a@40")}));
  bench.RunFor(Seconds(1));
  EXPECT_THAT(bench.store.calls,
              ElementsAre("replace 10:", "add a@10", "rv 10", "update a@20", "rv 20", "bookmark 30",
                          "rv 30", "delete a@40", "rv 40"));
}

TEST(ReflectorEvents, MoveThePositionThoughTheStoreRefusesTheObject) {  // EVT-04
  for (const auto& [type, words] :
       {std::pair("ADDED", "Unable to add watch event object to store"),
        std::pair("MODIFIED", "Unable to update watch event object to store"),
        std::pair("DELETED", "Unable to delete watch event object from store")}) {
    ReflectorBench bench;
    bench.store.refuse = [](const std::string& call) -> Result<void> {
      if (call.find("a@11") == std::string::npos) return {};
      return Error::Net(Transport::kOther, "not today");
    };
    bench.lister.Watches(Stream({Ev(type, "a@11")}));
    bench.RunFor(Seconds(1));
    EXPECT_EQ(bench.reflector.last_sync_resource_version(), "11");
    EXPECT_EQ(bench.lister.asked.size(), 2u);
    EXPECT_THAT(bench.log->lines(),
                ElementsAre("E " + std::string(words) +
                            " reflector=\"<unspecified>\" type=\"<unspecified>\" object=\"a\" "
                            "err=\"not today\""));
  }
}

TEST(ReflectorEvents, OfOddVersionsMoveThePositionVerbatim) {  // EVT-07, EVT-09
  ReflectorBench bench;
  bench.lister.Lists(Page("zebra", {}));
  for (const char* version : {"ape", "9", "10", "007", ""}) {
    bench.lister.Watches(Stream({Ev("ADDED", std::string("a@") + version)}, /*ends=*/true));
  }
  bench.RunFor(Seconds(1));
  EXPECT_THAT(bench.lister.asked,
              ElementsAre("list limit=500&resourceVersion=0",
                          "watch allowWatchBookmarks=true&resourceVersion=zebra",
                          "watch allowWatchBookmarks=true&resourceVersion=ape",
                          "watch allowWatchBookmarks=true&resourceVersion=9",
                          "watch allowWatchBookmarks=true&resourceVersion=10",
                          "watch allowWatchBookmarks=true&resourceVersion=007",
                          "watch allowWatchBookmarks=true"));
}

TEST(ReflectorEvents, ThatAreTablesAreSkippedButNotOfOtherGroups) {  // EVT-03
  for (const auto& [version, skipped] :
       {std::pair("meta.k8s.io/v1", true), std::pair("meta.k8s.io/v1beta1", true),
        std::pair("custom.group/v1", false)}) {
    ReflectorBench bench;
    bench.lister.Watches(Stream({EventOf(
        EventType::kAdded, R"({"kind":"Table","metadata":{"name":"t","resourceVersion":"11"},)"
                           R"("apiVersion":")" +
                               std::string(version) + "\"}")}));
    bench.RunFor(Seconds(1));
    EXPECT_EQ(bench.reflector.last_sync_resource_version(), skipped ? "10" : "11") << version;
  }
}

TEST(ReflectorEvents, OfAnotherVersionAreSkippedBookmarksToo) {  // EVT-03
  ReflectorOptions options;
  options.expected_api_version = "v1";
  ReflectorBench bench(std::move(options));
  bench.lister.Watches(
      Stream({EventOf(EventType::kBookmark,
                      R"({"kind":"K","apiVersion":"v2","metadata":{"resourceVersion":"11"}})"),
              EventOf(EventType::kAdded,
                      R"({"kind":"K","apiVersion":"v1","metadata":{"resourceVersion":"12"}})")}));
  bench.RunFor(Seconds(1));
  EXPECT_THAT(bench.store.calls, ElementsAre("replace 10:", "add @12", "rv 12"));
}

TEST(ReflectorEvents, AreNotReadAfterAnErrorAndTheStreamIsClosedOnce) {  // EVT-02, WCH-10
  ReflectorBench bench;
  bench.lister.Watches(
      Stream({EventOf(EventType::kError, R"({"kind":"ConfigMap"})"), Ev("ADDED", "a@11")}));
  bench.RunFor(Millis(100));
  EXPECT_THAT(bench.store.calls, ElementsAre("replace 10:"));
  EXPECT_EQ(*bench.lister.closed, 1);
  bench.stop.Set();
  EXPECT_TRUE(bench.RunToItsEnd());
  EXPECT_EQ(*bench.lister.closed, 1);
}

TEST(ReflectorEvents, AreNotAppliedAfterStop) {  // WCH-10
  ReflectorBench bench;
  bench.store.refuse = [&bench](const std::string& call) -> Result<void> {
    if (call == "add a@11") bench.stop.Set();
    return {};
  };
  bench.lister.Watches(Stream({Ev("ADDED", "a@11"), Ev("ADDED", "b@12")}));
  bench.RunFor(Seconds(1));
  EXPECT_TRUE(bench.scope.empty());
  EXPECT_THAT(bench.store.calls, ElementsAre("replace 10:", "add a@11", "rv 11"));
  EXPECT_EQ(*bench.lister.closed, 1);
  EXPECT_THAT(bench.log->lines(), ElementsAre());
}

TEST(ReflectorEvents, ListAndWatchEndsQuietlyAtStop) {  // RFL-14, WCH-10
  for (const char* last : {"list", "watch"}) {
    ReflectorBench bench;
    bench.lister.on_request = [&bench, last] {
      if (bench.lister.asked.back().starts_with(last)) bench.stop.Set();
    };
    bench.lister.Lists(Error::Net(Transport::kStopped, "stopped"));
    if (last == std::string("watch")) bench.lister.Lists(Page("10", {}));
    bench.RunFor(Seconds(3));
    EXPECT_TRUE(bench.scope.empty());
    EXPECT_EQ(bench.log->lines().size(), last == std::string("watch") ? 1u : 0u);
  }
}

TEST(ReflectorEvents, OfAServerThatRefusesCostGrowingDelaysAndNoList) {  // RFL-04, WCH-04
  const auto run = [](int refusals, BackoffOptions backoff) {
    ReflectorOptions options;
    options.backoff = backoff;
    ReflectorBench bench(std::move(options));
    for (int i = 0; i < refusals; ++i) {
      bench.lister.WatchFails(Error::Net(Transport::kRefused, "connection refused"));
    }
    bench.scope.Spawn(bench.reflector.Run(bench.stop));
    bench.loop.RunUntil([&] { return bench.lister.asked.size() == size_t(refusals) + 2; },
                        bench.loop.Now() + Seconds(1000));
    EXPECT_EQ(bench.Asked("list"), 1u);
    return bench.Elapsed();
  };
  const BackoffOptions fast{.initial = Millis(1), .cap = Millis(50), .jitter = 0};
  EXPECT_EQ(run(5, fast), Millis(1 + 2 + 4 + 8 + 16));
  EXPECT_EQ(run(40, fast), Millis(63 + 34 * 50));
  EXPECT_EQ(run(5, {.initial = Millis(10), .cap = Millis(100), .jitter = 0}),
            Millis(10 + 20 + 40 + 80 + 100));
}

TEST(ReflectorEvents, OfABusyServerCostDelaysAndNoList) {  // WCH-04, WCH-07
  ReflectorBench bench;
  for (int i = 0; i < 4; ++i) {
    bench.lister.WatchFails(Error::Api(429, "TooManyRequests", "too many requests"));
  }
  bench.lister.Watches(Stream({ErrorEvent(429, "TooManyRequests")}));
  bench.RunFor(Millis(800 + 1600 + 3200 + 6400 + 12800 + 1));
  EXPECT_EQ(bench.Asked("list"), 1u);
  EXPECT_EQ(bench.Asked("watch"), 6u);
}

// As many retries as client-go's test expects of its three settings.
TEST(ReflectorEvents, AreAskedForAgainAtOnceWithinTheWindowOfInternalErrors) {  // WCH-08
  const auto retries = [](Duration window, int pause_before) {
    ReflectorOptions options;
    options.max_internal_error_retry = window;
    ReflectorBench bench(std::move(options));
    int watches = 0;
    bench.lister.on_request = [&] {
      if (!bench.lister.asked.back().starts_with("watch")) return;
      auto stream = Stream({});
      Channel<WatchEvent>* events = &stream->events;
      bench.lister.Watches(std::move(stream));
      const Duration after = Seconds(++watches == pause_before ? 61 : 1);
      bench.scope.Spawn(FailAfter(bench.loop, *events, after));
    };
    bench.scope.Spawn(bench.reflector.Run(bench.stop));
    bench.loop.RunUntil([&] { return bench.reflector.phase() == Reflector::Phase::kBackOff; },
                        bench.loop.Now() + Seconds(1000));
    return watches - 1;
  };
  EXPECT_EQ(retries(Seconds(0), -1), 0);
  EXPECT_EQ(retries(Seconds(30), -1), 31);
  EXPECT_EQ(retries(Seconds(30), 10), 40);
}

TEST(ReflectorEvents, ResyncsComeEachPeriodAndNoneWhereNobodyWantsThem) {  // RSY-01, RSY-03
  ReflectorOptions options;
  options.resync_period = Seconds(3);
  bool wanted = true;
  options.should_resync = [&wanted] { return wanted; };
  ReflectorBench bench(std::move(options));
  bench.RunFor(Seconds(7));
  wanted = false;
  bench.RunFor(Seconds(3));
  wanted = true;
  bench.RunFor(Seconds(3));
  EXPECT_THAT(bench.store.calls, ElementsAre("replace 10:", "resync", "resync", "resync"));
  EXPECT_EQ(bench.lister.asked.size(), 2u);
}

TEST(ReflectorEvents, ThatTheStoreCannotBeReplacedByAreListedAgain) {  // RFL-15
  ReflectorBench bench;
  int replaces = 0;
  bench.store.refuse = [&replaces](const std::string&) -> Result<void> {
    if (++replaces > 1) return {};
    return Error::Net(Transport::kOther, "full");
  };
  bench.RunFor(Seconds(1));
  EXPECT_EQ(bench.Asked("list"), 2u);
  EXPECT_EQ(bench.lister.asked[1], "list limit=500&resourceVersion=0");
  EXPECT_THAT(bench.log->lines(),
              ElementsAre("E Failed to watch reflector=\"<unspecified>\" type=\"<unspecified>\" "
                          "err=\"unable to sync list result: full\""));
}

}  // namespace reflector_events_test
}  // namespace relist
