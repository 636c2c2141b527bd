// Handlers that come and go: client-go's own tests of its shared informer, on a FakeSource.
#include <gmock/gmock.h>

#include <condition_variable>
#include <mutex>
#include <optional>

#include "core/runtime/socket_port.h"
#include "reflector/informers/event_handler_funcs.h"
#include "reflector/informers/shared_informer.h"
#include "reflector/testing/source_world.h"

namespace relist {
namespace shared_informer_handlers_test {

using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::IsEmpty;
using testing::RecordingHandler;
using testing::SourceBench;
using testing::SourceWorld;

TEST(SharedInformerHandlers,
     AreCountedAndRemovedEachByItsHandle) {  // TestSharedInformerRemoveHandler
  SourceWorld world;
  RecordingHandler other;
  const auto second = *world.informer.AddEventHandler(other);
  EXPECT_EQ(world.informer.handlers(), 2u);
  world.informer.RemoveEventHandler(second);
  EXPECT_EQ(world.informer.handlers(), 1u);
  world.informer.RemoveEventHandler(world.listener);
  EXPECT_EQ(world.informer.handlers(), 0u);
}

TEST(SharedInformerHandlers,
     OfAnotherInformerAreLeftAlone) {  // TestSharedInformerRemoveForeignHandler
  SourceWorld world;
  SourceBench other_bench;
  SharedInformer other(other_bench.loop, other_bench.source, other_bench.Options());
  EXPECT_FALSE(other.IsRegistered(world.listener));
  other.RemoveEventHandler(world.listener);
  EXPECT_TRUE(world.informer.IsRegistered(world.listener));
  EXPECT_EQ(world.informer.handlers(), 1u);
  EXPECT_EQ(other.handlers(), 0u);
}

TEST(SharedInformerHandlers, MayBeAddedSeveralTimes) {  // TestSharedInformerMultipleRegistration
  SourceWorld world;
  const auto again = *world.informer.AddEventHandler(world.handler);
  EXPECT_NE(again, world.listener);
  EXPECT_TRUE(world.informer.IsRegistered(again));
  world.source.Add({.name = "a"});
  world.RunFor(Seconds(1));
  EXPECT_THAT(world.handler.calls, ElementsAre("add a@1 initial", "add a@1 initial"));
  world.informer.RemoveEventHandler(world.listener);
  EXPECT_FALSE(world.informer.IsRegistered(world.listener));
  EXPECT_TRUE(world.informer.IsRegistered(again));
  world.source.Add({.name = "b"});
  world.RunFor(Seconds(1));
  EXPECT_EQ(world.handler.calls.size(), 3u);
}

TEST(SharedInformerHandlers, MayBeRemovedAgain) {  // TestRemovingRemovedSharedInformer
  SourceWorld world;
  world.informer.RemoveEventHandler(world.listener);
  world.informer.RemoveEventHandler(world.listener);
  EXPECT_FALSE(world.informer.IsRegistered(world.listener));
}

TEST(SharedInformerHandlers, AreToldNothingOnceTheyAreRemoved) {  // INF-09, TestRemoveWhileActive
  SourceWorld world;
  world.RunFor(Seconds(1));
  world.source.Add({.name = "a"});
  world.RunFor(Seconds(1));
  EXPECT_THAT(world.handler.calls, ElementsAre("add a@1"));
  world.informer.RemoveEventHandler(world.listener);
  world.source.Add({.name = "b"});
  world.RunFor(Seconds(1));
  EXPECT_THAT(world.handler.calls, ElementsAre("add a@1"));
}

TEST(SharedInformerHandlers, ThatJoinLateSyncOnTheirOwn) {  // INF-08, TestAddWhileActive
  SourceWorld world;
  EXPECT_FALSE(world.listener->HasSynced());
  world.RunFor(Seconds(1));
  world.source.Add({.name = "a"});
  world.RunFor(Seconds(1));
  EXPECT_TRUE(world.listener->HasSynced());
  RecordingHandler late;
  const auto listener = *world.informer.AddEventHandler(late, {"late", Seconds(0)});
  EXPECT_FALSE(listener->HasSynced());
  world.source.Add({.name = "b"});
  world.RunFor(Seconds(1));
  EXPECT_THAT(late.calls, ElementsAre("add a@1 initial", "add b@2"));
  EXPECT_TRUE(listener->HasSynced());
  EXPECT_THAT(world.handler.calls, ElementsAre("add a@1", "add b@2"));
}

TEST(SharedInformerHandlers,
     AreRefusedOnceItHasStopped) {  // INF-02, TestAddOnStoppedSharedInformer
  SourceWorld world;
  world.stop.Set();
  world.RunFor(Seconds(1));
  EXPECT_TRUE(world.informer.stopped());
  RecordingHandler late;
  const auto refused = world.informer.AddEventHandler(late);
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().message(),
              EndsWith("was not added to shared informer because it has stopped already"));
  world.informer.RemoveEventHandler(world.listener);  // TestRemoveOnStoppedSharedInformer
  EXPECT_FALSE(world.informer.IsRegistered(world.listener));
}

TEST(SharedInformerHandlers, MayComeAndGoAllTheTime) {  // TestSharedInformerHandlerAbuse
  SeededChoices choices(7);
  SourceWorld world;
  world.Start();
  ResourceEventHandlerDetailedFuncs funcs({});
  std::vector<std::shared_ptr<Listener>> handles;
  for (int i = 0; i < 2000; ++i) {
    const std::string name = "pod" + std::to_string(choices.Below(20, "pod"));
    switch (choices.Below(5, "what")) {
      case 0:
        world.source.Add({.name = name});
        break;
      case 1:
        world.source.Delete({.name = name});
        break;
      case 2:
        handles.push_back(*world.informer.AddEventHandler(funcs, {"h", Seconds(1)}));
        break;
      case 3:
        if (!handles.empty()) {
          world.informer.RemoveEventHandler(handles.back());
          handles.pop_back();
        }
        break;
      default:
        world.RunFor(Millis(1));
    }
  }
  world.stop.Set();
  world.RunFor(Seconds(1));
  EXPECT_TRUE(world.scope.empty());
}

// Awaits a task, and says when it is over.
Task<void> Note(Task<void> task, bool& over) {
  co_await task;
  over = true;
}

// The same, and whether the handler had come to its end by then.
Task<void> NoteEnd(Task<void> task, std::shared_ptr<Listener> handle, std::optional<bool>& ended) {
  co_await task;
  ended = handle->stopped().Ready();
}

TEST(SharedInformerHandlers, AreShutDownWhenTheirLastCallbackIsOver) {  // INF-09
  SourceWorld world;
  world.source.Add({.name = "a"});
  bool gone = false, used_too_late = false;
  ResourceEventHandlerFuncs funcs(
      {.add_func = [&](const ObjectRef&) { used_too_late = used_too_late || gone; }});
  const auto handle = *world.informer.AddEventHandler(funcs);
  world.Start();
  world.loop.RunUntil([&] { return world.informer.HasSynced(); }, world.loop.Now() + Seconds(1));
  std::optional<bool> ended;
  world.scope.Spawn(NoteEnd(world.informer.ShutDownEventHandler(handle), handle, ended));
  world.loop.RunUntil([&] { return ended.has_value(); }, world.loop.Now() + Seconds(1));
  EXPECT_EQ(ended, true);
  gone = true;
  world.source.Add({.name = "b"});
  world.RunFor(Seconds(1));
  EXPECT_FALSE(used_too_late);
}

// Stays in its first callback until it is let out.
class Gate : public RecordingHandler {
 public:
  void OnAdd(const ObjectRef&, bool) override {
    std::unique_lock lock(mutex_);
    inside_ = true;
    changed_.notify_all();
    while (!open_) changed_.wait(lock);
    inside_ = false;
  }
  void AwaitCallback() {
    std::unique_lock lock(mutex_);
    while (!inside_) changed_.wait(lock);
  }
  void Open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }
  bool inside() {
    const std::lock_guard lock(mutex_);
    return inside_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool inside_ = false, open_ = false;
};

TEST(SharedInformerHandlers, OnAThreadAreShutDownAfterTheCallbackInProgress) {  // INF-09
  // TestRemoveEventHandler_SynchronousShutdown
  SocketPort port;
  Loop loop(port);
  BoringChoices boring;
  testing::FakeSource source;
  source.Add({.name = "a"});
  Gate gate;
  InformerOptions options;
  options.reflector.choices = &boring;
  options.handler_threads = HandlerThreads::kOwnThread;
  SharedInformer informer(loop, source, options);
  const auto handle = *informer.AddEventHandler(gate);
  Signal stop;
  TaskScope scope(loop);
  scope.Spawn(informer.Run(stop));
  loop.RunUntil([&] { return informer.HasSynced(); }, loop.Now() + Seconds(60));
  gate.AwaitCallback();
  std::optional<bool> ended;
  scope.Spawn(NoteEnd(informer.ShutDownEventHandler(handle), handle, ended));
  loop.RunUntil([&] { return ended.has_value(); }, loop.Now() + Millis(20));
  EXPECT_FALSE(ended.has_value());
  gate.Open();
  loop.RunUntil([&] { return ended.has_value(); }, loop.Now() + Seconds(60));
  EXPECT_EQ(ended, true);
  EXPECT_FALSE(gate.inside());
  stop.Set();
  EXPECT_TRUE(loop.RunUntil([&] { return scope.empty(); }, loop.Now() + Seconds(60)));
}

TEST(SharedInformerHandlers, AreShutDownAtOnceWhereNothingRuns) {
  // TestShutDownEventHandler_Lifecycles
  SourceWorld never_started;
  bool over = false;
  never_started.scope.Spawn(
      Note(never_started.informer.ShutDownEventHandler(never_started.listener), over));
  EXPECT_TRUE(over);

  SourceWorld running;
  running.RunFor(Seconds(1));
  RecordingHandler late;
  const auto handle = *running.informer.AddEventHandler(late);
  for (const auto& which : {handle, running.listener, running.listener}) {
    over = false;
    running.scope.Spawn(Note(running.informer.ShutDownEventHandler(which), over));
    running.RunFor(Millis(1));
    EXPECT_TRUE(over);
    EXPECT_TRUE(which->stopped().Ready());
  }

  SourceWorld other;  // somebody else's: at once, and it goes on
  over = false;
  running.scope.Spawn(Note(running.informer.ShutDownEventHandler(other.listener), over));
  EXPECT_TRUE(over);
  EXPECT_TRUE(other.informer.IsRegistered(other.listener));
}

TEST(SharedInformerHandlers, AreKeptByTheirHandleWhereItIsAskedTo) {
  SourceWorld world;
  std::vector<std::string> names;
  const auto handle = *world.informer.AddEventHandler(
      std::make_shared<ResourceEventHandlerFuncs>(ResourceEventHandlerFuncs::Funcs{
          .add_func = [&names](const ObjectRef& object) { names.push_back(object->key().name); }}));
  world.source.Add({.name = "a"});
  world.RunFor(Seconds(1));
  EXPECT_THAT(names, ElementsAre("a"));
}

}  // namespace shared_informer_handlers_test
}  // namespace relist
