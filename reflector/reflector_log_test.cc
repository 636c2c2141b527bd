// What a reflector says, and that it says it once.
#include "reflector/reflector_log.h"

#include <gmock/gmock.h>

#include "reflector/testing/reflector_bench.h"

namespace relist {
namespace reflector_log_test {

using testing::BookmarkAt;
using ::testing::ElementsAre;
using testing::ErrorEvent;
using testing::Ev;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Page;
using testing::ReflectorBench;
using testing::Stream;

constexpr char kWho[] = " reflector=\"cms\" type=\"/v1, Kind=ConfigMap\" ";

ReflectorOptions Named() {
  ReflectorOptions options;
  options.name = "cms";
  options.expected_kind = "ConfigMap";
  options.expected_api_version = "v1";
  return options;
}

// The lines after a watch gave `events` (and ended, where `ends`), in the time before the relist.
std::vector<std::string> LinesAfter(std::vector<WatchEvent> events, bool ends = false) {
  ReflectorBench bench(Named());
  bench.lister.Watches(Stream(std::move(events), ends));
  bench.RunFor(Millis(799));
  return bench.log->lines();
}

std::vector<std::string> LinesOfOpening(const Error& error) {
  ReflectorBench bench(Named());
  bench.lister.WatchFails(error);
  bench.RunFor(Millis(799));
  return bench.log->lines();
}

TEST(ReflectorLog, TellsWhyARoundFailed) {  // RFL-06
  ReflectorBench bench(Named());
  bench.lister.Lists(Error::Api(403, "Forbidden", "nothing for you"));
  bench.RunFor(Millis(1));
  EXPECT_THAT(bench.log->lines(),
              ElementsAre("E Failed to watch" + std::string(kWho) +
                          "err=\"failed to list /v1, Kind=ConfigMap: nothing for you\""));
}

TEST(ReflectorLog, TellsOfAWatchThatCouldNotBeOpened) {  // RFL-06, WCH-04
  EXPECT_THAT(LinesOfOpening(Error::Api(403, "Forbidden", "no")),
              ElementsAre("E Failed to watch" + std::string(kWho) + "err=\"no\""));
  EXPECT_THAT(LinesOfOpening(Error::Api(410, "Expired", "old")),
              ElementsAre("I Watch closed" + std::string(kWho) + "err=\"old\""));
  EXPECT_THAT(LinesOfOpening(Error::Net(Transport::kRefused, "connection refused")),
              ElementsAre("I Watch failed - backing off" + std::string(kWho) +
                          "err=\"connection refused\""));
  EXPECT_THAT(LinesOfOpening(Error::Net(Transport::kUnexpectedEof, "unexpected EOF")),
              ElementsAre(HasSubstr("I Watch closed with unexpected EOF")));
  EXPECT_THAT(LinesOfOpening(Error::Net(Transport::kEof, "EOF")), IsEmpty());
}

TEST(ReflectorLog, TellsOfAListsEofAsOfAnyError) {  // RFL-06: it is wrapped
  ReflectorBench bench;
  bench.lister.Lists(Error::Net(Transport::kEof, "EOF"));
  bench.RunFor(Millis(1));
  EXPECT_THAT(bench.log->lines(),
              ElementsAre(HasSubstr("E Failed to watch reflector=\"<unspecified>\"")));
}

TEST(ReflectorLog, LeavesErrorsToAHandlerThatIsThere) {  // RFL-06
  int handled = 0;
  ReflectorOptions options;
  options.watch_error_handler = [&handled](const Error&) { ++handled; };
  ReflectorBench bench(std::move(options));
  bench.lister.Lists(Error::Api(403, "Forbidden", "no"));
  bench.RunFor(Millis(1));
  EXPECT_EQ(handled, 1);
  EXPECT_THAT(bench.log->lines(), IsEmpty());
}

TEST(ReflectorLog, TellsHowAWatchEnded) {  // WCH-06, WCH-07, WCH-09
  EXPECT_THAT(LinesAfter({}, /*ends=*/true),
              ElementsAre("W watch ended with error" + std::string(kWho) +
                          "err=\"very short watch: cms: Unexpected watch close - watch lasted less "
                          "than a second and no items received\""));
  EXPECT_THAT(LinesAfter({ErrorEvent(410, "Expired")}),
              ElementsAre("I Watch closed" + std::string(kWho) + "err=\"from the script\""));
  EXPECT_THAT(LinesAfter({ErrorEvent(429, "TooManyRequests")}),
              ElementsAre(HasSubstr("I Watch returned 429 - backing off")));
  EXPECT_THAT(LinesAfter({ErrorEvent(500, "InternalError")}),
              ElementsAre(HasSubstr("W watch ended with error")));
}

TEST(ReflectorLog, TellsOfInternalErrorsThatAreRetried) {  // WCH-08
  ReflectorOptions options;
  options.max_internal_error_retry = Seconds(5);
  ReflectorBench bench(std::move(options));
  bench.lister.Watches(Stream({ErrorEvent(500, "InternalError")}));
  bench.RunFor(Millis(799));
  EXPECT_THAT(bench.log->lines(), ElementsAre(HasSubstr("I Retrying watch after internal error")));
}

TEST(ReflectorLog, TellsOfSkippedEventsTwiceAStreamAtMost) {  // EVT-03, EVT-10
  std::vector<WatchEvent> events;
  for (int i = 0; i < 1000; ++i) {
    events.push_back({EventType::kAdded, *Object::Parse(R"({"kind":"Pod","apiVersion":"v1"})")});
  }
  events.push_back(Ev("ADDED", "a@11"));
  EXPECT_THAT(LinesAfter(std::move(events), /*ends=*/true),
              ElementsAre("E Unexpected watch event object gvk" + std::string(kWho) +
                              "expectedGVK=\"/v1, Kind=ConfigMap\" actualGVK=\"/v1, Kind=Pod\"",
                          "W odd events in a watch" + std::string(kWho) +
                              "skipped=\"1000\" nameless=\"0\""));
}

TEST(ReflectorLog, TellsOfTables) {  // EVT-03
  ReflectorBench bench;
  bench.lister.Watches(Stream(
      {{EventType::kAdded, *Object::Parse(R"({"kind":"Table","apiVersion":"meta.k8s.io/v1"})")}}));
  bench.RunFor(Seconds(1));
  EXPECT_THAT(bench.log->lines(), ElementsAre(HasSubstr("E Unsupported watch event object gvk")));
}

TEST(ReflectorLog, TellsOfObjectsWithoutNames) {
  EXPECT_THAT(
      LinesAfter({Ev("ADDED", "@11"), Ev("MODIFIED", "@12"), BookmarkAt("13")}, /*ends=*/true),
      ElementsAre(HasSubstr("W watch event object without a name"),
                  HasSubstr("W odd events in a watch" + std::string(kWho) +
                            "skipped=\"0\" nameless=\"2\"")));
  ReflectorBench bench;
  ListPage page = Page("10", {"@7", "a@8"});
  page.null_items = 3;
  bench.lister.Lists(std::move(page));
  bench.RunFor(Seconds(1));
  EXPECT_THAT(bench.log->lines(), ElementsAre(HasSubstr("null=\"3\" nameless=\"1\"")));
}

TEST(ReflectorLog, TellsTheStepsOfAListOfTenSeconds) {
  class SlowLister : public testing::ScriptedLister {
   public:
    explicit SlowLister(Loop* loop) : loop_(loop) {}
    Task<Result<ListPage>> List(ListOptions, Signal&) override {
      Task<void> wait = Sleep(*loop_, Seconds(12));
      co_await wait;
      co_return Page("10", {"a@7", "b@8"});
    }
    Loop* loop_;
  };
  ReflectorBench bench(Named());
  SlowLister lister(&bench.loop);
  ReflectorOptions options = Named();
  options.choices = &bench.boring;
  options.log = bench.log;
  Reflector reflector(bench.loop, lister, bench.store, options);
  TaskScope scope(bench.loop);
  scope.Spawn(reflector.Run(bench.stop));
  bench.loop.RunUntil([] { return false; }, bench.loop.Now() + Seconds(13));
  EXPECT_THAT(bench.log->lines(),
              ElementsAre("I Trace \"Reflector ListAndWatch\" (total time: 12000ms): \"Objects "
                          "listed\" count:2 12000ms, \"SyncWith done\" 0ms" +
                          std::string(kWho).substr(0, std::string(kWho).size() - 1)));
}

TEST(ReflectorLog, TellsTheStepsOfAStreamingListOfTenSeconds) {
  ReflectorBench bench;
  bench.lister.streaming = true;
  auto slow = Stream({Ev("ADDED", "a@7")});
  Channel<WatchEvent>* events = &slow->events;
  bench.lister.Watches(std::move(slow));
  bench.RunFor(Seconds(11));
  events->Push(BookmarkAt("10", "true"));
  bench.RunFor(Seconds(1));
  EXPECT_THAT(bench.log->lines(),
              ElementsAre(HasSubstr("event bookmark expired"),
                          HasSubstr("I Trace \"Reflector WatchList\" (total time: 11000ms): "
                                    "\"Objects streamed\" count:1 11000ms")));
}

}  // namespace reflector_log_test
}  // namespace relist
