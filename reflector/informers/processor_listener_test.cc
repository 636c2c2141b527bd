#include "reflector/informers/processor_listener.h"

#include <gmock/gmock.h>

#include <atomic>
#include <mutex>
#include <stdexcept>

#include "core/runtime/sim_port.h"
#include "core/runtime/socket_port.h"
#include "reflector/informers/processor.h"

namespace relist {
namespace processor_listener_test {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::StartsWith;

Notification Added(const std::string& name, bool initial = false) {
  Object::Head head;
  head.key.name = name;
  Notification out;
  out.object = std::make_shared<Object>("{}", std::move(head));
  out.initial = initial;
  return out;
}

// Waits in its first callback until it is let go.
class SlowHandler : public ResourceEventHandler {
 public:
  void OnAdd(const ObjectRef& object, bool) override {
    std::unique_lock lock(mutex_);
    in_callback_ = true;
    changed_.notify_all();
    while (!let_go_) changed_.wait(lock);
    calls_.push_back(object->key().name);
  }
  void OnUpdate(const ObjectRef&, const ObjectRef&) override {}
  void OnDelete(const Deleted&) override {}
  void LetGo() {
    std::lock_guard lock(mutex_);
    let_go_ = true;
    changed_.notify_all();
  }
  void AwaitCallback() {
    std::unique_lock lock(mutex_);
    while (!in_callback_) changed_.wait(lock);
  }
  std::vector<std::string> calls() {
    std::lock_guard lock(mutex_);
    return calls_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool in_callback_ = false, let_go_ = false;
  std::vector<std::string> calls_;
};

struct RealLoop {
  explicit RealLoop(double rate = 1) : port({.rate = rate}), loop(port), scope(loop) {}
  bool Until(const std::function<bool()>& done) {
    // A callback on a thread of its own does not wake the loop.
    const TimePoint limit = loop.Now() + Seconds(60);
    while (loop.Now() < limit) {
      if (loop.RunUntil(done, loop.Now() + Millis(5))) return true;
    }
    return false;
  }
  SocketPort port;
  Loop loop;
  TaskScope scope;
};

std::shared_ptr<Listener> Threaded(RealLoop& real, ResourceEventHandler& handler,
                                   std::shared_ptr<Log> log = nullptr) {
  auto listener = std::make_shared<Listener>(
      real.loop, handler,
      ListenerOptions{.name = "h", .threads = HandlerThreads::kOwnThread, .log = log});
  listener->Start(real.scope);
  return listener;
}

TEST(Listener, WithASlowHandlerHoldsUpNobodyElse) {  // LSN-01
  RealLoop real;
  SlowHandler slow, quick;
  quick.LetGo();
  Processor processor;
  processor.Add(Threaded(real, slow), nullptr);
  processor.Add(Threaded(real, quick), nullptr);
  for (const char* name : {"a", "b", "c"}) processor.Distribute(Added(name), false);
  processor.Flush();
  ASSERT_TRUE(real.Until([&] { return quick.calls().size() == 3; }));
  EXPECT_THAT(slow.calls(), ElementsAre());
  slow.LetGo();
  ASSERT_TRUE(real.Until([&] { return slow.calls().size() == 3; }));
  EXPECT_THAT(slow.calls(), ElementsAre("a", "b", "c"));
  processor.StopAll();
}

TEST(Listener, FinishesTheCallbackInProgressAndDropsTheRestWhenStopped) {  // LSN-04
  RealLoop real;
  SlowHandler slow;
  const auto listener = Threaded(real, slow);
  listener->Add(Added("a"));
  listener->Add(Added("b"));
  listener->Flush();
  slow.AwaitCallback();
  listener->Add(Added("c"));
  listener->Flush();
  EXPECT_EQ(listener->backlog(), 2u);
  listener->Stop();
  EXPECT_FALSE(listener->stopped().Ready());
  slow.LetGo();
  ASSERT_TRUE(real.Until([&] { return listener->stopped().Ready(); }));
  EXPECT_THAT(slow.calls(), ElementsAre("a"));
}

// Lets "a" pass, and waits in whatever comes after it.
class SecondIsSlow : public SlowHandler {
 public:
  void OnAdd(const ObjectRef& object, bool initial) override {
    if (object->key().name != "a") SlowHandler::OnAdd(object, initial);
  }
};

TEST(Listener, TellsTheHistoryThatItHasSyncedAfterTheCallbacksOfItsThread) {
  RealLoop real;
  SecondIsSlow handler;
  History history;
  const auto listener = std::make_shared<Listener>(
      real.loop, handler,
      ListenerOptions{.name = "h",
                      .threads = HandlerThreads::kOwnThread,
                      .recorder = std::make_shared<Recorder>(real.loop, &history, "client")});
  listener->Start(real.scope);
  listener->Add(Added("a", /*initial=*/true));
  listener->Add(Added("b"));
  listener->Flush();
  handler.AwaitCallback();  // "a" has returned, but its line is still on the thread
  listener->UpstreamSynced();
  EXPECT_TRUE(listener->HasSynced());
  EXPECT_FALSE(listener->synced().Ready());
  handler.LetGo();
  ASSERT_TRUE(real.Until([&] { return listener->synced().Ready(); }));
  std::vector<std::string> lines;
  for (const HistoryEntry& entry : history.entries()) lines.push_back(entry.what());
  EXPECT_THAT(lines, ElementsAre("callback", "callback", "synced"));
  listener->Stop();
}

TEST(Listener, HasSyncedWhenTheLastInitialCallbackHasReturned) {  // INF-04, LSN-05
  RealLoop real;
  SlowHandler slow;
  const auto listener = Threaded(real, slow);
  listener->Add(Added("a", /*initial=*/true));
  listener->UpstreamSynced();
  slow.AwaitCallback();
  EXPECT_FALSE(listener->HasSynced());
  slow.LetGo();
  ASSERT_TRUE(real.Until([&] { return listener->synced().Ready(); }));
  EXPECT_TRUE(listener->HasSynced());
  EXPECT_THAT(slow.calls(), ElementsAre("a"));
}

// Throws in OnAdd of "bad".
class ThrowingHandler : public ResourceEventHandler {
 public:
  void OnAdd(const ObjectRef& object, bool) override {
    const std::lock_guard lock(mutex_);
    if (object->key().name == "bad") throw std::runtime_error("fake panic");
    calls_.push_back(object->key().name);
  }
  void OnUpdate(const ObjectRef&, const ObjectRef&) override {}
  void OnDelete(const Deleted&) override {}
  std::vector<std::string> calls() {
    const std::lock_guard lock(mutex_);
    return calls_;
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> calls_;
};

TEST(Listener, WhoseHandlerThrewOnItsThreadIsToldTheRestAfterASecond) {  // LSN-06
  RealLoop real(60);
  ThrowingHandler handler;
  const auto log = std::make_shared<CollectedLog>();
  const auto listener = std::make_shared<Listener>(
      real.loop, handler,
      ListenerOptions{
          .name = "h", .threads = HandlerThreads::kOwnThread, .log = log, .crash_on_panic = false});
  listener->Start(real.scope);
  const TimePoint start = real.port.Now();
  for (const char* name : {"bad", "bad", "a"}) listener->Add(Added(name));
  listener->UpstreamSynced();
  ASSERT_TRUE(real.Until([&] { return handler.calls().size() == 1; }));
  EXPECT_GE(real.port.Now() - start, Seconds(2));
  EXPECT_EQ(log->lines().size(), 2u);
  // Stopping ends the pause.
  listener->Add(Added("bad"));
  listener->Add(Added("b"));
  listener->Flush();
  ASSERT_TRUE(real.Until([&] { return log->lines().size() == 3; }));
  listener->Stop();
  ASSERT_TRUE(real.Until([&] { return listener->stopped().Ready(); }));
  EXPECT_THAT(handler.calls(), ElementsAre("a"));
}

TEST(Listener, OnItsThreadTakesAsLongForACallAsItIsToldAndTellsEachAtOnce) {
  RealLoop real(60);
  ThrowingHandler handler;
  History history;
  const auto listener = std::make_shared<Listener>(
      real.loop, handler,
      ListenerOptions{.name = "h",
                      .threads = HandlerThreads::kOwnThread,
                      .recorder = std::make_shared<Recorder>(real.loop, &history, "client"),
                      .crash_on_panic = false,
                      .call_takes = Seconds(5)});
  listener->Start(real.scope);
  const TimePoint start = real.port.Now();
  for (const char* name : {"a", "b", "bad"}) listener->Add(Added(name, /*initial=*/true));
  listener->UpstreamSynced();
  ASSERT_TRUE(real.Until([&] { return history.entries().size() == 4; }));
  EXPECT_GE(real.port.Now() - start, Seconds(10));
  EXPECT_GE(history.entries()[1].when() - history.entries()[0].when(), Seconds(4));
  std::vector<std::string> lines;
  for (const HistoryEntry& entry : history.entries()) lines.push_back(entry.what());
  EXPECT_THAT(lines, ElementsAre("callback", "callback", "callback", "panic"));
  EXPECT_FALSE(listener->HasSynced()) << "it threw at an initial object";
  listener->Add(Added("c"));
  listener->Flush();
  listener->Stop();
  ASSERT_TRUE(real.Until([&] { return listener->stopped().Ready(); }));
  EXPECT_THAT(handler.calls(), ElementsAre("a", "b"));
}

// Takes a tenth of a second for "slow".
class LateHandler : public ResourceEventHandler {
 public:
  explicit LateHandler(SocketPort& port) : port_(port) {}
  void OnAdd(const ObjectRef& object, bool) override {
    const TimePoint start = port_.Now();
    while (object->key().name == "slow" && port_.Now() - start < Millis(100)) {
    }
    ++calls;
  }
  void OnUpdate(const ObjectRef&, const ObjectRef&) override {}
  void OnDelete(const Deleted&) override {}
  std::atomic<int> calls = 0;

