#include "reflector/watches/retry_watcher.h"

#include <gmock/gmock.h>

#include "core/runtime/sim_port.h"
#include "reflector/testing/scripted_watches.h"

namespace relist {
namespace retry_watcher_test {

using testing::AddedAt;
using testing::CloseAfter;
using ::testing::ElementsAre;
using testing::EventsFrom;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::OpenedWatch;
using testing::OpenWatch;
using testing::ScriptedWatches;
using testing::StatusEvent;
using testing::VersionEvent;

using Events = std::vector<WatchEvent>;

struct RetryWorld {
  explicit RetryWorld(ScriptedWatches::Script script, RetryWatcherOptions options = {},
                      const std::string& rv = "5")
      : loop(port),
        // Notes when it was asked.
        lister([this, script](const ListOptions& asked, int call) {
          times.push_back((loop.Now() - kSimulationEpoch) / Millis(1));
          return script(asked, call);
        }),
        watcher(std::move(*RetryWatcher::Make(loop, lister, rv, std::move(options)))) {}

  void RunFor(Duration d) {
    loop.RunUntil([] { return false; }, loop.Now() + d);
  }
  // "ADDED 6" for each event that came, "ERROR 410".
  std::vector<std::string> Read() {
    std::vector<std::string> out;
    while (const std::optional<WatchEvent> event = watcher->TryNext()) {
      out.push_back(std::string(Name(event->type)) + " " +
                    (event->type == EventType::kError
                         ? std::to_string(Status::Parse(event->object->bytes())->code)
                         : event->object->resource_version()));
    }
    return out;
  }

