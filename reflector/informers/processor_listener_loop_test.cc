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

TEST(ListenerOnTheLoop, TakesAsLongForACallAsItIsTold) {
  Bench bench;
  History history;
  const auto slow = std::make_shared<Listener>(
      bench.loop, bench.handler,
      ListenerOptions{.name = "h",
                      .recorder = std::make_shared<Recorder>(bench.loop, &history, "client"),
                      .call_takes = Seconds(1)});
  slow->Start(bench.scope);
  for (const char* name : {"a", "b"}) slow->Add(Noted(name, true));
  slow->UpstreamSynced();
  bench.RunFor(Millis(500));
  EXPECT_THAT(bench.handler.calls, ElementsAre("add a@1 initial"));
  EXPECT_EQ(slow->backlog(), 2u) << "the call in progress counts";
  bench.RunFor(Seconds(1));
  EXPECT_EQ(bench.handler.calls.size(), 2u);
  EXPECT_FALSE(slow->HasSynced()) << "the last call has not returned";
  bench.RunFor(Seconds(1));
  EXPECT_TRUE(slow->HasSynced());
  EXPECT_TRUE(slow->synced().Ready());
  EXPECT_EQ(slow->backlog(), 0u);
  std::vector<std::string> lines;
  for (const HistoryEntry& entry : history.entries())
    lines.push_back(FormatSeconds(entry.when() - history.start()) + " " + entry.what());
  EXPECT_THAT(lines, ElementsAre("0.000 callback", "1.000 callback", "2.000 synced"));
  // Stopping ends the call, and what waits is dropped.
  for (const char* name : {"c", "d"}) slow->Add(Noted(name));
  slow->Flush();
  bench.RunFor(Millis(100));
  slow->Stop();
  bench.RunFor(Millis(100));
  EXPECT_TRUE(slow->stopped().Ready());
  EXPECT_EQ(bench.handler.calls.size(), 3u);
}

TEST(ListenerOnTheLoop, TellsTheHistoryWhatItsHandlerThrewAt) {
  Bench bench;
  History history;
  const auto listener = std::make_shared<Listener>(
      bench.loop, bench.handler,
      ListenerOptions{.name = "h",
                      .recorder = std::make_shared<Recorder>(bench.loop, &history, "client"),
                      .crash_on_panic = false});
  listener->Start(bench.scope);
  for (const char* name : {"bad", "a"}) listener->Add(Noted(name));
  listener->Flush();
  bench.RunFor(Seconds(2));
  ASSERT_EQ(history.entries().size(), 3u);
  const HistoryEntry& panic = history.entries()[1];
  EXPECT_EQ(panic.what(), "panic");
  EXPECT_EQ(panic.Get("handler"), "h");
  EXPECT_EQ(panic.Get("key"), "default/bad");
  EXPECT_EQ(panic.Get("message"), "fake panic");
  listener->Stop();
  bench.RunFor(Millis(1));
}

}  // namespace processor_listener_loop_test
}  // namespace relist
