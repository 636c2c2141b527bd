// The face of a work queue that threads see.
#include <gmock/gmock.h>

#include <atomic>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "core/runtime/socket_port.h"
#include "reflector/work_queues/work_queue.h"

namespace relist {
namespace work_queue_threads_test {

using ::testing::ElementsAre;

using Queue = WorkQueue<int>;

constexpr int kProducers = 20, kConsumers = 5;

// A queue whose loop runs on a thread of its own until the end of the test.
struct ThreadWorld {
  ThreadWorld() : loop(port), queue(loop), scope(loop), runner([this] { loop.Run(); }) {}
  ~ThreadWorld() {
    loop.Stop();
    runner.join();
    for (std::thread& thread : threads) thread.join();
  }
  void Start(std::function<void()> body) { threads.emplace_back(std::move(body)); }
  void Join() {
    for (std::thread& thread : threads) thread.join();
    threads.clear();
  }

  SocketPort port;
  Loop loop;
  Queue queue;
  Signal stop;
  std::vector<std::thread> threads;
  TaskScope scope;
  std::thread runner;
};

// Each worker adds each item once more while it looks at it.
void WorkTwice(Queue& queue, std::atomic<int>* looked, std::vector<std::atomic<int>>* busy) {
  std::vector<int> seen(kProducers);
  while (const std::optional<int> item = queue.BlockingGet()) {
    const auto index = static_cast<size_t>(*item);
    EXPECT_EQ((*busy)[index]++, 0) << "two workers have " << *item;
    if (++seen[index] < 2) queue.Add(*item);
    ++*looked;
    --(*busy)[index];
    queue.Done(*item);
  }
}

TEST(WorkQueueThreads, EmptyTheQueueAndGoHome) {  // TestBasic, TestAddWhileProcessing
  for (const bool drain : {false, true}) {
    ThreadWorld world;
    std::atomic<int> looked = 0;
    std::vector<std::atomic<int>> busy(kProducers);
    for (int i = 0; i < kConsumers; ++i) {
      world.Start([&] { WorkTwice(world.queue, &looked, &busy); });
    }
    std::vector<std::thread> producers;
    for (int i = 0; i < kProducers; ++i) {
      producers.emplace_back([&, i] {
        for (int j = 0; j < 50; ++j) world.queue.Add(i);
      });
    }
    for (std::thread& producer : producers) producer.join();
    if (drain) {
      world.queue.BlockingShutDownWithDrain();
    } else {
      world.queue.ShutDown();
    }
    world.queue.Add(0);
    world.Join();
    EXPECT_EQ(world.queue.size(), 0u);
    EXPECT_GE(looked, kProducers);
  }
}

TEST(WorkQueueThreads, GetWhatIsAddedLaterByTheLoop) {
  ThreadWorld world;
  std::vector<int> got;
  world.Start([&] {
    while (const std::optional<int> item = world.queue.BlockingGet()) {
      got.push_back(*item);
      world.queue.Done(*item);
      if (*item == 1) world.queue.AddRateLimited(2);
      if (*item == 2) world.queue.ShutDown();
    }
  });
  world.queue.AddAfter(1, Millis(5));
  world.Join();
  EXPECT_THAT(got, ElementsAre(1, 2));
  EXPECT_EQ(world.queue.NumRequeues(2), 1);
}

TEST(WorkQueueThreads, WaitForTheirOwnItemsOnly) {  // TestCollapseWhileProcessing
  ThreadWorld world;
  world.queue.Add(7);
  ASSERT_EQ(world.queue.BlockingGet(), 7);
  world.queue.Add(7);
  std::atomic<bool> done = false;
  world.Start([&] {
    EXPECT_EQ(world.queue.BlockingGet(), 7);
    EXPECT_TRUE(done);
    world.queue.Done(7);
  });
  done = true;
  world.queue.Done(7);
  world.Join();
  EXPECT_EQ(world.queue.size(), 0u);
}

TEST(WorkQueueThreads, AreReleasedFromADrainByShutDown) {  // TestForceQueueShutdownUsingShutDown
  ThreadWorld world;
  world.queue.Add(1);
  ASSERT_EQ(world.queue.BlockingGet(), 1);
  world.Start([&] { world.queue.BlockingShutDownWithDrain(); });
  while (!world.queue.shutting_down()) {
  }
  EXPECT_EQ(world.queue.BlockingGet(), std::nullopt);
  world.queue.ShutDown();
  world.Join();
}

TEST(WorkQueueThreads, WaitInADrainForWhatIsBeingDone) {  // WKQ-03
  ThreadWorld world;
  world.queue.Add(1);
  ASSERT_EQ(world.queue.BlockingGet(), 1);
  std::atomic<bool> done = false;
  world.Start([&] {
    world.queue.BlockingShutDownWithDrain();
    EXPECT_TRUE(done);
  });
  while (!world.queue.shutting_down()) {
  }
  done = true;
  world.queue.Done(1);
  world.Join();
}

Task<void> CollectUntilOver(Queue& queue, Signal& stop, std::vector<int>* got,
                            std::atomic<bool>* over) {
  for (;;) {
    Task<std::optional<int>> get = queue.Get(stop);
    const std::optional<int> item = co_await get;
    if (!item) break;
    got->push_back(*item);
    queue.Done(*item);
  }
  *over = true;
}

TEST(WorkQueueThreads, FeedATaskOfTheLoop) {
  ThreadWorld world;
  std::vector<int> got;
  std::atomic<bool> over = false;
  world.loop.PostFromThread(
      [&] { world.scope.Spawn(CollectUntilOver(world.queue, world.stop, &got, &over)); });
  for (int i = 0; i < 4; ++i) {
    world.Start([&, i] {
      for (int j = 0; j < 250; ++j) world.queue.Add(i * 250 + j);
    });
  }
  world.Join();
  world.queue.ShutDown();
  while (!over) std::this_thread::yield();
  std::sort(got.begin(), got.end());
  ASSERT_EQ(got.size(), 1000u);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(got[static_cast<size_t>(i)], i);
}

}  // namespace work_queue_threads_test
}  // namespace relist
