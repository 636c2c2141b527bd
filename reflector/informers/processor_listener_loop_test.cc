// Listeners whose handler is called on the loop, on virtual time.
#include <gmock/gmock.h>

#include <stdexcept>

#include "core/runtime/sim_port.h"
#include "reflector/informers/processor.h"
#include "reflector/informers/processor_listener.h"
#include "reflector/testing/fake_source.h"
#include "reflector/testing/informer_world.h"

namespace relist {
namespace processor_listener_loop_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MakeObject;
using testing::RecordingHandler;

Notification Noted(const std::string& name, bool initial = false) {
  Notification out;
  out.object = MakeObject({.name = name}, "1");
  out.initial = initial;
  return out;
}

// Throws in every OnAdd of "bad"; other things than exceptions in that of "worse".
struct PanickingHandler : RecordingHandler {
  void OnAdd(const ObjectRef& object, bool initial) override {
    if (object->key().name == "bad") throw std::runtime_error("fake panic");
    if (object->key().name == "worse") throw 7;
    RecordingHandler::OnAdd(object, initial);
  }
};

struct Bench {
  explicit Bench(bool crash_on_panic = true)
      : loop(port),
        log(std::make_shared<CollectedLog>()),
        listener(std::make_shared<Listener>(
            loop, handler,
            ListenerOptions{.name = "h", .log = log, .crash_on_panic = crash_on_panic})),
        scope(loop) {}

  void RunFor(Duration d) {
    loop.RunUntil([] { return false; }, loop.Now() + d);
  }

  SimPort port;
  Loop loop;
  std::shared_ptr<CollectedLog> log;
  PanickingHandler handler;
  std::shared_ptr<Listener> listener;
  TaskScope scope;
};

TEST(ListenerOnTheLoop, HoldsUpNobodyWhoAddsToIt) {  // LSN-01
  Bench bench;
  bench.listener->Start(bench.scope);
  bench.RunFor(Millis(1));
  bench.listener->Add(Noted("a"));
  bench.listener->Flush();
  EXPECT_THAT(bench.handler.calls, IsEmpty());
  EXPECT_EQ(bench.listener->backlog(), 1u);
  bench.RunFor(Millis(1));
  EXPECT_THAT(bench.handler.calls, ElementsAre("add a@1"));
  EXPECT_EQ(bench.listener->backlog(), 0u);
}

TEST(ListenerOnTheLoop, KeepsWhatCameBeforeItWasStarted) {  // LSN-02
  Bench bench;
  bench.listener->Add(Noted("a", true));
  bench.listener->Flush();
  bench.RunFor(Seconds(1));
  EXPECT_THAT(bench.handler.calls, IsEmpty());
  bench.listener->Start(bench.scope);
  bench.listener->Add(Noted("b"));
  bench.listener->Flush();
  bench.RunFor(Millis(1));
  EXPECT_THAT(bench.handler.calls, ElementsAre("add a@1 initial", "add b@1"));
}

TEST(ListenerOnTheLoop, DropsWhatWaitsWhenItIsStopped) {  // LSN-04
  Bench bench;
  bench.listener->Start(bench.scope);
  bench.listener->Add(Noted("a"));
  bench.listener->Flush();
  bench.listener->Stop();
  EXPECT_EQ(bench.listener->backlog(), 0u);
  bench.listener->Add(Noted("b"));
  bench.listener->Flush();
  bench.RunFor(Seconds(1));
  EXPECT_THAT(bench.handler.calls, IsEmpty());
  EXPECT_TRUE(bench.listener->stopped().Ready());
}

TEST(ListenerOnTheLoop, CountsInitialAddsFromQueueToReturn) {  // LSN-05, INF-04
  Bench bench;
  bench.listener->Start(bench.scope);
  bench.listener->Add(Noted("a", true));
  bench.listener->Add(Noted("b"));
  bench.listener->UpstreamSynced();
  EXPECT_FALSE(bench.listener->HasSynced());
  EXPECT_FALSE(IsDone(bench.listener->synced_checker()));
  bench.RunFor(Millis(1));
  EXPECT_TRUE(bench.listener->HasSynced());
  EXPECT_TRUE(IsDone(bench.listener->synced_checker()));
  EXPECT_EQ(bench.listener->synced_checker().name, "SharedInformer + event handler h");
}

TEST(ListenerOnTheLoop, KeepsTheOrderOfItsBatches) {  // LSN-07
  Bench bench;
  Notification update = Noted("a");
  update.type = Notification::Type::kModified;
  update.old_object = update.object;
  Notification gone = Noted("a");
  gone.type = Notification::Type::kDeleted;
  for (const Notification& next : {Noted("a", true), update, gone}) {
    bench.listener->Add(next);
    bench.listener->Flush();
  }
  bench.listener->Start(bench.scope);
  bench.RunFor(Millis(1));
  EXPECT_THAT(bench.handler.calls, ElementsAre("add a@1 initial", "update a@1->1", "delete a@1"));
}

TEST(ListenerOnTheLoop, LetsWhatAHandlerThrowsOutOfTheLoop) {  // LSN-06
  Bench bench;
  bench.listener->Start(bench.scope);
  bench.listener->Add(Noted("bad"));
  bench.listener->Flush();
  EXPECT_THROW(bench.RunFor(Millis(1)), std::runtime_error);
}

TEST(ListenerOnTheLoop, SkipsWhatAHandlerThrewAtWhereItIsToldTo) {  // LSN-06, TestEventPanics
  Bench bench(/*crash_on_panic=*/false);
  bench.listener->Start(bench.scope);
  for (const char* name : {"a", "bad", "worse", "b"}) bench.listener->Add(Noted(name));
  bench.listener->Flush();
  bench.RunFor(Millis(900));
  EXPECT_THAT(bench.handler.calls, ElementsAre("add a@1"));
  EXPECT_EQ(bench.log->lines().size(), 1u);
  bench.RunFor(Millis(1000));
  EXPECT_EQ(bench.log->lines().size(), 2u);
  bench.RunFor(Millis(1000));
  EXPECT_THAT(bench.handler.calls, ElementsAre("add a@1", "add b@1"));
  EXPECT_THAT(
      bench.log->lines(),
      ElementsAre("E SharedInformer: handler h threw in OnAdd of default/bad, which it will not "
                  "see again: fake panic",
                  "E SharedInformer: handler h threw in OnAdd of default/worse, which it will not "
                  "see again: something that is no std::exception"));
}

TEST(ListenerOnTheLoop, NeverSyncsAfterAnInitialAddThatThrew) {  // LSN-06
  Bench bench(/*crash_on_panic=*/false);
  bench.listener->Start(bench.scope);
  bench.listener->Add(Noted("bad", true));
  bench.listener->Add(Noted("a", true));
  bench.listener->UpstreamSynced();
  bench.RunFor(Seconds(60));
  EXPECT_THAT(bench.handler.calls, ElementsAre("add a@1 initial"));
  EXPECT_FALSE(bench.listener->HasSynced());
  bench.listener->Stop();
  bench.RunFor(Millis(1));
  EXPECT_TRUE(bench.listener->stopped().Ready());
}

}  // namespace processor_listener_loop_test
}  // namespace relist
