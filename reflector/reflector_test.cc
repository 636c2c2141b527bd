#include "reflector/reflector.h"

#include <gmock/gmock.h>

#include "reflector/testing/informer_world.h"

namespace relist {
namespace reflector_test {

using testing::Answer;
using testing::BookmarkLine;
using ::testing::Contains;
using ::testing::ElementsAre;
using testing::ErrorLine;
using testing::EventLine;
using testing::Failure;
using ::testing::HasSubstr;
using testing::InformerWorld;
using testing::InformerWorldOptions;
using ::testing::IsEmpty;
using testing::Item;
using testing::ListOf;
using ::testing::Not;
using testing::Refused;
using testing::Step;
using testing::WatchOf;

constexpr char kFirstList[] = "LIST limit=500 resourceVersion=0";
constexpr char kFirstStream[] =
    "WATCH allowWatchBookmarks=true resourceVersionMatch=NotOlderThan sendInitialEvents=true";

std::string StreamFrom(const std::string& rv) {
  return "WATCH allowWatchBookmarks=true resourceVersion=" + rv +
         " resourceVersionMatch=NotOlderThan sendInitialEvents=true";
}
std::string WatchFrom(const std::string& rv) {
  return "WATCH allowWatchBookmarks=true resourceVersion=" + rv;
}
std::string ListFrom(const std::string& rv) {
  return "LIST resourceVersion=" + rv;
}

InformerWorldOptions Streaming() {
  InformerWorldOptions options;
  options.streaming_list = true;
  return options;
}

TEST(Reflector, StartsWithAListOfZeroAndAWatchOfItsVersion) {  // GLD-1
  InformerWorld world;
  world.server.Then(ListOf("10", {}));
  world.RunFor(Seconds(1));
  EXPECT_THAT(world.Story(), ElementsAre(kFirstList, WatchFrom("10")));
  EXPECT_THAT(world.server.requests()[1].target,
              "/api/v1/namespaces/default/configmaps?allowWatchBookmarks=true&resourceVersion=10&"
              "timeoutSeconds=300&watch=true");
}

TEST(Reflector, StreamsItsFirstListAndGoesOnWithTheSameStream) {  // GLD-2
  InformerWorld world(Streaming());
  world.server.Then(WatchOf({EventLine("ADDED", "b", "9"), EventLine("ADDED", "a", "4"),
                             BookmarkLine("10", "true"), EventLine("ADDED", "c", "11")})
                        .EndAfter(Seconds(3)));
  world.RunFor(Seconds(5));
  EXPECT_THAT(world.Story(), ElementsAre(kFirstStream, "+3.000", WatchFrom("11")));
  EXPECT_THAT(world.handler.calls, ElementsAre("add a@4 initial", "add b@9 initial", "add c@11"));
  EXPECT_THAT(world.Lines("position", "rv"), ElementsAre("10", "11"));
}

TEST(Reflector, HonoursChangesWithinAStreamingList) {
  InformerWorld world(Streaming());
  world.server.Then(WatchOf({EventLine("ADDED", "a", "4"), EventLine("ADDED", "b", "5"),
                             EventLine("MODIFIED", "a", "6", "new"), EventLine("DELETED", "b", "7"),
                             BookmarkLine("8", "true")}));
  world.RunFor(Seconds(1));
  EXPECT_THAT(world.handler.calls, ElementsAre("add a@6 initial"));
  EXPECT_EQ(world.informer.last_sync_resource_version(), "8");
}

TEST(Reflector, IsNotSyncedBeforeTheAnnotatedBookmark) {
  InformerWorldOptions options = Streaming();
  options.informer.reflector.streaming_list_patience.reset();  // as client-go
  InformerWorld world(std::move(options));
  world.server.Then(WatchOf({EventLine("ADDED", "a", "4"), BookmarkLine("5")}));
  world.RunFor(Seconds(329));
  EXPECT_FALSE(world.informer.HasSynced());
  EXPECT_THAT(world.handler.calls, IsEmpty());
  EXPECT_THAT(world.Story(), ElementsAre(kFirstStream));
}

TEST(Reflector, ListsWhereTheInitialEventsNeverEnd) {  // C12
  InformerWorld world(Streaming());
  world.server.Then(WatchOf({EventLine("ADDED", "a", "4")}).Line(BookmarkLine("5"), Seconds(20)));
  world.server.Then(ListOf("10", {Item("a", "4")}));
  world.RunFor(Seconds(60));
  EXPECT_THAT(world.Story(), ElementsAre(kFirstStream, "+50.000", kFirstList, WatchFrom("10")));
  EXPECT_TRUE(world.informer.HasSynced());
  EXPECT_EQ(world.HandledErrors(), 0);
}

TEST(Reflector, ListsWhereAServerThatIgnoresStreamingListsIsNeverSilent) {  // C12
  InformerWorld world(Streaming());
  testing::Step busy = WatchOf({});
  for (int i = 1; i <= 30; ++i) {
    busy.Line(EventLine("ADDED", "a", std::to_string(i)), Seconds(10) * i);
  }
  world.server.Then(busy.EndAfter(Seconds(300))).Then(ListOf("40", {}));
  world.RunFor(Seconds(310));
  EXPECT_THAT(world.Story(), ElementsAre(kFirstStream, "+300.000", kFirstList, WatchFrom("40")));
}

TEST(Reflector, FallsBackToAListForOneRoundWhereStreamingIsRefused) {  // GLD-3
  InformerWorld world(Streaming());
  world.server.Then(Failure(422, "Invalid"));
  world.server.Then(ListOf("10", {}));
  world.server.Then(WatchOf({EventLine("ADDED", "a", "11"), ErrorLine(500, "InternalError")}));
  world.server.Then(Failure(422, "Invalid"));
  world.server.Then(ListOf("12", {Item("a", "11")}));
  world.RunFor(Seconds(5));
  EXPECT_THAT(world.Story(), ElementsAre(kFirstStream, kFirstList, WatchFrom("10"), "+0.800",
                                         StreamFrom("11"), ListFrom("11"), WatchFrom("12")));
  EXPECT_EQ(world.HandledErrors(), 0);
}

// After a list of 10 and a watch that gives one event and ends, with 410 in the watch's stream.
void ListWatchExpire(InformerWorld* world) {
  world->server.Then(ListOf("10", {Item("a", "7")}));
  world->server.Then(WatchOf({ErrorLine(410, "Expired")}));
}

TEST(Reflector, ListsFromScratchWhereAListIsExpired) {  // GLD-4
  InformerWorld world;
  ListWatchExpire(&world);
  world.server.Then(Failure(410, "Expired"));
  world.server.Then(ListOf("20", {}));
  world.RunFor(Seconds(3));
  EXPECT_THAT(world.Story(), ElementsAre(kFirstList, WatchFrom("10"), "+0.800", ListFrom("10"),
                                         "LIST", WatchFrom("20")));
  EXPECT_THAT(world.handler.calls, ElementsAre("add a@7 initial", "delete a@7 unknown"));
  EXPECT_EQ(world.HandledErrors(), 0);
}

TEST(Reflector, TakesAPlainText410FromAProxyForExpired) {
  InformerWorld world;
  ListWatchExpire(&world);
  world.server.Then(Answer(410, "gone"));
  world.RunFor(Seconds(3));
  EXPECT_THAT(world.Story(),
              ElementsAre(kFirstList, WatchFrom("10"), "+0.800", ListFrom("10"), "LIST"));
}

TEST(Reflector, StaysUnavailableWhereTheListFromScratchFailsToo) {
  InformerWorld world;
  ListWatchExpire(&world);
  world.server.Then(Failure(410, "Expired"));
  world.server.Then(Failure(500, "InternalError"));
  world.RunFor(Seconds(4));
  EXPECT_THAT(world.Story(), ElementsAre(kFirstList, WatchFrom("10"), "+0.800", ListFrom("10"),
                                         "LIST", "+1.600", "LIST limit=500"));
  EXPECT_EQ(world.HandledErrors(), 1);
}

TEST(Reflector, BacksOffBetweenListsThatFailAndStartsAnewAfterTwoMinutes) {  // GLD-14
  InformerWorld world;
  for (int i = 0; i < 20; ++i) world.server.Then(Failure(500, "InternalError"));
  world.RunFor(Seconds(175));
  EXPECT_THAT(world.Story(),
              ElementsAre(kFirstList, "+0.800", kFirstList, "+1.600", kFirstList, "+3.200",
                          kFirstList, "+6.400", kFirstList, "+12.800", kFirstList, "+25.600",
                          kFirstList, "+30.000", kFirstList, "+30.000", kFirstList, "+30.000",
                          kFirstList, "+0.800", kFirstList, "+1.600", kFirstList, "+3.200",
                          kFirstList, "+6.400", kFirstList, "+12.800", kFirstList));
  EXPECT_EQ(world.HandledErrors(), 15);
}

TEST(Reflector, ReportsEveryOtherFailureOfAList) {
  for (int code : {401, 403, 404, 405, 422, 429, 503}) {
    InformerWorld world;
    world.server.Then(Failure(code, ""));
    world.server.Then(ListOf("10", {}));
    world.RunFor(Seconds(2));
    EXPECT_THAT(world.Story(), ElementsAre(kFirstList, "+0.800", kFirstList, WatchFrom("10")))
        << code;
    EXPECT_EQ(world.HandledErrors(), 1) << code;
  }
}

TEST(Reflector, DoesNotUseATruncatedList) {
  InformerWorld world;
  testing::Step cut;
  cut.Send(
      "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"kind\":\"ConfigMapList\",\"items\":[");
  cut.FinishAfter(Millis(10));
  world.server.Then(cut);
  world.server.Then(ListOf("10", {}));
  world.RunFor(Seconds(2));
  EXPECT_THAT(world.Story(), ElementsAre(kFirstList, "+0.810", kFirstList, WatchFrom("10")));
  EXPECT_THAT(world.Lines("error", "message"),
              ElementsAre(HasSubstr("unexpected error when reading response body")));
}

TEST(Reflector, RefusesTablesAsLists) {
  InformerWorld world;
  world.server.Then(
      Answer(200, R"({"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{},"rows":[]})"));
  world.RunFor(Millis(100));
  EXPECT_THAT(world.Lines("error", "message"), ElementsAre(HasSubstr("unsupported list gvk")));
}

TEST(Reflector, ReportsAConnectionThatIsRefusedForAList) {
  InformerWorld world;
  world.server.Then(Refused()).Then(ListOf("10", {}));
  world.RunFor(Seconds(2));
  EXPECT_THAT(world.Story(), ElementsAre("+0.800", kFirstList, WatchFrom("10")));
  EXPECT_EQ(world.HandledErrors(), 1);
}

TEST(Reflector, ReopensAStreamingListFromScratchAtOnceWhereItIsExpired) {  // GLD-16
  InformerWorld world(Streaming());
  world.server.Then(Failure(410, "Expired"));
  world.server.Then(WatchOf({ErrorLine(410, "Expired")}));
  world.server.Then(WatchOf(
      {EventLine("ADDED", "a", "4"), BookmarkLine("10", "false"), BookmarkLine("11", "true")}));
  world.RunFor(Seconds(1));
  EXPECT_THAT(world.Story(), ElementsAre(kFirstStream, kFirstStream, kFirstStream));
  EXPECT_THAT(world.Lines("position", "rv"), ElementsAre("11"));
}

TEST(Reflector, ForgetsItsPositionWhereAStreamingRelistIsExpired) {
  InformerWorld world(Streaming());
  world.server.Then(WatchOf({BookmarkLine("10", "true"), ErrorLine(410, "Expired")}));
  world.server.Then(Failure(410, "Expired"));
  world.server.Then(WatchOf({BookmarkLine("20", "true")}));
  world.RunFor(Seconds(2));
  EXPECT_THAT(world.Story(), ElementsAre(kFirstStream, "+0.800", StreamFrom("10"), kFirstStream));
}

TEST(Reflector, StartsAStreamingListAnewWhereItEndsEarly) {  // GLD-17
  InformerWorld world(Streaming());
  world.server.Then(WatchOf({EventLine("ADDED", "a", "4")}).EndAfter(Millis(10)));
  world.server.Then(WatchOf({}).EndAfter(Seconds(1)));
  world.server.Then(WatchOf({}).EndAfter(Millis(10)));
  world.server.Then(ListOf("10", {}));
  world.RunFor(Seconds(3));
  EXPECT_THAT(world.Story(), ElementsAre(kFirstStream, "+0.010", kFirstStream, "+1.000",
                                         kFirstStream, "+0.010", kFirstList, WatchFrom("10")));
}

TEST(Reflector, WaitsAndReopensAStreamingListWhereTheServerIsBusyOrAway) {
  InformerWorld world(Streaming());
  world.server.Then(Failure(429, "TooManyRequests")).Then(Refused());
  world.server.Then(WatchOf({ErrorLine(429, "TooManyRequests")}));
  world.server.Then(WatchOf({BookmarkLine("10", "true")}));
  world.RunFor(Seconds(8));
  EXPECT_THAT(world.Story(),
              ElementsAre(kFirstStream, "+2.400", kFirstStream, "+3.200", kFirstStream));
  EXPECT_EQ(world.server.refused(), 1u);
  EXPECT_TRUE(world.informer.HasSynced());
  EXPECT_EQ(world.HandledErrors(), 0);
}

TEST(Reflector, FallsBackWhereAStreamingListFails) {
  for (const testing::Step& step :
       {Failure(500, "InternalError"), Failure(403, "Forbidden"), WatchOf({"{\"type\":\"WHAT\"}"}),
        WatchOf({ErrorLine(500, "InternalError")}),
        WatchOf({R"({"type":"ERROR","object":{"kind":"ConfigMap","apiVersion":"v1"}})"})}) {
    InformerWorld world(Streaming());
    world.server.Then(step).Then(ListOf("10", {}));
    world.RunFor(Seconds(1));
    EXPECT_THAT(world.Story(), ElementsAre(kFirstStream, kFirstList, WatchFrom("10")));
    EXPECT_EQ(world.HandledErrors(), 0);
  }
}

TEST(Reflector, RelistsWhereTheStreamDiesShortlyAfterItsBookmark) {  // GLD-10
  InformerWorld world(Streaming());
  world.server.Then(WatchOf({BookmarkLine("10", "true")}).EndAfter(Millis(500)));
  world.server.Then(WatchOf({BookmarkLine("11", "true")}));
  world.RunFor(Seconds(3));
  EXPECT_THAT(world.Story(), ElementsAre(kFirstStream, "+1.300", StreamFrom("10")));
}

TEST(Reflector, DrawsWatchTimeoutsFromFiveToTenMinutes) {
  SeededChoices choices(7);
  InformerWorldOptions options;
  options.choices = &choices;
  InformerWorld world(std::move(options));
  world.server.Then(ListOf("10", {}));
  for (int i = 0; i < 50; ++i) world.server.Then(WatchOf({BookmarkLine("11")}).EndAfter(Millis(5)));
  world.RunFor(Seconds(1));
  int least = 1000, most = 0;
  for (size_t i = 1; i < world.server.requests().size(); ++i) {
    const std::string& target = world.server.requests()[i].target;
    const int seconds = std::stoi(target.substr(target.find("timeoutSeconds=") + 15));
    least = std::min(least, seconds);
    most = std::max(most, seconds);
  }
  EXPECT_GE(least, 300);
  EXPECT_LE(least, 330);
  EXPECT_GE(most, 570);
  EXPECT_LE(most, 599);
}

TEST(Reflector, StopsAtOnceWhereverItIs) {
  for (Duration when : {Millis(0), Millis(100), Millis(1500), Seconds(4)}) {
    InformerWorld world;
    world.server.Then(Failure(500, "InternalError"));                   // at 0
    world.server.Then(ListOf("10", {Item("a", "7")}).FinishAfter({}));  // at 0.8
    world.server.Then(WatchOf({EventLine("ADDED", "b", "11")}));
    world.RunFor(when);
    world.stop.Set();
    const size_t requests = world.server.requests().size();
    world.loop.RunUntil([&] { return world.scope.empty(); }, world.loop.Now() + Seconds(100));
    EXPECT_TRUE(world.scope.empty());
    EXPECT_EQ(world.loop.Now() - kSimulationEpoch, when);
    EXPECT_EQ(world.server.requests().size(), requests);
    EXPECT_EQ(world.server.open(), 0u);
    EXPECT_EQ(world.informer.reflector().phase(), Reflector::Phase::kStopped);
  }
}

TEST(Reflector, EndsAListThatHangsAtStop) {  // RFL-14
  InformerWorld world;
  world.RunFor(Seconds(1));
  EXPECT_EQ(world.informer.reflector().phase(), Reflector::Phase::kList);
  world.stop.Set();
  world.loop.RunUntil([&] { return world.scope.empty(); }, world.loop.Now() + Seconds(100));
  EXPECT_EQ(world.loop.Now() - kSimulationEpoch, Seconds(1));
  EXPECT_EQ(world.server.open(), 0u);
  EXPECT_EQ(world.HandledErrors(), 0);
}

TEST(Reflector, PacesTheHotLoopsOfStreamingListsOnlyIfAsked) {  // WLM-08, WLM-09
  Step early = WatchOf({EventLine("ADDED", "a", "1")});
  early.EndAfter({});
  for (const Step& answer : {Failure(410, "Expired"), early}) {
    for (bool paced : {false, true}) {
      InformerWorldOptions options = Streaming();
      options.informer.reflector.pace_reopening = paced;
      InformerWorld world(std::move(options));
      for (int i = 0; i < 100; ++i) world.server.Then(answer);
      world.RunFor(Seconds(5));
      EXPECT_EQ(world.server.requests().size(), paced ? 3u : 101u);
    }
  }
}

TEST(Reflector, KeepsTheListVersionOutOfUnsyncedStores) {
  InformerWorldOptions options;
  options.informer.transform = [](const ObjectRef& object) -> Result<ObjectRef> {
    if (object->key().name == "bad") return Error::Net(Transport::kOther, "not this one");
    return object;
  };
  InformerWorld world(std::move(options));
  world.server.Then(ListOf("10", {Item("bad", "7")})).Then(ListOf("11", {Item("good", "7")}));
  world.RunFor(Seconds(2));
  EXPECT_THAT(world.Story(), ElementsAre(kFirstList, "+0.800", kFirstList, WatchFrom("11")));
  EXPECT_THAT(world.Lines("error", "message"),
              ElementsAre("unable to sync list result: not this one"));
}

TEST(Reflector, HidesObjectsThatATransformRefusesInAStreamingList) {  // WLM-05
  InformerWorldOptions options = Streaming();
  options.informer.transform = [](const ObjectRef& object) -> Result<ObjectRef> {
    if (object->key().name == "bad") return Error::Net(Transport::kOther, "not this one");
    return object;
  };
  InformerWorld world(std::move(options));
  world.server.Then(WatchOf({EventLine("ADDED", "bad", "4"), EventLine("ADDED", "good", "5"),
                             BookmarkLine("10", "true")}));
  world.RunFor(Seconds(1));
  EXPECT_THAT(world.handler.calls, ElementsAre("add good@5 initial"));
  EXPECT_TRUE(world.informer.HasSynced());
}

}  // namespace reflector_test
}  // namespace relist
