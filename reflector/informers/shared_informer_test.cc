#include "reflector/informers/shared_informer.h"

#include <gmock/gmock.h>

#include "reflector/testing/informer_world.h"

namespace relist {
namespace shared_informer_test {

using testing::BookmarkLine;
using ::testing::ElementsAre;
using testing::ErrorLine;
using testing::EventLine;
using ::testing::HasSubstr;
using testing::InformerWorld;
using testing::InformerWorldOptions;
using ::testing::IsEmpty;
using testing::Item;
using testing::ListOf;
using testing::RecordingHandler;
using testing::WatchOf;

TEST(SharedInformer, ListsWatchesAndTellsItsHandler) {
  InformerWorld world;
  world.server.Then(ListOf("10", {Item("a", "7"), Item("b", "9")}));
  world.server.Then(WatchOf({EventLine("MODIFIED", "a", "11"), EventLine("DELETED", "b", "12"),
                             EventLine("ADDED", "c", "13")}));
  world.RunFor(Seconds(5));
  EXPECT_THAT(world.handler.calls, ElementsAre("add a@7 initial", "add b@9 initial",
                                               "update a@7->11", "delete b@12", "add c@13"));
  EXPECT_THAT(world.Story(), ElementsAre("LIST limit=500 resourceVersion=0",
                                         "WATCH allowWatchBookmarks=true resourceVersion=10"));
  EXPECT_TRUE(world.informer.HasSynced());
  EXPECT_TRUE(world.listener->HasSynced());
  EXPECT_EQ(world.informer.last_sync_resource_version(), "13");
  EXPECT_EQ(world.informer.indexer().size(), 2u);
}

TEST(SharedInformer, SyncsOnAnEmptyCollection) {  // C11
  for (bool streaming : {false, true}) {
    InformerWorld world({.streaming_list = streaming});
    world.server.Then(streaming ? WatchOf({BookmarkLine("10", "true")}) : ListOf("10", {}));
    world.RunFor(Seconds(1));
    EXPECT_TRUE(world.informer.HasSynced());
    EXPECT_TRUE(world.listener->HasSynced());
    EXPECT_TRUE(world.listener->synced().Ready());
  }
}

TEST(SharedInformer, SaysSyncedAfterTheInitialObjectsWereToldAndOnce) {
  InformerWorld world;
  world.server.Then(ListOf("10", {Item("a", "7")})).Then(WatchOf({ErrorLine(410, "Expired")}));
  world.server.Then(ListOf("11", {Item("a", "7")}));
  world.RunFor(Seconds(3));
  EXPECT_THAT(world.Lines("synced", "handler"), ElementsAre("", "handler"));
  std::vector<std::string> order;
  for (const HistoryEntry& line : world.history.entries()) order.push_back(line.what());
  const auto callback = std::find(order.begin(), order.end(), "callback");
  const auto last_synced = std::find(order.rbegin(), order.rend(), "synced");
  EXPECT_LT(callback - order.begin(), order.rend() - last_synced);
}

TEST(SharedInformer, TellsALateJoinerWhatIsStored) {  // INF-08
  InformerWorld world;
  world.server.Then(ListOf("10", {Item("a", "7")}));
  world.server.Then(
      WatchOf({EventLine("MODIFIED", "a", "11")}).Line(EventLine("ADDED", "b", "12"), Seconds(2)));
  world.RunFor(Seconds(1));
  RecordingHandler late;
  const auto listener = world.informer.AddEventHandler(late, {"late", Seconds(0)});
  ASSERT_TRUE(listener.ok());
  world.RunFor(Seconds(2));
  EXPECT_THAT(late.calls, ElementsAre("add a@11 initial", "add b@12"));
  EXPECT_TRUE((*listener)->HasSynced());
}

TEST(SharedInformer, TellsARemovedHandlerNothingMore) {  // INF-09
  InformerWorld world;
  world.server.Then(ListOf("10", {Item("a", "7")}));
  world.server.Then(WatchOf({}).Line(EventLine("ADDED", "b", "12"), Seconds(2)));
  world.RunFor(Seconds(1));
  world.informer.RemoveEventHandler(world.listener);
  world.informer.RemoveEventHandler(world.listener);
  world.RunFor(Seconds(3));
  EXPECT_THAT(world.handler.calls, ElementsAre("add a@7 initial"));
  EXPECT_TRUE(world.listener->stopped().Ready());
  EXPECT_EQ(world.informer.indexer().size(), 2u);
}

// Removes itself in its first callback.
struct Leaver : RecordingHandler {
  void OnAdd(const ObjectRef& object, bool initial) override {
    RecordingHandler::OnAdd(object, initial);
    informer->RemoveEventHandler(self);
  }
  SharedInformer* informer = nullptr;
  std::shared_ptr<Listener> self;
};

TEST(SharedInformer, DropsWhatWaitsForAHandlerThatRemovesItself) {  // LSN-04
  InformerWorld world;
  Leaver leaver;
  leaver.informer = &world.informer;
  leaver.self = *world.informer.AddEventHandler(leaver, {"leaver", Seconds(0)});
  world.server.Then(ListOf("10", {Item("a", "7"), Item("b", "8")}));
  world.RunFor(Seconds(1));
  EXPECT_THAT(leaver.calls, ElementsAre("add a@7 initial"));
  EXPECT_THAT(world.handler.calls, ElementsAre("add a@7 initial", "add b@8 initial"));
}

TEST(SharedInformer, TakesNoHandlersOnceItHasStopped) {  // INF-02
  InformerWorld world;
  world.server.Then(ListOf("10", {}));
  world.RunFor(Seconds(1));
  world.stop.Set();
  world.RunFor(Seconds(1));
  EXPECT_TRUE(world.informer.stopped());
  RecordingHandler late;
  const auto refused = world.informer.AddEventHandler(late);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message(), HasSubstr("it has stopped already"));
  world.informer.RemoveEventHandler(world.listener);
}

TEST(SharedInformer, GivesUnchangedObjectsOfARelistToHandlersThatSync) {  // INF-07, INF-10
  InformerWorld world;
  world.server.Then(ListOf("10", {Item("a", "7"), Item("b", "8")}));
  world.server.Then(WatchOf({ErrorLine(410, "Expired")}));
  world.server.Then(ListOf("20", {Item("a", "7"), Item("c", "15")}));
  world.RunFor(Seconds(3));
  EXPECT_THAT(world.handler.calls, ElementsAre("add a@7 initial", "add b@8 initial",
                                               "delete b@8 unknown", "update a@7->7", "add c@15"));
}

TEST(SharedInformer, NegotiatesResyncPeriods) {  // INF-05
  InformerWorldOptions options;
  options.informer.resync_check_period = Seconds(30);
  InformerWorld world(std::move(options));
  RecordingHandler handler;
  const auto period = [&](Duration requested) {
    return (*world.informer.AddEventHandler(handler, {"h", requested}))->resync_period;
  };
  EXPECT_EQ(period(Seconds(0)), Seconds(0));
  EXPECT_EQ(period(Seconds(40)), Seconds(40));
  EXPECT_EQ(period(Seconds(20)), Seconds(20));  // lowers the check period
  EXPECT_EQ(period(Millis(10)), Seconds(1));    // the least
  world.Start();
  EXPECT_EQ(period(Millis(10)), Seconds(1));
  InformerWorldOptions never;
  InformerWorld quiet(std::move(never));
  EXPECT_EQ((*quiet.informer.AddEventHandler(handler, {"h", Seconds(5)}))->resync_period,
            Seconds(0));
}

TEST(SharedInformer, TransformsWhatItStores) {  // INF-11
  InformerWorldOptions options;
  int calls = 0;
  options.streaming_list = true;
  options.informer.transform = [&calls](const ObjectRef& object) -> Result<ObjectRef> {
    ++calls;
    Object::Head head;
    head.key = object->key();
    head.resource_version = object->resource_version();
    return ObjectRef(std::make_shared<Object>("{}", std::move(head)));
  };
  InformerWorld world(std::move(options));
  world.server.Then(WatchOf({EventLine("ADDED", "a", "7"), BookmarkLine("10", "true")}));
  world.RunFor(Seconds(1));
  EXPECT_EQ(world.informer.indexer().Get({"default", "a"})->bytes(), "{}");
  EXPECT_EQ(calls, 2);  // WLM-04
}

TEST(SharedInformer, InfersDeletionsInClassicModeToo) {
  InformerWorldOptions options;
  options.informer.atomic_fifo = false;
  InformerWorld world(std::move(options));
  world.server.Then(ListOf("10", {Item("a", "7"), Item("b", "8")}));
  world.server.Then(WatchOf({ErrorLine(410, "Expired")}));
  world.server.Then(ListOf("20", {Item("a", "7")}));
  world.RunFor(Seconds(3));
  EXPECT_THAT(world.handler.calls, ElementsAre("add a@7 initial", "add b@8 initial",
                                               "delete b@8 unknown", "update a@7->7"));
  EXPECT_TRUE(world.listener->HasSynced());
}

TEST(SharedInformer, SyncsInClassicModeOnAnEmptyCollection) {  // RFF-07
  InformerWorldOptions options;
  options.informer.atomic_fifo = false;
  InformerWorld world(std::move(options));
  world.server.Then(ListOf("10", {}));
  world.RunFor(Seconds(1));
  EXPECT_TRUE(world.listener->HasSynced());
}

TEST(SharedInformer, WritesItsStoreIntoTheHistory) {
  InformerWorld world;
  world.server.Then(ListOf("10", {Item("b", "8"), Item("a", "7")}));
  world.RunFor(Seconds(1));
  world.informer.RecordStore(&world.history, "client", world.loop.Now());
  EXPECT_THAT(world.Lines("store", "key"), ElementsAre("default/a", "default/b"));
  EXPECT_THAT(world.Lines("store", "rv"), ElementsAre("7", "8"));
}

TEST(SharedInformer, GivesTheSameHistoryForTheSameChoices) {
  const auto hash = [](uint64_t seed) {
    SeededChoices choices(seed);
    InformerWorldOptions options;
    options.choices = &choices;
    InformerWorld world(std::move(options));
    world.server.Then(ListOf("10", {Item("a", "7")}));
    world.server.Then(WatchOf({EventLine("MODIFIED", "a", "11"), ErrorLine(410, "Expired")}));
    world.server.Then(ListOf("12", {Item("a", "11")}));
    world.RunFor(Seconds(5));
    return world.history.Hash();
  };
  EXPECT_EQ(hash(1), hash(1));
  EXPECT_NE(hash(1), hash(2));
}

TEST(SharedInformer, CanBeDestroyedWhileItRuns) {
  InformerWorld world;
  world.server.Then(ListOf("10", {Item("a", "7")}));
  world.RunFor(Millis(500));
}

}  // namespace shared_informer_test
}  // namespace relist