 private:
  SocketPort& port_;
};

TEST(Listener, TellsOfASlowHandlerWhereManyWait) {
  RealLoop real(10);
  LateHandler handler(real.port);
  const auto log = std::make_shared<CollectedLog>();
  const auto listener = Threaded(real, handler, log);
  listener->Add(Added("slow"));
  for (int i = 0; i < 1024; ++i) listener->Add(Added("quick"));
  listener->Flush();
  ASSERT_TRUE(real.Until([&] { return handler.calls == 1025; }));
  EXPECT_THAT(log->lines(), ElementsAre());  // 1,024 are not many
  listener->Add(Added("slow"));
  for (int i = 0; i < 1025; ++i) listener->Add(Added("quick"));
  listener->Flush();
  ASSERT_TRUE(real.Until([&] { return handler.calls == 2051; }));
  EXPECT_THAT(log->lines(),
              ElementsAre(AllOf(StartsWith("W SharedInformer: handler h took "),
                                EndsWith("s for OnAdd of slow, and 1025 notifications wait"))));
  listener->Stop();
}

TEST(Listener, OnTheLoopIsToldInOrder) {
  SimPort port;
  Loop loop(port);
  SlowHandler handler;
  handler.LetGo();
  TaskScope scope(loop);
  const auto listener = std::make_shared<Listener>(loop, handler, ListenerOptions{.name = "h"});
  listener->Start(scope);
  listener->Add(Added("a", true));
  listener->Add(Added("b"));
  listener->UpstreamSynced();
  EXPECT_FALSE(listener->HasSynced());
  loop.RunUntil([] { return false; }, loop.Now() + Seconds(1));
  EXPECT_THAT(handler.calls(), ElementsAre("a", "b"));
  EXPECT_TRUE(listener->HasSynced());
  listener->Stop();
  loop.RunUntil([] { return false; }, loop.Now() + Seconds(1));
  EXPECT_TRUE(listener->stopped().Ready());
  EXPECT_TRUE(scope.empty());
}

TEST(Processor, GivesSyncNotificationsOnlyToThoseWhoAreSyncing) {  // LSN-03, INF-06
  SimPort port;
  Loop loop(port);
  SlowHandler handler;
  handler.LetGo();
  Processor processor;
  const auto due = std::make_shared<Listener>(loop, handler, ListenerOptions{.name = "d"});
  const auto not_due = std::make_shared<Listener>(loop, handler, ListenerOptions{.name = "n"});
  processor.Add(due, nullptr);
  processor.Add(not_due, nullptr);
  EXPECT_TRUE(due->syncing && not_due->syncing);
  due->requested_resync = Seconds(5);
  not_due->requested_resync = Seconds(50);
  processor.ResyncPeriodChanged(Seconds(5), loop.Now());
  EXPECT_TRUE(processor.ShouldResync(loop.Now() + Seconds(5)));
  EXPECT_TRUE(due->syncing);
  EXPECT_FALSE(not_due->syncing);
  processor.Distribute(Added("sync"), /*sync=*/true);
  processor.Distribute(Added("change"), /*sync=*/false);
  processor.Flush();
  EXPECT_EQ(due->backlog(), 2u);
  EXPECT_EQ(not_due->backlog(), 1u);
  EXPECT_FALSE(processor.ShouldResync(loop.Now() + Seconds(6)));
  EXPECT_TRUE(processor.Remove(due));
  EXPECT_FALSE(processor.Remove(due));
}

}  // namespace processor_listener_test
}  // namespace relist