  SimPort port;
  Loop loop;
  std::vector<int64_t> times;
  ScriptedWatches lister;
  std::unique_ptr<RetryWatcher> watcher;
};

TEST(RetryWatcher, RefusesToStartAtNoVersionOrZero) {  // RTW-01, TestNewRetryWatcher
  SimPort port;
  Loop loop(port);
  ScriptedWatches lister([](const ListOptions&, int) { return OpenWatch({}); });
  for (const std::string rv : {"", "0"}) {
    const auto watcher = RetryWatcher::Make(loop, lister, rv);
    ASSERT_FALSE(watcher.ok());
    EXPECT_EQ(watcher.error().message(),
              "initial RV \"" + rv + "\" is not supported due to issues with underlying WATCH");
  }
  EXPECT_THAT(lister.asked, IsEmpty());
}

TEST(RetryWatcher, AsksForAVersionAndBookmarks) {
  RetryWorld world([](const ListOptions&, int) { return OpenWatch({}); });
  EXPECT_THAT(world.lister.asked, ElementsAre("allowWatchBookmarks=true&resourceVersion=5"));
  RetryWorld timed([](const ListOptions&, int) { return OpenWatch({}); },
                   {.watch_timeout = Seconds(300)});
  EXPECT_THAT(timed.lister.asked,
              ElementsAre("allowWatchBookmarks=true&resourceVersion=5&timeoutSeconds=300"));
}

// A case of client-go's TestRetryWatcher.
struct Case {
  const char* name;
  const char* rv;
  ScriptedWatches::Script script;
  size_t watches;
  std::vector<std::string> expected;
};

// The first watch cannot be opened, the next gives event 2.
ScriptedWatches::Script FailsFirst(const OpenedWatch& first_error) {
  return [error = first_error.error()](const ListOptions& options, int call) -> OpenedWatch {
    if (call == 1) return error;
    return OpenWatch(EventsFrom(options.resource_version, {AddedAt(2)}));
  };
}
ScriptedWatches::Script Gives(const Events& events) {
  return [events](const ListOptions& options, int) {
    return OpenWatch(EventsFrom(options.resource_version, events));
  };
}
ScriptedWatches::Script GivesAndCloses(size_t n, const Events& events) {
  return [n, events](const ListOptions& options, int) {
    return CloseAfter(n, EventsFrom(options.resource_version, events));
  };
}
ScriptedWatches::Script AlwaysFails(const Error& error) {
  return [error](const ListOptions&, int) -> OpenedWatch { return error; };
}
OpenedWatch NullFirst(const ListOptions& options, int call) {
  if (call == 1) return std::unique_ptr<WatchStream>();
  return OpenWatch(EventsFrom(options.resource_version, {AddedAt(2)}));
}
Events ErrorBetween6And7(int code, const std::string& reason) {
  return {AddedAt(6), StatusEvent(Error::Api(code, reason, "").status), AddedAt(7)};
}
Events At(const std::vector<int>& versions) {
  Events out;
  for (const int rv : versions) out.push_back(AddedAt(rv));
  return out;
}

void Check(const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    RetryWorld world(c.script, {}, c.rv);
    world.RunFor(Seconds(20));
    EXPECT_EQ(world.Read(), c.expected) << c.name;
    EXPECT_EQ(world.lister.asked.size(), c.watches) << c.name;
  }
}

TEST(RetryWatcher, GoesOnAfterErrorsOfOpening) {  // RTW-03, TestRetryWatcher
  Check({{"recovers if watchClient returns error",
          "1",
          FailsFirst(Error::Net(Transport::kOther, "test error")),
          2,
          {"ADDED 2"}},
         {"recovers from 410 Gone error on watch establishment",
          "1",
          FailsFirst(Error::Api(410, "Expired", "")),
          2,
          {"ADDED 2"}},
         {"recovers if watchClient returns nil watcher", "1", NullFirst, 2, {"ADDED 2"}},
         {"works with empty initialRV", "1", Gives(At({2})), 1, {"ADDED 2"}},
         {"skips the preceding items", "1", Gives(At({1, 2})), 1, {"ADDED 2"}},
         {"skips the preceding items, none following", "3", Gives(At({2})), 1, {}},
         {"fails on Forbidden",
          "5",
          AlwaysFails(Error::Api(403, "Forbidden", "unknown")),
          1,
          {"ERROR 403"}},
         {"fails on Unauthorized",
          "5",
          AlwaysFails(Error::Api(401, "Unauthorized", "")),
          1,
          {"ERROR 401"}}});
}

TEST(RetryWatcher, GoesOnAfterErrorsInTheStreamButForGone) {  // RTW-04, TestRetryWatcher
  const WatchEvent odd{EventType::kError, *Object::Parse(R"({"kind":"Odd","code":500})")};
  const WatchEvent gone = StatusEvent(Error::Api(410, "Gone", "").status);
  Check({{"fails on Gone",
          "5",
          Gives({AddedAt(5), AddedAt(6), gone, AddedAt(7), AddedAt(8)}),
          1,
          {"ADDED 6", "ERROR 410"}},
         {"recovers from timeout error",
          "5",
          Gives(ErrorBetween6And7(504, "Timeout")),
          2,
          {"ADDED 6", "ADDED 7"}},
         {"recovers from internal server error",
          "5",
          Gives(ErrorBetween6And7(500, "InternalError")),
          2,
          {"ADDED 6", "ADDED 7"}},
         {"recovers from unexpected error code",
          "5",
          Gives(ErrorBetween6And7(666, "")),
          2,
          {"ADDED 6", "ADDED 7"}},
         {"recovers from unexpected error type",
          "5",
          Gives({AddedAt(6), odd, AddedAt(7)}),
          2,
          {"ADDED 6", "ADDED 7"}}});
}

TEST(RetryWatcher, GoesOnWhereAClosedWatchLeftOff) {  // TestRetryWatcher
  Check(
      {{"1 closed watch, 1 item", "5", GivesAndCloses(1, At({6})), 2, {"ADDED 6"}},
       {"2 closed watches, 2 items", "4", GivesAndCloses(1, At({5, 6})), 3, {"ADDED 5", "ADDED 6"}},
       {"nonconsecutive RVs", "4", GivesAndCloses(1, At({5, 7})), 3, {"ADDED 5", "ADDED 7"}},
       {"starting at much lower RV", "2", GivesAndCloses(1, At({5, 7})), 3, {"ADDED 5", "ADDED 7"}},
       {"4 closed watches, spread RVs",
        "2",
        GivesAndCloses(1, At({5, 6, 7, 11})),
        5,
        {"ADDED 5", "ADDED 6", "ADDED 7", "ADDED 11"}},
       {"skips lower or equal RVs",
        "2",
        GivesAndCloses(1, At({1, 2, 5, 6, 7, 11})),
        5,
        {"ADDED 5", "ADDED 6", "ADDED 7", "ADDED 11"}},
       {"2+2+1 items",
        "1",
        GivesAndCloses(2, At({1, 2, 5, 6, 7, 11})),
        3,
        {"ADDED 2", "ADDED 5", "ADDED 6", "ADDED 7", "ADDED 11"}}});
}

TEST(RetryWatcher, IsOverAfterAnErrorThatIsTheEnd) {
  RetryWorld world(Gives({AddedAt(6), StatusEvent(Error::Api(410, "Gone", "").status)}));
  world.RunFor(Seconds(1));
  EXPECT_FALSE(world.watcher->ended());
  EXPECT_THAT(world.Read(), ElementsAre("ADDED 6", "ERROR 410"));
  EXPECT_TRUE(world.watcher->ended());
  EXPECT_TRUE(world.watcher->source().Ready());
  EXPECT_EQ(world.watcher->last_resource_version(), "6");
}

TEST(RetryWatcher, OpensAtMostOneWatchASecondCountedFromItsStart) {  // RTW-02
  RetryWorld failing(AlwaysFails(Error::Api(410, "Expired", "")));
  failing.RunFor(Seconds(3));
  EXPECT_THAT(failing.times, ElementsAre(0, 1000, 2000, 3000));
  std::vector<testing::QueuedWatch*> open;
  RetryWorld world([&](const ListOptions&, int) -> OpenedWatch {
    std::unique_ptr<testing::QueuedWatch> stream = testing::MakeWatch({});
    open.push_back(stream.get());
    return std::unique_ptr<WatchStream>(std::move(stream));
  });
  world.RunFor(Millis(300));
  open.back()->Stop();  // it lived for less than a second: 700 ms are left
  world.RunFor(Millis(4700));
  open.back()->Stop();  // it lived longer: at once
  world.RunFor(Seconds(1));
  EXPECT_THAT(world.times, ElementsAre(0, 1000, 5000));
}

TEST(RetryWatcher, WaitsAsLongAsAnErrorInTheStreamSays) {  // RTW-02
  Status busy = Error::Api(500, "InternalError", "").status;
  busy.details = StatusDetails{};
  busy.details->retry_after_seconds = 7;
  RetryWorld world([busy](const ListOptions&, int call) {
    return OpenWatch(call == 1 ? Events{StatusEvent(busy)} : Events{});
  });
  world.RunFor(Seconds(20));
  EXPECT_THAT(world.times, ElementsAre(0, 7000));
}

TEST(RetryWatcher, SwallowsBookmarksButGoesOnFromThem) {  // RTW-05
  RetryWorld world([](const ListOptions&, int call) {
    return call == 1 ? CloseAfter(2, {AddedAt(6), VersionEvent(EventType::kBookmark, "9")})
                     : OpenWatch({});
  });
  world.RunFor(Seconds(2));
  EXPECT_THAT(world.Read(), ElementsAre("ADDED 6"));
  EXPECT_THAT(world.lister.asked.back(), HasSubstr("resourceVersion=9"));
}

TEST(RetryWatcher, HandsOutOldEventsToo) {  // RTW-05
  RetryWorld world([](const ListOptions&, int) {
    return OpenWatch(
        {VersionEvent(EventType::kModified, "3"), VersionEvent(EventType::kDeleted, "2")});
  });
  world.RunFor(Seconds(2));
  EXPECT_THAT(world.Read(), ElementsAre("MODIFIED 3", "DELETED 2"));
  EXPECT_EQ(world.watcher->last_resource_version(), "2");
}

TEST(RetryWatcher, EndsAtWhatItCannotGoOnFrom) {  // RTW-05
  const std::pair<WatchEvent, std::string> bad[] = {
      {VersionEvent(EventType::kAdded, "", "nameless"),
       "retryWatcher: object nameless doesn't support resourceVersion"},
      {{EventType::kAdded, nullptr}, "retryWatcher: doesn't support resourceVersion"},
      {VersionEvent(static_cast<EventType>(99), "7"),
       "retryWatcher failed to recognize Event type \"99\""}};
  for (const auto& [event, why] : bad) {
    RetryWorld world(
        [&](const ListOptions&, int) { return OpenWatch({AddedAt(6), event, AddedAt(7)}); });
    world.RunFor(Seconds(5));
    const std::optional<WatchEvent> first = world.watcher->TryNext();
    ASSERT_TRUE(first);
    const std::optional<WatchEvent> error = world.watcher->TryNext();
    ASSERT_TRUE(error);
    const std::optional<Status> status = Status::Parse(error->object->bytes());
    ASSERT_TRUE(status);
    EXPECT_EQ(status->reason, "InternalError");
    EXPECT_EQ(status->message, "Internal error occurred: " + why);
    EXPECT_TRUE(world.watcher->ended());
    EXPECT_EQ(world.lister.asked.size(), 1u);
  }
}

TEST(RetryWatcher, StopsThoughNobodyReads) {  // RTW-06, TestRetryWatcherToFinishWithUnreadEvents
  RetryWorld world([](const ListOptions&, int) { return OpenWatch(Events(5000, AddedAt(6))); });
  world.RunFor(Seconds(1));
  EXPECT_EQ(world.lister.asked.size(), 1u);
  world.watcher->Stop();
  world.watcher->Stop();
  EXPECT_TRUE(world.watcher->ended());
  EXPECT_FALSE(world.watcher->TryNext());
  world.RunFor(Seconds(10));
  EXPECT_TRUE(world.watcher->ended());
  EXPECT_EQ(world.lister.asked.size(), 1u);
}

TEST(RetryWatcher, MakesTheServerWaitWhereNobodyReadsAndLosesNothing) {
  RetryWorld world([](const ListOptions&, int) { return OpenWatch(Events(2500, AddedAt(6))); });
  world.RunFor(Seconds(1));
  EXPECT_EQ(world.Read().size(), 1000u);
  world.RunFor(Seconds(1));
  EXPECT_EQ(world.Read().size(), 1000u);
  world.RunFor(Seconds(1));
  EXPECT_EQ(world.Read().size(), 500u);
}

TEST(RetryWatcher, SaysWhatItRetries) {
  auto log = std::make_shared<CollectedLog>();
  RetryWorld world(AlwaysFails(Error::Api(403, "Forbidden", "not you")), {.log = log});
  EXPECT_THAT(log->lines(), ElementsAre("E retry watcher: Watch failed: not you: ensure the client "
                                        "has valid credentials and watch permissions on the "
                                        "resource"));
}

}  // namespace retry_watcher_test
}  // namespace relist
