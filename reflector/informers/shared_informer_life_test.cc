// How an informer starts, syncs, resyncs and stops: client-go's own tests, on a FakeSource.
#include <gmock/gmock.h>

#include "reflector/informers/shared_informer.h"
#include "reflector/testing/source_world.h"

namespace relist {
namespace shared_informer_life_test {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::RecordingHandler;
using testing::SourceBench;
using testing::SourceWorld;

TEST(SharedInformerLife, GoesFromNewToStartedToStopped) {  // TestStateSharedInformer
  SourceWorld world;
  world.source.Add({.name = "a"});
  EXPECT_FALSE(world.informer.started());
  EXPECT_FALSE(world.informer.stopped());
  world.RunFor(Seconds(1));
  EXPECT_THAT(world.handler.calls, ElementsAre("add a@1 initial"));
  EXPECT_TRUE(world.informer.started());
  EXPECT_FALSE(world.informer.stopped());
  world.stop.Set();
  world.RunFor(Seconds(1));
  EXPECT_TRUE(world.informer.started());
  EXPECT_TRUE(world.informer.stopped());
  EXPECT_TRUE(world.scope.empty());  // TestShutdown
}

TEST(SharedInformerLife, RunsOnceAndSaysSo) {  // INF-01
  SourceWorld world;
  world.source.Add({.name = "a"});
  world.RunFor(Seconds(1));
  world.scope.Spawn(world.informer.Run(world.stop));
  world.RunFor(Seconds(1));
  EXPECT_THAT(world.handler.calls, ElementsAre("add a@1 initial"));
  EXPECT_THAT(world.log->lines(), ElementsAre("W SharedInformer objects: it has started, and does "
                                              "not run more than once"));
}

TEST(SharedInformerLife, TakesTransformAndErrorHandlerBeforeItStartsOnly) {  // INF-01
  // TestSharedInformerStartRace
  SourceWorld world;
  const Transform transform = [](const ObjectRef& object) -> Result<ObjectRef> { return object; };
  EXPECT_TRUE(world.informer.SetTransform(transform).ok());
  EXPECT_TRUE(world.informer.SetWatchErrorHandler([](const Error&) {}).ok());
  world.RunFor(Seconds(1));
  const Result<void> late = world.informer.SetTransform(transform);
  ASSERT_FALSE(late.ok());
  EXPECT_EQ(late.error().message(), "informer has already started");
  EXPECT_EQ(world.informer.SetWatchErrorHandler({}).error().message(),
            "informer has already started");
  world.stop.Set();
  world.RunFor(Seconds(1));
  EXPECT_FALSE(world.informer.SetTransform(transform).ok());
}

TEST(SharedInformerLife, TellsItsErrorHandler) {  // TestSharedInformerErrorHandling
  SourceWorld world;
  world.source.list_error = Error::Api(403, "Forbidden", "Access Denied");
  std::vector<std::string> errors;
  ASSERT_TRUE(world.informer
                  .SetWatchErrorHandler(
                      [&errors](const Error& error) { errors.push_back(error.message()); })
                  .ok());
  world.RunFor(Millis(100));
  ASSERT_EQ(errors.size(), 1u);
  EXPECT_THAT(errors.front(), HasSubstr("Access Denied"));
  EXPECT_FALSE(world.informer.HasSynced());
}

TEST(SharedInformerLife, TransformsWhatComes) {  // INF-11, TestSharedInformerTransformer
  SourceWorld world;
  world.source.Add({.name = "pod1"});
  ASSERT_TRUE(world.informer
                  .SetTransform([](const ObjectRef& object) -> Result<ObjectRef> {
                    Object::Head head;
                    head.key = {object->key().ns, "POD" + object->key().name.substr(3)};
                    head.resource_version = object->resource_version();
                    return ObjectRef(std::make_shared<Object>("{}", std::move(head)));
                  })
                  .ok());
  world.RunFor(Seconds(1));
  world.source.Add({.name = "pod2"});
  world.RunFor(Seconds(1));
  EXPECT_THAT(world.handler.calls, ElementsAre("add POD1@1 initial", "add POD2@2"));
}

TEST(SharedInformerLife, SyncsWhenItsStoreHoldsTheList) {  // INF-03
  SourceWorld world;
  world.source.Add({.name = "a"});
  EXPECT_FALSE(world.informer.HasSynced());
  world.Start();
  EXPECT_FALSE(world.informer.HasSynced());
  world.RunFor(Seconds(1));
  EXPECT_TRUE(world.informer.HasSynced());
  EXPECT_TRUE(IsDone(world.informer.synced_checker()));
  EXPECT_EQ(world.informer.synced_checker().name, "SharedInformer objects");
}

TEST(SharedInformerLife, NeverSyncsWhereItIsStoppedBefore) {  // INF-03
  for (const bool atomic : {true, false}) {
    InformerOptions options;
    options.atomic_fifo = atomic;
    SourceWorld world(options);
    world.source.Add({.name = "a"});
    world.stop.Set();
    world.RunFor(Seconds(1));
    EXPECT_FALSE(world.informer.HasSynced());
    EXPECT_FALSE(world.informer.synced().Ready());
    EXPECT_TRUE(world.informer.stopped());
  }
}

TEST(SharedInformerLife, TakesIndexesBeforeAndAfterItStarts) {  // INF-12, TestIndexer
  SourceWorld world;
  const IndexFunction by_name = [](const Object& object) -> std::vector<std::string> {
    return {object.key().name.substr(0, 1)};
  };
  world.source.Add({.name = "a1"});
  world.source.Add({.name = "b1"});
  ASSERT_TRUE(world.informer.AddIndexer("letter", by_name).ok());
  world.RunFor(Seconds(1));
  EXPECT_EQ(world.informer.indexer().ByIndex("letter", "a")->size(), 1u);
  world.source.Add({.name = "a2"});
  world.RunFor(Seconds(1));
  EXPECT_EQ(world.informer.indexer().ByIndex("letter", "a")->size(), 2u);
  ASSERT_TRUE(world.informer.AddIndexer("again", by_name).ok());
  EXPECT_EQ(world.informer.indexer().ByIndex("again", "a")->size(), 2u);
  EXPECT_THAT(*world.informer.indexer().IndexValues("again"), ElementsAre("a", "b"));
  world.stop.Set();
  world.RunFor(Seconds(1));
  const Result<void> late = world.informer.AddIndexer("late", by_name);  // INF-02
  ASSERT_FALSE(late.ok());
  EXPECT_EQ(late.error().message(), "indexer was not added because it has stopped already");
}

TEST(SharedInformerLife, TellsAfterADisruptionWhatWasMissed) {  // INF-10
  // TestSharedInformerWatchDisruption: a handler that does not resync is told what changed, one
  // that does of everything.
  InformerOptions options;
  options.resync_check_period = Seconds(1);
  SourceWorld world(options, {"resyncs", Seconds(1)});
  RecordingHandler quiet;
  ASSERT_TRUE(world.informer.AddEventHandler(quiet, {"quiet", Seconds(0)}).ok());
  world.source.Add({.name = "pod1"});
  world.source.Add({.name = "pod2"});
  world.source.Add({.name = "pod4"});
  world.RunFor(Millis(1500));  // past a tick, which says who syncs
  world.source.AddDropWatch({.name = "pod3"});
  world.source.ModifyDropWatch({.name = "pod2"});
  world.source.DeleteDropWatch({.name = "pod4"});
  world.handler.calls.clear();
  quiet.calls.clear();
  world.RunFor(Millis(100));
  EXPECT_THAT(quiet.calls, IsEmpty());
  world.source.ResetWatch();
  world.RunFor(Millis(850));
  EXPECT_THAT(quiet.calls, ElementsAre("delete pod4@3 unknown", "update pod2@2->5", "add pod3@4"));
  EXPECT_THAT(world.handler.calls, ElementsAre("delete pod4@3 unknown", "update pod1@1->1",
                                               "update pod2@2->5", "add pod3@4"));
}

// The names that "update x@v->v" tells of.
std::vector<std::string> Resyncs(RecordingHandler& handler) {
  std::vector<std::string> names;
  for (const std::string& call : std::exchange(handler.calls, {})) {
    if (call.starts_with("update ")) names.push_back(call.substr(7, call.find('@') - 7));
  }
  return names;
}

TEST(SharedInformerLife, ResyncsEachHandlerInItsPeriod) {  // INF-06, INF-07
  // TestListenerResyncPeriods, TestListenerResyncPeriodsDelayed
  InformerOptions options;
  options.resync_check_period = Seconds(1);
  SourceWorld world(options, {"two", Seconds(2)});
  RecordingHandler never, three;
  ASSERT_TRUE(world.informer.AddEventHandler(never, {"never", Seconds(0)}).ok());
  ASSERT_TRUE(world.informer.AddEventHandler(three, {"three", Seconds(3)}).ok());
  world.source.Add({.name = "a"});
  world.source.Add({.name = "b"});
  world.RunFor(Millis(1500));
  EXPECT_THAT(Resyncs(world.handler), IsEmpty());
  world.RunFor(Seconds(1));  // 2 s
  EXPECT_THAT(Resyncs(world.handler), ElementsAre("a", "b"));
  EXPECT_THAT(Resyncs(three), IsEmpty());
  world.RunFor(Seconds(1));  // 3 s
  EXPECT_THAT(Resyncs(world.handler), IsEmpty());
  EXPECT_THAT(Resyncs(three), ElementsAre("a", "b"));
  world.RunFor(Seconds(3));  // 6 s
  EXPECT_THAT(Resyncs(world.handler), ElementsAre("a", "b", "a", "b"));
  EXPECT_THAT(Resyncs(three), ElementsAre("a", "b"));
  EXPECT_THAT(Resyncs(never), IsEmpty());
}

TEST(SharedInformerLife, NegotiatesPeriodsBeforeItStarts) {  // INF-05, TestResyncCheckPeriod
  InformerOptions options;
  options.resync_check_period = std::chrono::hours(12);
  SourceWorld world(options, {"one", Seconds(0)});
  RecordingHandler handler;
  const auto two = *world.informer.AddEventHandler(handler, {"two", Seconds(60)});
  EXPECT_EQ(two->resync_period, Seconds(60));
  const auto three = *world.informer.AddEventHandler(handler, {"three", Seconds(55)});
  EXPECT_EQ(two->resync_period, Seconds(60));
  EXPECT_EQ(three->resync_period, Seconds(55));
  const auto four = *world.informer.AddEventHandler(handler, {"four", Seconds(5)});
  EXPECT_EQ(world.listener->resync_period, Seconds(0));
  EXPECT_EQ(two->resync_period, Seconds(60));
  EXPECT_EQ(three->resync_period, Seconds(55));
  EXPECT_EQ(four->resync_period, Seconds(5));
  const auto unsaid = *world.informer.AddEventHandler(handler);
  EXPECT_EQ(unsaid->resync_period, std::chrono::hours(12));
  EXPECT_THAT(world.log->lines(), IsEmpty());
}

TEST(SharedInformerLife, WarnsOfPeriodsThatItCannotKeep) {  // INF-05
  InformerOptions options;
  options.resync_check_period = Seconds(30);
  options.description = "pods";
  SourceWorld world(options);
  RecordingHandler handler;
  world.RunFor(Seconds(1));
  const auto tiny = *world.informer.AddEventHandler(handler, {"tiny", Millis(10)});
  EXPECT_EQ(tiny->resync_period, Seconds(30));
  EXPECT_THAT(
      world.log->lines(),
      ElementsAre("W SharedInformer pods: handler tiny: a resync period of 0.010 s is too small, "
                  "it gets 1.000 s",
                  "W SharedInformer pods: handler tiny: a resync period of 1.000 s is less than "
                  "what the informer has started with, it gets 30.000 s"));
  SourceWorld never;
  ASSERT_TRUE(never.informer.AddEventHandler(handler, {"h", Seconds(5)}).ok());
  EXPECT_THAT(never.log->lines(),
              ElementsAre("W SharedInformer objects: handler h: a resync period of 5.000 s is "
                          "without effect, for the informer does no resyncs"));
}

TEST(SharedInformerLife, TakesAHandlerWhileItStarts) {  // TestSharedInformerInitializationRace
  SourceWorld world;
  world.source.Add({.name = "a"});
  world.Start();
  RecordingHandler handler;
  const auto listener = *world.informer.AddEventHandler(handler);
  world.RunFor(Seconds(1));
  EXPECT_THAT(handler.calls, ElementsAre("add a@1 initial"));
  EXPECT_TRUE(listener->HasSynced());
}

}  // namespace shared_informer_life_test
}  // namespace relist
