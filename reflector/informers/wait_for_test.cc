#include "reflector/informers/wait_for.h"

#include <gmock/gmock.h>

#include "core/runtime/sim_port.h"

namespace relist {
namespace wait_for_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Waits for "first" (done after 10 s), "second" (5 s, or never) and "last" (at once).
struct Bench {
  Bench() : loop(port), log(std::make_shared<CollectedLog>()), scope(loop) {}

  std::vector<DoneChecker> Checkers(bool second_comes = true) {
    last.Set();
    first = std::make_unique<Timer>(loop, loop.Now() + Seconds(10));
    second = std::make_unique<Timer>(loop, second_comes ? loop.Now() + Seconds(5) : kNever);
    return {{"first", first.get()}, {"second", second.get()}, {"last", &last}};
  }
  WaitLimits Limits(TimePoint deadline = kNever) {
    return {.what = "my-caches", .stop = &stop, .deadline = deadline, .log = log};
  }
  // The answer, and how long it took.
  bool Wait(std::vector<DoneChecker> checkers, WaitLimits limits) {
    const TimePoint start = loop.Now();
    scope.Spawn(Keep(std::move(checkers), std::move(limits)));
    loop.RunUntil([this] { return ended; }, loop.Now() + Seconds(100));
    EXPECT_TRUE(ended);
    took = loop.Now() - start;
    return answer;
  }
  Task<void> Keep(std::vector<DoneChecker> checkers, WaitLimits limits) {
    Task<bool> waiting = WaitFor(loop, std::move(checkers), std::move(limits));
    answer = co_await waiting;
    ended = true;
  }

  SimPort port;
  Loop loop;
  std::shared_ptr<CollectedLog> log;
  Signal stop, last;
  std::unique_ptr<Timer> first, second;
  bool answer = false, ended = false;
  Duration took{};
  TaskScope scope;
};

TEST(WaitFor, NothingIsDoneAtOnce) {  // TestWaitFor: empty, no-caches
  Bench bench;
  EXPECT_TRUE(bench.Wait({}, bench.Limits()));
  EXPECT_EQ(bench.took, Duration{});
  EXPECT_THAT(bench.log->lines(), ElementsAre("I waiting for my-caches"));
}

TEST(WaitFor, EndsWithTheLastOfAllAndTellsOfEach) {  // TestWaitFor: with-logging
  Bench bench;
  EXPECT_TRUE(bench.Wait(bench.Checkers(), bench.Limits()));
  EXPECT_EQ(bench.took, Seconds(10));
  EXPECT_THAT(
      bench.log->lines(),
      ElementsAre("I waiting for my-caches", "I done waiting for my-caches: last",
                  "I done waiting for my-caches: second", "I done waiting for my-caches: first"));
}

TEST(WaitFor, SaysNothingWithoutAName) {  // TestWaitFor: no-logging
  Bench bench;
  WaitLimits limits = bench.Limits();
  limits.what.clear();
  EXPECT_TRUE(bench.Wait(bench.Checkers(), limits));
  EXPECT_THAT(bench.log->lines(), IsEmpty());
}

TEST(WaitFor, GivesUpAtItsDeadlineAndSaysOnWhom) {  // TestWaitFor: some-timeout
  Bench bench;
  EXPECT_FALSE(bench.Wait(bench.Checkers(false), bench.Limits(bench.loop.Now() + Seconds(60))));
  EXPECT_EQ(bench.took, Seconds(60));
  EXPECT_EQ(bench.log->lines().back(),
            "W gave up waiting for my-caches: second: context deadline exceeded");
}

TEST(WaitFor, CountsWhatIsDoneWhenItIsStopped) {  // TestWaitFor: some-canceled, more
  Bench bench;
  bench.stop.Set();
  EXPECT_FALSE(bench.Wait(bench.Checkers(false), bench.Limits()));
  EXPECT_EQ(bench.took, Duration{});
  EXPECT_THAT(bench.log->lines(),
              ElementsAre("I waiting for my-caches", "I done waiting for my-caches: last",
                          "W gave up waiting for my-caches: first, second: context canceled"));
  Bench done;
  done.stop.Set();
  EXPECT_TRUE(done.Wait({{"last", &done.stop}}, done.Limits()));
}

TEST(WaitFor, SaysWhyItWasStopped) {  // TestWaitFor: more
  Bench bench;
  WaitLimits limits = bench.Limits();
  limits.stop_cause = "go fish";
  bench.stop.Set();
  EXPECT_FALSE(bench.Wait(bench.Checkers(false), limits));
  EXPECT_EQ(bench.log->lines().back(), "W gave up waiting for my-caches: first, second: go fish");
}

TEST(SyncResult, IsAnErrorThatNamesWhoHasNotSynced) {  // INF-15, TestSyncResult
  EXPECT_TRUE(SyncResult{}.AsError().ok());
  SyncResult one{{{"int", true}, {"string", false}}, "my custom cancellation reason"};
  EXPECT_EQ(one.AsError().error().message(),
            "failed to sync all caches: string: my custom cancellation reason");
  SyncResult many{{{"string", false}, {"int", false}}, "my custom cancellation reason"};
  EXPECT_EQ(many.AsError().error().message(),
            "failed to sync all caches: int, string: my custom cancellation reason");
}

}  // namespace wait_for_test
}  // namespace relist
