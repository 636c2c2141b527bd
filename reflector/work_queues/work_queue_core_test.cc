#include "reflector/work_queues/work_queue_core.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace relist {
namespace work_queue_core_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Core = WorkQueueCore<std::string>;

TimePoint At(int64_t ms) {
  return kSimulationEpoch + Millis(ms);
}

// Takes and finishes all that there is now.
std::vector<std::string> TakeAll(Core& core, TimePoint now) {
  std::vector<std::string> out;
  while (const std::optional<std::string> item = core.Take(now)) {
    core.Done(*item, now);
    out.push_back(*item);
  }
  return out;
}

struct TouchedItems : FifoItemQueue<std::string> {
  void Touch(const std::string& item) override { touched->push_back(item); }
  std::vector<std::string>* touched = nullptr;
};

struct Touching {
  Touching() : core(Queue()) {}
  std::unique_ptr<TouchedItems> Queue() {
    auto queue = std::make_unique<TouchedItems>();
    queue->touched = &touched;
    return queue;
  }
  std::vector<std::string> touched;
  Core core;
};

TEST(WorkQueueCore, CountsAnItemOnce) {  // TestLen
  Core core;
  core.Add("foo", At(0));
  EXPECT_EQ(core.size(), 1u);
  core.Add("bar", At(0));
  EXPECT_EQ(core.size(), 2u);
  core.Add("foo", At(0));
  EXPECT_EQ(core.size(), 2u);
}

TEST(WorkQueueCore, CollapsesAddsAndTouchesWhatWaits) {  // WKQ-01, TestCollapse
  Touching t;
  t.core.Add("bar", At(0));
  t.core.Add("bar", At(0));
  EXPECT_EQ(t.core.Take(At(0)), "bar");
  t.core.Done("bar", At(0));
  EXPECT_EQ(t.core.size(), 0u);
  EXPECT_THAT(t.touched, ElementsAre("bar"));
}

TEST(WorkQueueCore, GivesBackWhatWasAddedWhileItWasLookedAt) {  // TestReinsert
  Core core;
  core.Add("foo", At(0));
  EXPECT_EQ(core.Take(At(0)), "foo");
  core.Add("foo", At(0));
  EXPECT_EQ(core.size(), 0u);
  core.Done("foo", At(0));
  EXPECT_EQ(core.Take(At(0)), "foo");
  core.Done("foo", At(0));
  EXPECT_EQ(core.size(), 0u);
}

TEST(WorkQueueCore, GivesAnItemToOneWorkerAtATime) {  // WKQ-02, TestCollapseWhileProcessing
  Touching t;
  t.core.Add("foo", At(0));
  EXPECT_EQ(t.core.Take(At(0)), "foo");
  t.core.Add("foo", At(0));
  t.core.Add("foo", At(0));
  EXPECT_EQ(t.core.Take(At(0)), std::nullopt);
  t.core.Done("foo", At(0));
  EXPECT_EQ(t.core.Take(At(0)), "foo");
  t.core.Done("foo", At(0));
  EXPECT_EQ(t.core.size(), 0u);
  EXPECT_THAT(t.touched, IsEmpty());
}

TEST(WorkQueueCore, GivesOutWhatIsQueuedAfterShutDownButTakesNothingIn) {  // WKQ-03
  Core core;
  core.Add("a", At(0));
  core.AddAfter("later", Millis(10), At(0));
  core.ShutDown();
  core.Add("b", At(0));
  core.AddAfter("c", Millis(0), At(0));
  core.Tick(At(20));
  EXPECT_FALSE(core.IsOver());
  EXPECT_THAT(TakeAll(core, At(20)), ElementsAre("a"));
  EXPECT_TRUE(core.IsOver());
  EXPECT_EQ(core.waiting(), 0u);
  EXPECT_EQ(core.NextDeadline(), kNever);
}

TEST(WorkQueueCore, DrainsWhenAllIsDoneOrItIsShutDown) {
  // TestQueueDrainageUsingShutDownWithDrainWithDirtyItem, TestForceQueueShutdownUsingShutDown
  Core core;
  core.Add("foo", At(0));
  ASSERT_EQ(core.Take(At(0)), "foo");
  core.Add("foo", At(0));
  core.ShutDownWithDrain();
  EXPECT_TRUE(core.IsOver());  // so far
  EXPECT_FALSE(core.IsDrained());
  core.Done("foo", At(0));
  EXPECT_FALSE(core.IsOver());  // it was dirty
  ASSERT_EQ(core.Take(At(0)), "foo");
  EXPECT_FALSE(core.IsDrained());
  core.Done("foo", At(0));
  EXPECT_TRUE(core.IsOver());
  EXPECT_TRUE(core.IsDrained());

  Core forced;
  forced.Add("foo", At(0));
  forced.Take(At(0));
  forced.ShutDownWithDrain();
  EXPECT_FALSE(forced.IsDrained());
  forced.ShutDown();
  EXPECT_TRUE(forced.IsDrained());
}

struct Tracked {
  int id = 0;
  std::shared_ptr<int> owned;
  bool operator<(const Tracked& other) const { return id < other.id; }
};

TEST(WorkQueueCore, KeepsNothingOfWhatWasDone) {  // WKQ-04, TestGarbageCollection
  WorkQueueCore<Tracked> core;
  std::weak_ptr<int> owned;
  {
    Tracked item{1, std::make_shared<int>(5)};
    owned = item.owned;
    core.Add(item, At(0));
  }
  {
    const std::optional<Tracked> item = core.Take(At(0));
    ASSERT_TRUE(item);
    core.Done(*item, At(0));
  }
  EXPECT_TRUE(owned.expired());
}

