#include "reflector/work_queues/work_queue.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "core/runtime/sim_port.h"

namespace relist {
namespace work_queue_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

using Queue = WorkQueue<std::string>;
using Options = WorkQueueOptions<std::string>;

// A queue on virtual time, and the workers of a test.
struct QueueWorld {
  explicit QueueWorld(Options options = {}, Choices* choices = nullptr)
      : loop(port, choices), queue(loop, std::move(options)), scope(loop) {}

  // Takes items, each for `work`, and tells when it did.
  static Task<void> Worker(QueueWorld& world, std::string name, Duration work) {
    for (;;) {
      Task<std::optional<std::string>> get = world.queue.Get(world.stop);
      const std::optional<std::string> item = co_await get;
      if (!item) break;
      world.Note(name + item->c_str());
      if (work > Duration{}) {
        Task<void> busy = Sleep(world.loop, work);
        co_await busy;
      }
      world.queue.Done(*item);
    }
    world.Note(name + "leaves");
  }
  void StartWorker(const std::string& name = "", Duration work = {}) {
    scope.Spawn(Worker(*this, name, work));
  }
  void Note(const std::string& what) {
    told.push_back(std::to_string((loop.Now() - kSimulationEpoch) / Millis(1)) + " " + what);
  }
  void RunFor(Duration d) {
    loop.RunUntil([] { return false; }, loop.Now() + d);
  }

