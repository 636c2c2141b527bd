#include "core/runtime/task.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "core/runtime/loop.h"
#include "core/runtime/sim_port.h"

namespace relist::task_test {

class TaskTest : public testing::Test {
 protected:
  bool Finish() {
    return loop.RunUntil([this] { return scope.empty(); });
  }
  SimPort port;
  Loop loop{port};
  std::vector<std::string> log;
  TaskScope scope{loop};
};
using Log = std::vector<std::string>;

Task<void> Say(Log* log, std::string word) {
  log->push_back(std::move(word));
  co_return;
}

Task<int> SleepThenGive(Loop& loop, Duration d, int value) {
  Task<void> sleep = Sleep(loop, d);
  co_await sleep;
  co_return value;
}

Task<void> AwaitInline(Log* log) {
  log->push_back("before");
  Task<void> child = Say(log, "child");
  co_await child;
  log->push_back("after");
}

TEST_F(TaskTest, RunsInlineUpToItsFirstWait) {
  scope.Spawn(AwaitInline(&log));
  EXPECT_EQ(log, (Log{"before", "child", "after"})) << "no turn of the loop was needed";
  EXPECT_TRUE(scope.empty());
}

TEST_F(TaskTest, DoesNotStartBeforeItIsAwaited) {
  {
    Task<void> never = Say(&log, "never");
  }
  EXPECT_TRUE(log.empty());
}

Task<void> AwaitLater(Loop& loop, Log* log) {
  Task<int> child = SleepThenGive(loop, Seconds(1), 42);
  const int got = co_await child;
  log->push_back("got " + std::to_string(got));
}

TEST_F(TaskTest, GoesOnWhenAChildFinishesLater) {
  scope.Spawn(AwaitLater(loop, &log));
  EXPECT_TRUE(log.empty());
  EXPECT_FALSE(scope.empty());
  EXPECT_TRUE(Finish());
  EXPECT_EQ(log, (Log{"got 42"}));
  EXPECT_EQ(loop.Now(), kSimulationEpoch + Seconds(1));
}

Task<std::unique_ptr<int>> GiveMoveOnly() {
  co_return std::make_unique<int>(7);
}
Task<void> TakeMoveOnly(Log* log) {
  Task<std::unique_ptr<int>> child = GiveMoveOnly();
  const std::unique_ptr<int> got = co_await child;
  log->push_back(std::to_string(*got));
}

TEST_F(TaskTest, MayGiveAValueThatOnlyMoves) {
  scope.Spawn(TakeMoveOnly(&log));
  EXPECT_EQ(log, (Log{"7"}));
}

Task<int> Deep(Loop& loop, int levels) {
  if (levels == 0) {
    Task<int> leaf = SleepThenGive(loop, Millis(1), 0);
    co_return co_await leaf;
  }
  Task<int> next = Deep(loop, levels - 1);
  const int below = co_await next;
  co_return below + 1;
}
Task<void> AwaitDeep(Loop& loop, Log* log) {
  Task<int> deep = Deep(loop, 100);
  const int got = co_await deep;
  log->push_back(std::to_string(got));
}

TEST_F(TaskTest, ValuesTravelUpThroughManyCallers) {
  scope.Spawn(AwaitDeep(loop, &log));
  EXPECT_TRUE(Finish());
  EXPECT_EQ(log, (Log{"100"}));
}

// ---- Stacks do not grow

Task<int> One() {
  co_return 1;
}
Task<void> AwaitInlineOften(int64_t times, int64_t* sum) {
  for (int64_t i = 0; i < times; ++i) {
    Task<int> one = One();
    *sum += co_await one;
  }
}

TEST_F(TaskTest, AMillionInlineAwaitsNeedNoStack) {
  int64_t sum = 0;
  scope.Spawn(AwaitInlineOften(1000000, &sum));
  EXPECT_EQ(sum, 1000000);
}

Task<int> TakeOne(Loop& loop, Channel<int>* channel) {
  Select which(loop, *channel);
  co_await which;
  co_return channel->TryPop().value_or(0);
}
Task<void> TakeAll(Loop& loop, Channel<int>* channel, int64_t* sum) {
  while (!channel->closed() || channel->size() > 0) {
    Task<int> one = TakeOne(loop, channel);
    *sum += co_await one;
  }
}
Task<void> PushMany(Loop& loop, Channel<int>* channel, int64_t times) {
  for (int64_t i = 0; i < times; ++i) {
    channel->Push(1);
    if (channel->size() < 3) continue;
    Timer now(loop, loop.Now() + Duration(1));
    Select which(loop, now);
    co_await which;
  }
  channel->Close();
}

TEST_F(TaskTest, AMillionAwaitsThatFinishLaterNeedNoStack) {
  int64_t sum = 0;
  Channel<int> channel;
  TaskScope inner(loop);
  inner.Spawn(TakeAll(loop, &channel, &sum));
  inner.Spawn(PushMany(loop, &channel, 1000000));
  EXPECT_TRUE(loop.RunUntil([&] { return inner.empty(); }));
  EXPECT_EQ(sum, 1000000);
}

// ---- Failed CHECKs

Task<int> FailAfter(Loop& loop, Duration d) {
  if (d > Duration{}) {
    Task<void> sleep = Sleep(loop, d);
    co_await sleep;
  }
  CHECK(d < Duration{}, "this task fails");
  co_return 0;
}
Task<void> AwaitFailure(Loop& loop, Duration d, Log* log) {
  Task<int> child = FailAfter(loop, d);
  co_await child;
  log->push_back("not reached");
}
Task<void> OutliveFailure(Loop& loop, Log* log) {
  Task<void> sleep = Sleep(loop, Seconds(5));
  co_await sleep;
  log->push_back("outlived");
}

TEST_F(TaskTest, AFailedCheckReachesTheCallerOfRunUntil) {
  for (const Duration d : {Duration{}, Duration(Seconds(1))}) {
    scope.Spawn(AwaitFailure(loop, d, &log));
    EXPECT_THROW(Finish(), CheckFailed);
    EXPECT_TRUE(scope.empty());
  }
  EXPECT_TRUE(log.empty());
}

TEST_F(TaskTest, TheOthersGoOnAfterAFailureWasThrown) {
  scope.Spawn(OutliveFailure(loop, &log));
  scope.Spawn(AwaitFailure(loop, Seconds(1), &log));
  EXPECT_THROW(Finish(), CheckFailed);
  EXPECT_TRUE(Finish());
  EXPECT_EQ(log, (Log{"outlived"}));
}

Task<void> CatchFailure(Loop& loop, Log* log) {
  Task<int> child = FailAfter(loop, Seconds(1));
  try {
    co_await child;
  } catch (const CheckFailed&) {
    log->push_back("caught");
  }
}

TEST_F(TaskTest, AFailureTravelsThroughTheAwaits) {
  scope.Spawn(CatchFailure(loop, &log));
  EXPECT_TRUE(Finish());
  EXPECT_EQ(log, (Log{"caught"}));
}

Task<void> AwaitTwice(Log* log) {
  Task<void> child = Say(log, "once");
  co_await child;
  co_await child;
}

TEST_F(TaskTest, AwaitingATaskTwiceIsABug) {
  scope.Spawn(AwaitTwice(&log));
  EXPECT_THROW(Finish(), CheckFailed);
  EXPECT_EQ(log, (Log{"once"}));
}

// ---- Destruction anywhere

struct Tracked {
  explicit Tracked(int* count) : live(count) { ++*live; }
  ~Tracked() { --*live; }
  int* live;
};

Task<int> HoldAndSleep(Loop& loop, int* live, Duration d) {
  const Tracked tracked(live);
  Task<void> sleep = Sleep(loop, d);
  co_await sleep;
  co_return 1;
}
Task<void> HoldAndAwait(Loop& loop, int* live, Duration d) {
  const Tracked tracked(live);
  Task<int> child = HoldAndSleep(loop, live, d);
  const int got = co_await child;
  *live += got - 1;
}

TEST_F(TaskTest, DestroyingTheScopeDestroysEveryFrame) {
  int live = 0;
  {
    TaskScope inner(loop);
    inner.Spawn(HoldAndAwait(loop, &live, Seconds(1)));
    inner.Spawn(HoldAndAwait(loop, &live, Seconds(2)));
    EXPECT_EQ(live, 4);
  }
  EXPECT_EQ(live, 0);
  EXPECT_FALSE(loop.RunUntil([] { return false; })) << "no timer was left";
  EXPECT_EQ(loop.Now(), kSimulationEpoch);
}

// Clears a scope as soon as it runs: the other tasks are then in whatever queue they are in.
Task<void> ClearWhen(Loop& loop, Duration d, TaskScope* other) {
  Task<void> sleep = Sleep(loop, d);
  co_await sleep;
  other->Clear();
}

TEST_F(TaskTest, DestructionInTheReadyQueueLeavesNothingBehind) {
  int live = 0;
  TaskScope victims(loop);
  scope.Spawn(ClearWhen(loop, Seconds(1), &victims));
  victims.Spawn(HoldAndAwait(loop, &live, Seconds(1)));
  victims.Spawn(HoldAndAwait(loop, &live, Seconds(1)));
  EXPECT_TRUE(Finish()) << "all three timers fire in one turn; the first task destroys the others";
  EXPECT_EQ(live, 0);
  EXPECT_FALSE(loop.RunUntil([] { return false; }));
}

// A caller stays in the next slot only where a failure ends the turn between its child's end and
// its own step.
Task<void> SpawnFailure(Loop& loop, TaskScope* scope, Log* log) {
  Task<void> sleep = Sleep(loop, Seconds(1));
  co_await sleep;
  scope->Spawn(AwaitFailure(loop, {}, log));
}
Task<void> AwaitSpawner(Loop& loop, TaskScope* scope, int* live, Log* log) {
  const Tracked tracked(live);
  Task<void> child = SpawnFailure(loop, scope, log);
  co_await child;
  log->push_back("went on");
}

TEST_F(TaskTest, DestructionInTheNextSlotLeavesNothingBehind) {
  int live = 0;
  {
    TaskScope victims(loop);
    victims.Spawn(AwaitSpawner(loop, &scope, &live, &log));
    EXPECT_THROW(loop.RunUntil([] { return false; }), CheckFailed);
    EXPECT_EQ(live, 1);
  }
  EXPECT_EQ(live, 0);
  EXPECT_TRUE(Finish());
  EXPECT_TRUE(log.empty());
}

TEST_F(TaskTest, WhatIsInTheNextSlotGoesOnAfterAFailure) {
  int live = 0;
  TaskScope others(loop);
  others.Spawn(AwaitSpawner(loop, &scope, &live, &log));
  EXPECT_THROW(loop.RunUntil([] { return false; }), CheckFailed);
  EXPECT_FALSE(loop.RunUntil([] { return false; }));
  EXPECT_EQ(log, (Log{"went on"}));
  EXPECT_TRUE(others.empty());
}

Task<void> SpawnAnother(TaskScope* scope, Log* log) {
  scope->Spawn(Say(log, "inner"));
  log->push_back("outer");
  co_return;
}

TEST_F(TaskTest, ATaskMaySpawnIntoItsOwnScope) {
  scope.Spawn(SpawnAnother(&scope, &log));
  EXPECT_EQ(log, (Log{"inner", "outer"}));
  EXPECT_TRUE(scope.empty());
}

TEST_F(TaskTest, AWaiterMayOutliveItsLastSource) {
  auto source = std::make_unique<Signal>();
  auto other = std::make_unique<Signal>();
  Log* words = &log;
  struct Story {
    static Task<void> Run(Loop& l, Signal* a, Signal* b, Log* out) {
      Select which(l, *a, *b);
      const int won = co_await which;
      out->push_back(std::to_string(won));
    }
  };
  scope.Spawn(Story::Run(loop, source.get(), other.get(), words));
  source.reset();
  other->Set();
  EXPECT_TRUE(Finish());
  EXPECT_EQ(log, (Log{"1"}));
}

TEST_F(TaskTest, MovingATaskMovesItsFrame) {
  Task<void> first = Say(&log, "first");
  Task<void> second = Say(&log, "second");
  first = std::move(second);
  scope.Spawn(std::move(first));
  EXPECT_EQ(log, (Log{"second"}));
}

}  // namespace relist::task_test