TEST(WorkQueueCore, AddsLater) {  // WKQ-05, TestSimpleQueue
  Core core;
  core.AddAfter("foo", Millis(50), At(0));
  EXPECT_EQ(core.NextDeadline(), At(50));
  core.Tick(At(49));
  EXPECT_EQ(core.size(), 0u);
  core.Tick(At(50));
  EXPECT_THAT(TakeAll(core, At(60)), ElementsAre("foo"));
  core.Tick(At(10060));
  EXPECT_EQ(core.size(), 0u);
}

TEST(WorkQueueCore, AddsAtOnceWhereThereIsNoDelay) {
  Core core;
  core.AddAfter("a", Millis(0), At(0));
  core.AddAfter("b", Millis(-1), At(0));
  EXPECT_THAT(TakeAll(core, At(0)), ElementsAre("a", "b"));
}

TEST(WorkQueueCore, KeepsTheEarlierOfTwoTimes) {  // TestDeduping
  Core core;
  core.AddAfter("foo", Millis(50), At(0));
  core.AddAfter("foo", Millis(70), At(0));
  core.Tick(At(60));
  EXPECT_THAT(TakeAll(core, At(60)), ElementsAre("foo"));
  core.Tick(At(80));
  EXPECT_EQ(core.size(), 0u);

  core.AddAfter("foo", Millis(50), At(80));
  core.AddAfter("foo", Millis(30), At(80));
  core.Tick(At(120));
  EXPECT_THAT(TakeAll(core, At(120)), ElementsAre("foo"));
  core.Tick(At(140));
  EXPECT_EQ(core.size(), 0u);
}

TEST(WorkQueueCore, AddsInTheOrderOfTime) {  // TestAddTwoFireEarly, TestCopyShifting
  Core core;
  core.AddAfter("foo", Seconds(1), At(0));
  core.AddAfter("bar", Millis(50), At(0));
  core.Tick(At(60));
  EXPECT_THAT(TakeAll(core, At(60)), ElementsAre("bar"));
  core.AddAfter("baz", Seconds(2), At(60));
  core.Tick(At(1060));
  EXPECT_THAT(TakeAll(core, At(1060)), ElementsAre("foo"));
  core.Tick(At(3060));
  EXPECT_THAT(TakeAll(core, At(3060)), ElementsAre("baz"));

  core.AddAfter("foo", Seconds(1), At(0));
  core.AddAfter("bar", Millis(500), At(0));
  core.AddAfter("baz", Millis(250), At(0));
  core.AddAfter("baq", Millis(250), At(0));
  core.AddAfter("never", Duration::max(), At(0));
  core.Tick(At(2000));
  EXPECT_THAT(TakeAll(core, At(2000)), ElementsAre("baz", "baq", "bar", "foo"));
  EXPECT_EQ(core.NextDeadline(), kNever);
}

// Keeps what it was told.
struct Told {
  size_t depth = 0;
  int adds = 0, retries = 0;
  std::vector<Duration> latencies, durations, unfinished, longest;
};
struct TellingMetrics : WorkQueueMetrics {
  explicit TellingMetrics(Told* into) : told(into) {}
  void Depth(size_t items) override { told->depth = items; }
  void Added() override { ++told->adds; }
  void Latency(Duration waited) override { told->latencies.push_back(waited); }
  void WorkDuration(Duration took) override { told->durations.push_back(took); }
  void UnfinishedWork(Duration total) override { told->unfinished.push_back(total); }
  void LongestRunning(Duration longest) override { told->longest.push_back(longest); }
  void Retried() override { ++told->retries; }
  Told* told;
};

TEST(WorkQueueCore, TellsItsFigures) {  // WKQ-07, TestMetrics
  Told told;
  Core core(nullptr, std::make_unique<TellingMetrics>(&told), At(0));
  core.Add("foo", At(0));
  EXPECT_EQ(told.adds, 1);
  EXPECT_EQ(told.depth, 1u);
  ASSERT_EQ(core.Take(At(50)), "foo");
  EXPECT_THAT(told.latencies, ElementsAre(Millis(50)));
  EXPECT_EQ(told.depth, 0u);
  for (int i = 0; i < 5; ++i) core.Add("foo", At(50));
  EXPECT_EQ(told.adds, 2);
  EXPECT_EQ(told.depth, 1u);
  core.Done("foo", At(75));
  EXPECT_THAT(told.durations, ElementsAre(Millis(25)));
  EXPECT_EQ(told.depth, 1u);
  ASSERT_EQ(core.Take(At(75)), "foo");
  EXPECT_THAT(told.latencies, ElementsAre(Millis(50), Millis(25)));
  core.Add("bar", At(75));
  ASSERT_EQ(core.Take(At(100)), "bar");
  EXPECT_EQ(core.NextDeadline(), At(500));
  core.Tick(At(500));
  EXPECT_THAT(told.unfinished, ElementsAre(Millis(825)));
  EXPECT_THAT(told.longest, ElementsAre(Millis(425)));
  core.AddAfter("baz", Millis(1), At(500));
  EXPECT_EQ(told.retries, 1);
  core.Done("foo", At(500));
  EXPECT_THAT(told.durations, ElementsAre(Millis(25), Millis(425)));
}

TEST(WorkQueueCore, TellsNoUnfinishedWorkAfterShutDown) {  // TestMetricShutdown
  Told told;
  Core core(nullptr, std::make_unique<TellingMetrics>(&told), At(0));
  core.Tick(At(500));
  EXPECT_EQ(told.unfinished.size(), 1u);
  core.ShutDown();
  core.Tick(At(3600 * 1000));
  EXPECT_EQ(told.unfinished.size(), 1u);
}

}  // namespace work_queue_core_test
}  // namespace relist