  SimPort port;
  Loop loop;
  Queue queue;
  Signal stop;
  std::vector<std::string> told;
  TaskScope scope;
};

TEST(WorkQueue, GivesATaskWhatIsAdded) {
  QueueWorld world;
  world.StartWorker();
  EXPECT_THAT(world.told, IsEmpty());
  world.queue.Add("a");
  world.queue.Add("b");
  world.RunFor(Seconds(1));
  EXPECT_THAT(world.told, ElementsAre("0 a", "0 b"));
}

TEST(WorkQueue, GivesEachItemToOneWorkerAtATime) {
  QueueWorld world;
  world.StartWorker("one ", Millis(10));
  world.StartWorker("two ", Millis(10));
  for (const char* item : {"a", "b", "c"}) world.queue.Add(item);
  world.RunFor(Millis(5));
  world.queue.Add("a");  // it is being looked at
  world.RunFor(Seconds(1));
  EXPECT_THAT(world.told, ElementsAre("0 one a", "0 two b", "10 one c", "10 two a"));
}

TEST(WorkQueue, AddsLaterInVirtualTime) {
  QueueWorld world;
  world.StartWorker();
  world.queue.AddAfter("slow", Seconds(5));
  world.queue.AddAfter("quick", Millis(5));
  world.RunFor(Seconds(10));
  EXPECT_THAT(world.told, ElementsAre("5 quick", "5000 slow"));
}

TEST(WorkQueue, WaitsAsTheLimiterSays) {  // WKQ-06, TestRateLimitingQueue
  QueueWorld world(
      {.limiter = std::make_unique<ExponentialItemLimiter<std::string>>(Millis(1), Seconds(1))});
  world.StartWorker();
  const auto retry = [&](const std::string& item) {
    world.queue.AddRateLimited(item);
    world.RunFor(Millis(10));
  };
  retry("one");
  retry("one");
  EXPECT_EQ(world.queue.NumRequeues("one"), 2);
  retry("two");
  retry("two");
  world.queue.Forget("one");
  EXPECT_EQ(world.queue.NumRequeues("one"), 0);
  retry("one");
  EXPECT_THAT(world.told, ElementsAre("1 one", "12 one", "21 two", "32 two", "41 one"));
}

TEST(WorkQueue, HasTheDefaultLimiter) {
  QueueWorld world;
  world.StartWorker();
  world.queue.AddRateLimited("a");
  world.RunFor(Seconds(1));
  EXPECT_THAT(world.told, ElementsAre("5 a"));
}

TEST(WorkQueue, SendsWorkersHomeAtShutDownWhenItIsEmpty) {
  QueueWorld world;
  for (const char* item : {"a", "b"}) world.queue.Add(item);
  world.queue.AddAfter("late", Seconds(1));
  world.StartWorker("one ", Millis(10));
  world.StartWorker("two ");
  world.queue.ShutDown();
  EXPECT_TRUE(world.queue.shutting_down());
  world.queue.Add("c");
  world.RunFor(Seconds(10));
  EXPECT_THAT(world.told,
              UnorderedElementsAre("0 one a", "0 two b", "0 two leaves", "10 one leaves"));
  EXPECT_EQ(world.queue.size(), 0u);
}

TEST(WorkQueue, SendsWorkersHomeAtStop) {
  QueueWorld world;
  world.StartWorker();
  world.RunFor(Seconds(1));
  world.stop.Set();
  world.RunFor(Seconds(1));
  EXPECT_THAT(world.told, ElementsAre("1000 leaves"));
}

Task<void> Drain(QueueWorld& world) {
  Task<void> drain = world.queue.ShutDownWithDrain(world.stop);
  co_await drain;
  world.Note("drained");
}

TEST(WorkQueue, DrainsWhenAllIsDone) {  // TestQueueDrainageUsingShutDownWithDrain
  QueueWorld world;
  world.StartWorker("one ", Millis(10));
  world.StartWorker("two ", Millis(30));
  for (const char* item : {"a", "b"}) world.queue.Add(item);
  world.RunFor(Millis(5));
  world.queue.Add("a");
  world.scope.Spawn(Drain(world));
  world.RunFor(Seconds(1));
  EXPECT_THAT(world.told, UnorderedElementsAre("0 one a", "0 two b", "10 one a", "20 one leaves",
                                               "30 two leaves", "30 drained"));
}

TEST(WorkQueue, EndsADrainAtShutDownAndAtStop) {  // TestForceQueueShutdownUsingShutDown
  for (const bool shut_down : {true, false}) {
    QueueWorld world;
    world.StartWorker("", Seconds(100));
    world.queue.Add("a");
    world.RunFor(Seconds(1));
    world.scope.Spawn(Drain(world));
    world.RunFor(Seconds(1));
    if (shut_down) {
      world.queue.ShutDown();
    } else {
      world.stop.Set();
    }
    world.RunFor(Seconds(1));
    EXPECT_THAT(world.told, ElementsAre("0 a", "2000 drained"));
  }
}

TEST(WorkQueue, GivesTheSameOrderTwiceForTheSameChoices) {
  const auto run = [] {
    SeededChoices choices(7);
    QueueWorld world({}, &choices);
    for (const char* name : {"one ", "two ", "three "}) world.StartWorker(name, Millis(3));
    for (int i = 0; i < 30; ++i) world.queue.AddAfter(std::to_string(i), Millis(i % 7));
    world.RunFor(Seconds(1));
    return world.told;
  };
  EXPECT_EQ(run().size(), 30u);
  EXPECT_EQ(run(), run());
}

TEST(WorkQueue, IsLeftWhereItsWorkerIsDestroyedWhileItWaits) {
  QueueWorld world;
  world.StartWorker();
  world.scope.Clear();
  world.queue.Add("a");
  world.RunFor(Seconds(1));
  EXPECT_THAT(world.told, IsEmpty());
  EXPECT_EQ(world.queue.size(), 1u);
}

struct CountingProvider : WorkQueueMetricsProvider {
  struct Metrics : WorkQueueMetrics {
    explicit Metrics(CountingProvider* to) : provider(to) {}
    void Depth(size_t) override {}
    void Added() override { ++provider->adds; }
    void Latency(Duration) override {}
    void WorkDuration(Duration) override {}
    void UnfinishedWork(Duration) override { ++provider->updates; }
    void LongestRunning(Duration) override {}
    void Retried() override {}
    CountingProvider* provider;
  };
  std::unique_ptr<WorkQueueMetrics> ForQueue(const std::string& name) override {
    names.push_back(name);
    return std::make_unique<Metrics>(this);
  }
  std::vector<std::string> names;
  int adds = 0, updates = 0;
};

TEST(WorkQueue, TellsFiguresUnderItsName) {  // WKQ-07
  CountingProvider provider;
  QueueWorld named({.name = "pods", .metrics = &provider});
  named.queue.Add("a");
  named.RunFor(Seconds(2));
  EXPECT_THAT(provider.names, ElementsAre("pods"));
  EXPECT_EQ(provider.adds, 1);
  EXPECT_EQ(provider.updates, 4);
  named.queue.ShutDown();
  named.RunFor(Seconds(2));
  EXPECT_EQ(provider.updates, 4);
  QueueWorld nameless({.metrics = &provider});
  EXPECT_EQ(provider.names.size(), 1u);
}

TEST(WorkQueue, RefusesToStopItsOwnLoop) {
  QueueWorld world;
  struct Blocking {
    static Task<void> Run(QueueWorld& world) {
      world.queue.BlockingGet();
      co_return;
    }
  };
  world.scope.Spawn(Blocking::Run(world));
  EXPECT_THROW(world.RunFor(Seconds(1)), CheckFailed);
}

}  // namespace work_queue_test
}  // namespace relist
