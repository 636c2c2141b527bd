// The watch loop: reflector_watch.cc.
#include <gmock/gmock.h>

#include "reflector/testing/informer_world.h"

namespace relist {
namespace reflector_watch_test {

using testing::BookmarkLine;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::ErrorLine;
using testing::EventLine;
using testing::Failure;
using testing::InformerWorld;
using testing::InformerWorldOptions;
using ::testing::IsEmpty;
using testing::Item;
using testing::ListOf;
using testing::Refused;
using testing::Step;
using testing::WatchOf;

constexpr char kFirstList[] = "LIST limit=500 resourceVersion=0";
constexpr char kFromNothing[] = "WATCH allowWatchBookmarks=true";

std::string WatchFrom(const std::string& rv) {
  return "WATCH allowWatchBookmarks=true resourceVersion=" + rv;
}
std::string ListFrom(const std::string& rv) {
  return "LIST resourceVersion=" + rv;
}

TEST(ReflectorWatch, BacksOffAndRelistsFromItsVersionAfter410InTheStream) {  // GLD-6
  InformerWorld world;
  world.server.Then(ListOf("10", {}));
  world.server.Then(WatchOf({EventLine("ADDED", "a", "11"), ErrorLine(410, "Expired")}));
  world.server.Then(ListOf("20", {Item("a", "11")}));
  world.RunFor(Seconds(3));
  EXPECT_THAT(world.Story(),
              ElementsAre(kFirstList, WatchFrom("10"), "+0.800", ListFrom("11"), WatchFrom("20")));
  EXPECT_EQ(world.HandledErrors(), 0);
}

TEST(ReflectorWatch, CallsTheErrorHandlerAfterHttp410) {  // GLD-7
  InformerWorldOptions options;
  std::vector<std::string> seen;
  options.informer.reflector.watch_error_handler = [&seen](const Error& error) {
    seen.push_back(error.status.reason);
  };
  InformerWorld world(std::move(options));
  world.server.Then(ListOf("10", {})).Then(Failure(410, "Expired")).Then(ListOf("20", {}));
  world.RunFor(Seconds(3));
  EXPECT_THAT(world.Story(),
              ElementsAre(kFirstList, WatchFrom("10"), "+0.800", ListFrom("10"), WatchFrom("20")));
  EXPECT_THAT(seen, ElementsAre("Expired"));
}

TEST(ReflectorWatch, ReopensAtOnceAfterACleanEnd) {  // GLD-8
  InformerWorld world;
  world.server.Then(ListOf("10", {}));
  for (int i = 0; i < 3; ++i) world.server.Then(WatchOf({}).EndAfter(Seconds(2)));
  world.RunFor(Seconds(7));
  EXPECT_THAT(world.Story(), ElementsAre(kFirstList, WatchFrom("10"), "+2.000", WatchFrom("10"),
                                         "+2.000", WatchFrom("10"), "+2.000", WatchFrom("10")));
}

TEST(ReflectorWatch, TakesACutAndAResetForACleanEnd) {
  Step half;
  half.Send(
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfff\r\n{\"type\":\"ADDED\",\"obj");
  Step cut = half;
  cut.FinishAfter(Seconds(2));
  Step reset = half;
  reset.ResetAfter(Seconds(2));
  InformerWorld world;
  world.server.Then(ListOf("10", {})).Then(cut).Then(reset);
  world.RunFor(Seconds(5));
  EXPECT_THAT(world.Story(), ElementsAre(kFirstList, WatchFrom("10"), "+2.000", WatchFrom("10"),
                                         "+2.000", WatchFrom("10")));
  EXPECT_THAT(world.handler.calls, IsEmpty());
  EXPECT_EQ(world.HandledErrors(), 0);
}

TEST(ReflectorWatch, RelistsAfterAVeryShortWatch) {  // GLD-9
  InformerWorld world;
  world.server.Then(ListOf("10", {})).Then(WatchOf({}).EndAfter(Millis(100)));
  world.server.Then(ListOf("11", {})).Then(WatchOf({}).EndAfter(Millis(999)));
  world.server.Then(ListOf("12", {}));
  world.RunFor(Seconds(6));
  EXPECT_THAT(world.Story(),
              ElementsAre(kFirstList, WatchFrom("10"), "+0.900", ListFrom("10"), WatchFrom("11"),
                          "+2.599", ListFrom("11"), WatchFrom("12")));
  EXPECT_EQ(world.HandledErrors(), 0);
}

TEST(ReflectorWatch, IsNotVeryShortWhereAProxyHeldBackTheHead) {  // WCH-02
  Step late;
  late.Send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", Millis(1500));
  InformerWorld world;
  world.server.Then(ListOf("10", {})).Then(late.EndAfter(Millis(1600)));
  world.RunFor(Seconds(2));
  EXPECT_THAT(world.Story(), ElementsAre(kFirstList, WatchFrom("10"), "+1.600", WatchFrom("10")));
}

TEST(ReflectorWatch, CountsABookmarkButNoSkippedEventAgainstShortness) {
  InformerWorld world;
  world.server.Then(ListOf("10", {}));
  world.server.Then(WatchOf({BookmarkLine("11")}).EndAfter(Millis(100)));
  const std::string wrong =
      R"({"type":"ADDED","object":{"kind":"Secret","apiVersion":"v1","metadata":{"name":"s","resourceVersion":"99"}}})";
  world.server.Then(WatchOf({wrong}).EndAfter(Millis(100)));
  world.server.Then(ListOf("12", {}));
  world.RunFor(Seconds(2));
  EXPECT_THAT(world.Story(), ElementsAre(kFirstList, WatchFrom("10"), "+0.100", WatchFrom("11"),
                                         "+0.900", ListFrom("11"), WatchFrom("12")));
  EXPECT_THAT(world.handler.calls, IsEmpty());
}

TEST(ReflectorWatch, WaitsForARefusingServerWithoutARelist) {  // GLD-11
  InformerWorld world;
  world.server.Then(ListOf("10", {})).Then(Refused()).Then(Refused()).Then(Refused());
  world.server.Then(WatchOf({}));
  world.RunFor(Seconds(10));
  EXPECT_THAT(world.Story(), ElementsAre(kFirstList, "+5.600", WatchFrom("10")));
  EXPECT_EQ(world.HandledErrors(), 0);
}

TEST(ReflectorWatch, WaitsForABusyServerInOneSequenceOfDelays) {  // GLD-12
  InformerWorld world;
  world.server.Then(ListOf("10", {})).Then(Failure(429, "TooManyRequests"));
  world.server.Then(WatchOf({EventLine("ADDED", "a", "11"), ErrorLine(429, "TooManyRequests")}));
  world.server.Then(WatchOf({ErrorLine(429, "TooManyRequests")}));
  world.RunFor(Seconds(8));
  EXPECT_THAT(world.Story(), ElementsAre(kFirstList, WatchFrom("10"), "+0.800", WatchFrom("10"),
                                         "+1.600", WatchFrom("11"), "+3.200", WatchFrom("11")));
  EXPECT_EQ(world.HandledErrors(), 0);
}

TEST(ReflectorWatch, ReportsAndRelistsWhereAWatchIsRefusedOtherwise) {
  for (int code : {401, 403, 404, 405, 422, 500, 503}) {
    InformerWorld world;
    world.server.Then(ListOf("10", {})).Then(Failure(code, "")).Then(ListOf("11", {}));
    world.RunFor(Seconds(2));
    EXPECT_THAT(world.Story(),
                ElementsAre(kFirstList, WatchFrom("10"), "+0.800", ListFrom("10"), WatchFrom("11")))
        << code;
    EXPECT_EQ(world.HandledErrors(), 1) << code;
  }
}

TEST(ReflectorWatch, RelistsQuietlyAfterAnyOtherErrorInTheStream) {
  const std::string no_status =
      R"({"type":"ERROR","object":{"kind":"ConfigMap","apiVersion":"v1"}})";
  for (const std::string& line :
       {ErrorLine(500, "InternalError"), ErrorLine(403, "Forbidden"), ErrorLine(504, "Timeout"),
        no_status, std::string("{\"type\":\"ADDED\",\"object\":{\"x\":tru}}"), std::string("[]"),
        std::string(R"({"type":"WHAT","object":{"kind":"ConfigMap"}})")}) {
    InformerWorld world;
    world.server.Then(ListOf("10", {})).Then(WatchOf({line})).Then(ListOf("11", {}));
    world.RunFor(Seconds(2));
    EXPECT_THAT(world.Story(),
                ElementsAre(kFirstList, WatchFrom("10"), "+0.800", ListFrom("10"), WatchFrom("11")))
        << line;
    EXPECT_EQ(world.HandledErrors(), 0) << line;
  }
}

TEST(ReflectorWatch, ReadsNothingAfterAnError) {
  InformerWorld world;
  world.server.Then(ListOf("10", {}));
  world.server.Then(WatchOf({ErrorLine(500, "InternalError") + EventLine("ADDED", "a", "11")}));
  world.RunFor(Millis(500));
  EXPECT_THAT(world.handler.calls, IsEmpty());
  EXPECT_EQ(world.informer.last_sync_resource_version(), "10");
}

TEST(ReflectorWatch, RetriesInternalErrorsAtOnceWithinItsWindowOnly) {  // WCH-08
  InformerWorldOptions options;
  options.informer.reflector.max_internal_error_retry = Seconds(5);
  InformerWorld world(std::move(options));
  world.server.Then(ListOf("10", {}));
  for (int i = 0; i < 4; ++i) {
    world.server.Then(WatchOf({}).Line(ErrorLine(500, "InternalError"), Seconds(2)));
  }
  world.RunFor(Seconds(10));
  EXPECT_THAT(world.Story(),
              ElementsAre(kFirstList, WatchFrom("10"), "+2.000", WatchFrom("10"), "+2.000",
                          WatchFrom("10"), "+2.000", WatchFrom("10"), "+2.800", ListFrom("10")));
}

TEST(ReflectorWatch, MovesItsPositionVerbatimEvenBackOrToNothing) {  // EVT-07
  InformerWorld world;
  world.server.Then(ListOf("10", {}));
  world.server.Then(
      WatchOf({EventLine("ADDED", "a", "20"), EventLine("ADDED", "b", "15")}).EndAfter(Seconds(1)));
  world.server.Then(WatchOf({EventLine("MODIFIED", "a", "")}).EndAfter(Seconds(1)));
  world.RunFor(Seconds(3));
  EXPECT_THAT(world.Story(), ElementsAre(kFirstList, WatchFrom("10"), "+1.000", WatchFrom("15"),
                                         "+1.000", kFromNothing));
}

TEST(ReflectorWatch, DoesNotMoveOnTheUnorderedStartOfAWatchFromNothing) {  // GLD-18, WCH-03
  InformerWorld world;
  world.server.Then(ListOf("", {}));
  world.server.Then(
      WatchOf({EventLine("ADDED", "a", "50"), EventLine("ADDED", "b", "20")}).EndAfter(Seconds(2)));
  world.server.Then(WatchOf({EventLine("ADDED", "a", "50"), EventLine("MODIFIED", "a", "51")})
                        .EndAfter(Seconds(2)));
  world.RunFor(Seconds(5));
  EXPECT_THAT(world.Story(), ElementsAre(kFirstList, kFromNothing, "+2.000", kFromNothing, "+2.000",
                                         WatchFrom("51")));
}

TEST(ReflectorWatch, SkipsTablesAndOtherKindsWithoutMoving) {  // EVT-03
  InformerWorld world;
  world.server.Then(ListOf("10", {}));
  world.server.Then(WatchOf(
      {R"({"type":"ADDED","object":{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{"resourceVersion":"11"}}})",
       R"({"type":"BOOKMARK","object":{"kind":"Pod","apiVersion":"v1","metadata":{"resourceVersion":"12"}}})",
       EventLine("ADDED", "a", "13")}));
  world.RunFor(Seconds(1));
  EXPECT_THAT(world.handler.calls, ElementsAre("add a@13"));
  EXPECT_THAT(world.Lines("position", "rv"), ElementsAre("10", "13"));
}

TEST(ReflectorWatch, TakesABookmarkForAPositionOnly) {
  InformerWorld world;
  world.server.Then(ListOf("10", {Item("a", "7")}));
  world.server.Then(WatchOf({BookmarkLine("15")}).EndAfter(Seconds(1)));
  world.RunFor(Seconds(2));
  EXPECT_THAT(world.Story(), ElementsAre(kFirstList, WatchFrom("10"), "+1.000", WatchFrom("15")));
  EXPECT_THAT(world.handler.calls, ElementsAre("add a@7 initial"));
  EXPECT_EQ(world.informer.indexer().resource_version(), "15");
}

TEST(ReflectorWatch, GivesUpAHalfOpenWatchAfterItsTimeoutAndAMargin) {
  InformerWorld world;
  world.server.Then(ListOf("10", {})).Then(WatchOf({}));
  world.RunFor(Seconds(400));
  EXPECT_THAT(world.Story(), ElementsAre(kFirstList, WatchFrom("10"), "+330.000", WatchFrom("10")));
}

TEST(ReflectorWatch, HangsOnAHalfOpenWatchAsClientGoDoesWhereItIsToldTo) {
  InformerWorldOptions options;
  options.rest.watch_deadline_margin.reset();
  InformerWorld world(std::move(options));
  world.server.Then(ListOf("10", {})).Then(WatchOf({}));
  world.RunFor(Seconds(4000));
  EXPECT_THAT(world.Story(), ElementsAre(kFirstList, WatchFrom("10")));
}

TEST(ReflectorWatch, TrustsItsVersionAgainAfterAListFromScratch) {  // RFL-15
  InformerWorld world;
  world.server.Then(ListOf("10", {})).Then(WatchOf({ErrorLine(410, "Expired")}));
  world.server.Then(Failure(410, "Expired")).Then(ListOf("20", {}));
  world.server.Then(WatchOf({ErrorLine(410, "Expired")})).Then(ListOf("30", {}));
  world.RunFor(Seconds(5));
  EXPECT_THAT(world.Story(),
              ElementsAre(kFirstList, WatchFrom("10"), "+0.800", ListFrom("10"), "LIST",
                          WatchFrom("20"), "+1.600", ListFrom("20"), WatchFrom("30")));
}

TEST(ReflectorWatch, AsksForFreshPagesAfterAnExpiryOnlyIfToldTo) {  // RFL-09, SRV-2
  for (bool fresh : {false, true}) {
    InformerWorldOptions options;
    options.informer.reflector.page_size = 3;
    options.informer.reflector.fresh_relists = fresh;
    InformerWorld world(std::move(options));
    world.server.Then(ListOf("10", {})).Then(WatchOf({ErrorLine(410, "Expired")}));
    world.server.Then(Failure(410, "Expired")).Then(ListOf("20", {}));
    world.RunFor(Seconds(2));
    const std::string match = fresh ? " resourceVersionMatch=NotOlderThan" : "";
    EXPECT_THAT(world.Story(), ElementsAre("LIST limit=3 resourceVersion=0", WatchFrom("10"),
                                           "+0.800", "LIST limit=3 resourceVersion=10" + match,
                                           "LIST limit=3", WatchFrom("20")));
  }
}

TEST(ReflectorWatch, ReplaysTheStoreForThoseWhoAskedForIt) {  // RSY-01 to RSY-03, INF-06, INF-07
  InformerWorldOptions options;
  options.informer.resync_check_period = Seconds(10);
  InformerWorld world(std::move(options));
  testing::RecordingHandler resyncing;
  ASSERT_TRUE(world.informer.AddEventHandler(resyncing, {"resyncing", Seconds(20)}).ok());
  world.server.Then(ListOf("10", {Item("a", "7")})).Then(WatchOf({}));
  world.RunFor(Seconds(45));
  EXPECT_THAT(resyncing.calls, ElementsAre("add a@7 initial", "update a@7->7", "update a@7->7"));
  EXPECT_THAT(world.handler.calls, ElementsAre("add a@7 initial"));
}

TEST(ReflectorWatch, StartsTheResyncTimerAnewWithEachRound) {  // RSY-02
  InformerWorldOptions options;
  options.informer.resync_check_period = Seconds(3);
  InformerWorld world(std::move(options));
  testing::RecordingHandler resyncing;
  ASSERT_TRUE(world.informer.AddEventHandler(resyncing, {"resyncing", Seconds(3)}).ok());
  for (int i = 0; i < 20; ++i) {
    world.server.Then(ListOf("10", {}));
    world.server.Then(WatchOf({}).Line(ErrorLine(500, "InternalError"), Seconds(2)));
    world.server.Then(ListOf("10", {Item("a", "7")}));
    world.server.Then(WatchOf({}).Line(ErrorLine(500, "InternalError"), Seconds(2)));
  }
  world.RunFor(Seconds(15));
  EXPECT_EQ(std::count(resyncing.calls.begin(), resyncing.calls.end(), "update a@7->7"), 0);
}

}  // namespace reflector_watch_test
}  // namespace relist
