#include "reflector/watches/until.h"

#include <gmock/gmock.h>

#include "core/runtime/sim_port.h"
#include "reflector/rest/rest_client.h"
#include "reflector/rest/rest_lister_watcher.h"
#include "reflector/testing/scripted_server.h"
#include "reflector/testing/scripted_watches.h"

namespace relist {
namespace until_test {

using testing::AddedAt;
using ::testing::ElementsAre;
using testing::EventLine;
using testing::Item;
using testing::ListOf;
using testing::OpenWatch;
using testing::QueuedWatch;
using testing::ScriptedWatches;
using testing::VersionEvent;
using testing::WatchOf;

using Conditions = std::vector<WatchCondition>;

constexpr char kInterrupted[] = "timed out waiting for the condition";

WatchCondition IsOf(EventType type) {
  return [type](const WatchEvent& event) -> Result<bool> { return event.type == type; };
}
Result<bool> Always(const WatchEvent&) {
  return true;
}
Result<bool> Bad(const WatchEvent&) {
  return Error::Net(Transport::kOther, "something bad");
}

Task<void> KeepOutcome(Task<UntilOutcome> task, std::optional<UntilOutcome>* into) {
  into->emplace(co_await task);
}

// A stream of the test's own, and who waits for something in it.
struct UntilWorld {
  UntilWorld() : loop(port), scope(loop) {}

  UntilOutcome Run(Conditions conditions, TimePoint deadline = kNever) {
    return Finish(UntilWithoutRetry(loop, stream, std::move(conditions), stop, deadline));
  }
  UntilOutcome Finish(Task<UntilOutcome> task) {
    scope.Spawn(KeepOutcome(std::move(task), &outcome));
    loop.RunUntil([&] { return outcome.has_value(); }, loop.Now() + Seconds(1000));
    CHECK(outcome.has_value(), "it never ended");
    return *outcome;
  }

  SimPort port;
  Loop loop;
  QueuedWatch stream;
  Signal stop;
  std::optional<UntilOutcome> outcome;
  TaskScope scope;
};

TEST(Until, MeetsConditionsOneAfterAnother) {  // UNT-01, TestUntil, TestUntilTimeout
  UntilWorld world;
  world.stream.events.Push(AddedAt(1));
  world.stream.events.Push(VersionEvent(EventType::kModified, "2"));
  world.stream.events.Push(AddedAt(3));
  const UntilOutcome outcome = world.Run({IsOf(EventType::kAdded), IsOf(EventType::kModified)});
  ASSERT_TRUE(outcome.result.ok());
  EXPECT_EQ(outcome.last_event->type, EventType::kModified);
  EXPECT_TRUE(world.stream.events.closed());
}

TEST(Until, ShowsTheEventThatMetOneConditionToTheNext) {  // TestUntilMultipleConditions
  UntilWorld world;
  world.stream.events.Push(AddedAt(1));
  const UntilOutcome outcome = world.Run({IsOf(EventType::kAdded), IsOf(EventType::kAdded)});
  ASSERT_TRUE(outcome.result.ok());
  EXPECT_EQ(outcome.last_event->type, EventType::kAdded);
}

TEST(Until, IsInterruptedAtItsDeadline) {  // TestUntilMultipleConditionsFail
  UntilWorld world;
  world.stream.events.Push(AddedAt(1));
  const UntilOutcome outcome =
      world.Run({IsOf(EventType::kAdded), IsOf(EventType::kAdded), IsOf(EventType::kDeleted)},
                world.loop.Now() + Seconds(10));
  ASSERT_FALSE(outcome.result.ok());
  EXPECT_EQ(outcome.result.error().transport, Transport::kTimeout);
  EXPECT_EQ(outcome.result.error().message(), kInterrupted);
  EXPECT_EQ(outcome.last_event->type, EventType::kAdded);
  EXPECT_EQ(world.loop.Now() - kSimulationEpoch, Seconds(10));
}

TEST(Until, IsInterruptedByStop) {
  UntilWorld world;
  world.port.At(kSimulationEpoch + Seconds(3), [&] { world.stop.Set(); });
  const UntilOutcome outcome = world.Run({IsOf(EventType::kAdded)});
  EXPECT_EQ(outcome.result.error().transport, Transport::kStopped);
  EXPECT_EQ(outcome.result.error().message(), kInterrupted);
  EXPECT_FALSE(outcome.last_event);
  EXPECT_EQ(world.loop.Now() - kSimulationEpoch, Seconds(3));
}

TEST(Until, EndsWithTheErrorOfACondition) {  // TestUntilErrorCondition
  UntilWorld world;
  world.stream.events.Push(AddedAt(1));
  const UntilOutcome outcome = world.Run({IsOf(EventType::kAdded), Bad});
  EXPECT_EQ(outcome.result.error().message(), "something bad");
  EXPECT_TRUE(outcome.last_event);
}

TEST(Until, EndsWithTheStream) {
  UntilWorld world;
  world.stream.events.Push(AddedAt(1));
  world.stream.events.Close();
  const UntilOutcome outcome = world.Run({IsOf(EventType::kDeleted)});
  EXPECT_EQ(outcome.result.error().message(), "watch closed before UntilWithoutRetry timeout");
  EXPECT_EQ(outcome.last_event->type, EventType::kAdded);
}

TEST(Until, ShowsErrorEventsToConditions) {
  UntilWorld world;
  world.stream.events.Push(testing::StatusEvent(Error::Api(410, "Gone", "").status));
  EXPECT_TRUE(world.Run({IsOf(EventType::kError)}).result.ok());
}

TEST(Until, RetriesItsWatch) {
  UntilWorld world;
  ScriptedWatches lister([](const ListOptions&, int call) -> testing::OpenedWatch {
    if (call == 1) return Error::Net(Transport::kEof, "EOF");
    return OpenWatch({AddedAt(6)});
  });
  EXPECT_TRUE(world.Finish(Until(world.loop, lister, "5", {IsOf(EventType::kAdded)}, world.stop))
                  .result.ok());
  EXPECT_EQ(lister.asked.size(), 2u);
  UntilWorld again;
  EXPECT_EQ(again.Finish(Until(again.loop, lister, "0", {}, again.stop)).result.error().message(),
            "initial RV \"0\" is not supported due to issues with underlying WATCH");
}

// A server of the test's own behind UntilWithSync.
struct SyncWorld : UntilWorld {
  SyncWorld() : server(port), rest(loop, Options()), lister(rest, kResource, "default", {}, {}) {
    options.reflector.choices = &boring;
    options.reflector.streaming_list = false;
  }
  static RestClientOptions Options() {
    RestClientOptions out;
    out.endpoint = {"server", 80, nullptr};
    out.keep_alive = false;
    return out;
  }
  UntilOutcome RunWithSync(WatchCondition condition, TimePoint deadline = kNever) {
    return Finish(
        UntilWithSync(loop, lister, options, Conditions{std::move(condition)}, stop, deadline));
  }
  static inline const Resource kResource{"", "v1", "configmaps", "ConfigMap"};

