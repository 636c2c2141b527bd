#include "reflector/informers/unshared_informer.h"

#include <gmock/gmock.h>

#include <map>
#include <stdexcept>

#include "reflector/informers/event_handler_funcs.h"
#include "reflector/testing/source_world.h"

namespace relist {
namespace unshared_informer_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::RecordingHandler;
using testing::SourceBench;

struct Bench : SourceBench {
  void Run(UnsharedInformer& informer, Duration d) {
    if (!started) scope.Spawn(informer.Run(stop));
    started = true;
    RunFor(d);
  }
  Signal stop;
  TaskScope scope{loop};
  bool started = false;
};

TEST(UnsharedInformer, TellsItsHandlerWhileItProcesses) {  // CTL-08
  Bench bench;
  std::vector<std::string> told;
  UnsharedInformer* self = nullptr;
  ResourceEventHandlerDetailedFuncs handler(
      {.add_func = [&](const ObjectRef& object, bool initial) {
        told.push_back(object->key().name + (initial ? " initial" : "") +
                       (self->HasSynced() ? " synced" : ""));
      }});
  UnsharedInformer informer(bench.loop, bench.source, handler, bench.Options());
  self = &informer;
  bench.source.Add({.name = "a"});
  bench.source.Add({.name = "b"});
  EXPECT_FALSE(informer.HasSynced());
  bench.Run(informer, Seconds(1));
  EXPECT_TRUE(informer.HasSynced());
  EXPECT_TRUE(informer.synced().Ready());
  bench.source.Add({.name = "c"});
  bench.Run(informer, Seconds(1));
  // Nobody can see "synced" before the last initial callback has returned.
  EXPECT_THAT(told, ElementsAre("a initial", "b initial", "c synced"));
  EXPECT_EQ(informer.last_sync_resource_version(), "3");
}

TEST(UnsharedInformer, AbandonsWhatIsQueuedWhenItIsStopped) {  // CTL-02
  Bench bench;
  std::vector<std::string> told;
  ResourceEventHandlerFuncs handler({.add_func = [](const ObjectRef&) {},
                                     .update_func =
                                         [&](const ObjectRef&, const ObjectRef& object) {
                                           told.push_back(object->resource_version());
                                           bench.stop.Set();
                                         }});
  UnsharedInformer informer(bench.loop, bench.source, handler, bench.Options());
  bench.source.Add({.name = "a"});
  bench.Run(informer, Seconds(1));
  // A key is in a batch once: these are three.
  for (int i = 0; i < 3; ++i) bench.source.Modify({.name = "a"});
  bench.Run(informer, Seconds(1));
  EXPECT_THAT(told, ElementsAre("2"));
  EXPECT_TRUE(bench.scope.empty());
}

TEST(UnsharedInformer, LetsOutWhatItsHandlerThrows) {  // CTL-02, TestPanicPropagated
  Bench bench;
  ResourceEventHandlerFuncs handler(
      {.add_func = [](const ObjectRef&) { throw std::runtime_error("Just a test."); }});
  UnsharedInformer informer(bench.loop, bench.source, handler, bench.Options());
  bench.source.Add({.name = "a"});
  EXPECT_THROW(bench.Run(informer, Seconds(1)), std::runtime_error);
}

TEST(UnsharedInformer, TransformsWhatItStoresAndTells) {  // TestTransformingInformer
  Bench bench;
  RecordingHandler handler;
  InformerOptions options = bench.Options();
  options.transform = [](const ObjectRef& object) -> Result<ObjectRef> {
    Object::Head head;
    head.key = object->key();
    head.resource_version = "new-" + object->resource_version();
    return ObjectRef(std::make_shared<Object>("{}", std::move(head)));
  };
  UnsharedInformer informer(bench.loop, bench.source, handler, options);
  bench.source.Add({.name = "pod1"});
  bench.source.Modify({.name = "pod1"});
  bench.Run(informer, Seconds(1));
  bench.source.Add({.name = "pod2"});
  bench.source.Add({.name = "pod3"});
  bench.source.Modify({.name = "pod2"});
  bench.source.Delete({.name = "pod1"});
  bench.Run(informer, Seconds(1));
  EXPECT_THAT(handler.calls,
              ElementsAre("add pod1@new-2 initial", "add pod2@new-3", "add pod3@new-4",
                          "update pod2@new-3->new-5", "delete pod1@new-6"));
  EXPECT_EQ(informer.store().Get({"default", "pod2"})->resource_version(), "new-5");
  EXPECT_EQ(informer.store().size(), 2u);
}

TEST(UnsharedInformer, TransformsNothingTwiceAtAResync) {  // TestTransformingInformerRace
  Bench bench;
  RecordingHandler handler;
  InformerOptions options = bench.Options();
  options.resync_check_period = Seconds(1);
  int transformed = 0;
  options.transform = [&transformed](const ObjectRef& object) -> Result<ObjectRef> {
    ++transformed;
    return object;
  };
  UnsharedInformer informer(bench.loop, bench.source, handler, options);
  bench.source.Add({.name = "a"});
  bench.source.Add({.name = "b"});
  bench.Run(informer, Millis(2500));
  EXPECT_EQ(transformed, 2);
  // Resyncs reach the one handler, whoever it is.
  EXPECT_THAT(handler.calls, ElementsAre("add a@1 initial", "add b@2 initial", "update a@1->1",
                                         "update b@2->2", "update a@1->1", "update b@2->2"));
}

TEST(UnsharedInformer,
     GivesEachKeyAnAddThenUpdatesThenADelete) {  // TestHammerController, TestUpdate
  Bench bench;
  SeededChoices choices(11);
  std::map<std::string, bool> there;
  int wrong = 0;
  ResourceEventHandlerFuncs handler(
      {.add_func = [&](const ObjectRef& o) { wrong += std::exchange(there[o->key().name], true); },
       .update_func = [&](const ObjectRef&, const ObjectRef& o) { wrong += !there[o->key().name]; },
       .delete_func = [&](const Deleted& d) { there[d.key.name] = false; }});
  InformerOptions options = bench.Options();
  options.resync_check_period = Seconds(1);
  UnsharedInformer informer(bench.loop, bench.source, handler, options);
  for (int i = 0; i < 1000; ++i) {
    const std::string name = "pod" + std::to_string(choices.Below(10, "pod"));
    switch (choices.Below(6, "what")) {
      case 0:
        bench.source.Delete({.name = name});
        break;
      case 1:
        bench.source.ModifyDropWatch({.name = name});
        break;
      case 2:
        bench.source.DeleteDropWatch({.name = name});
        if (choices.Below(10, "reset") == 0) bench.source.ResetWatch();
        break;
      case 3:
        bench.Run(informer, Millis(static_cast<int64_t>(choices.Below(700, "pause"))));
        break;
      default:
        bench.source.Modify({.name = name});
    }
  }
  bench.source.ResetWatch();
  bench.Run(informer, Seconds(60));
  EXPECT_EQ(wrong, 0);
  size_t left = 0;
  for (const auto& [name, is_there] : there) left += is_there;
  EXPECT_EQ(left, informer.store().size());
}

TEST(UnsharedInformer, HasTheIndexesThatItIsMadeWith) {  // NewIndexerInformer
  Bench bench;
  RecordingHandler handler;
  InformerOptions options = bench.Options();
  options.indexers["namespace"] = IndexByNamespace;
  UnsharedInformer informer(bench.loop, bench.source, handler, options);
  bench.source.Add({.name = "a", .ns = "x"});
  bench.source.Add({.name = "b", .ns = "y"});
  bench.Run(informer, Seconds(1));
  EXPECT_EQ(informer.store().ByIndex("namespace", "x")->size(), 1u);
}

}  // namespace unshared_informer_test
}  // namespace relist