  testing::ScriptedServer server;
  RestClient rest;
  RestListerWatcher lister;
  BoringChoices boring;
  UntilWithSyncOptions options;
  ~SyncWorld() { scope.Clear(); }
};

TEST(UntilWithSync, DoesNotWaitForTheListWithoutAPrecondition) {  // UNT-02, TestUntilWithSync
  SyncWorld world;                                                // the server never answers
  const UntilOutcome outcome = world.RunWithSync(Always, world.loop.Now() + Millis(500));
  EXPECT_EQ(outcome.result.error().message(), kInterrupted);
  EXPECT_FALSE(outcome.last_event);
}

TEST(UntilWithSync, WaitsForTheListWithAPrecondition) {
  for (const bool stopped : {false, true}) {
    SyncWorld world;
    world.options.precondition = [](const Indexer&) -> Result<bool> { return true; };
    if (stopped) world.port.At(kSimulationEpoch + Millis(300), [&] { world.stop.Set(); });
    const UntilOutcome outcome = world.RunWithSync(Always, world.loop.Now() + Millis(500));
    EXPECT_EQ(outcome.result.error().message(),
              std::string("UntilWithSync: unable to sync caches: ") +
                  (stopped ? "context canceled" : "context deadline exceeded"));
    EXPECT_EQ(world.loop.Now() - kSimulationEpoch, Millis(stopped ? 300 : 500));
    EXPECT_EQ(world.server.open(), 0u);  // the informer has ended
  }
}

TEST(UntilWithSync, IsDoneWhereThePreconditionHolds) {
  SyncWorld world;
  world.server.Then(ListOf("10", {Item("first", "7")})).Then(WatchOf({}));
  world.options.precondition = [](const Indexer& store) -> Result<bool> {
    return store.Get({"default", "first"}) != nullptr;
  };
  const UntilOutcome outcome = world.RunWithSync(Bad);
  EXPECT_TRUE(outcome.result.ok());
  EXPECT_FALSE(outcome.last_event);
}

TEST(UntilWithSync, EndsWithTheErrorOfThePrecondition) {
  SyncWorld world;
  world.server.Then(ListOf("10", {})).Then(WatchOf({}));
  world.options.precondition = [](const Indexer&) -> Result<bool> {
    return Error::Net(Transport::kOther, "no such thing");
  };
  EXPECT_EQ(world.RunWithSync(Always).result.error().message(), "no such thing");
}

TEST(UntilWithSync, GoesOnToConditionsWhereThePreconditionDoesNotHold) {
  SyncWorld world;
  world.server.Then(ListOf("10", {Item("first", "7")})).Then(WatchOf({}));
  world.options.precondition = [](const Indexer&) -> Result<bool> { return false; };
  const UntilOutcome outcome = world.RunWithSync(IsOf(EventType::kAdded));
  ASSERT_TRUE(outcome.result.ok());
  EXPECT_EQ(outcome.last_event->object->key().name, "first");
}

TEST(UntilWithSync, SurvivesAnExpiredWatchAndSeesWhatItMissed) {
  SyncWorld world;
  world.server.Then(ListOf("10", {Item("first", "7")}))
      .Then(WatchOf({testing::ErrorLine(410, "Expired")}))
      .Then(ListOf("20", {}))
      .Then(WatchOf({}));
  const UntilOutcome outcome = world.RunWithSync(IsOf(EventType::kDeleted));
  ASSERT_TRUE(outcome.result.ok());
  EXPECT_EQ(outcome.last_event->object->resource_version(), "7");
}

}  // namespace until_test
}  // namespace relist
