#include "fakeapi/controllers/work_queue.h"

#include <gtest/gtest.h>

#include <string>

namespace relist::fakeapi {
namespace work_queue_test {

constexpr TimePoint kStart = kSimulationEpoch;

std::string TakeAll(WorkQueue<std::string>& queue, TimePoint now) {
  std::string all;
  while (const std::optional<std::string> one = queue.Take(now)) all += *one;
  return all;
}

TEST(WorkQueue, GivesWhatIsDueInTheOrderOfTimeThenOfComing) {
  WorkQueue<std::string> queue(Seconds(60));
  EXPECT_EQ(queue.NextDue(), kNever);
  queue.Add("c", kStart + Seconds(2));
  queue.Add("b", kStart + Seconds(1));
  queue.Add("a", kStart + Seconds(1));
  EXPECT_EQ(queue.NextDue(), kStart + Seconds(1));
  EXPECT_EQ(TakeAll(queue, kStart), "");
  EXPECT_EQ(TakeAll(queue, kStart + Seconds(1)), "ba");
  EXPECT_EQ(TakeAll(queue, kStart + Seconds(2)), "c");
  EXPECT_EQ(queue.NextDue(), kNever);
}

TEST(WorkQueue, HoldsAnItemOnceAtTheEarliestTime) {
  WorkQueue<std::string> queue(Seconds(60));
  queue.Add("a", kStart + Seconds(5));
  queue.Add("a", kStart + Seconds(8));
  EXPECT_EQ(queue.NextDue(), kStart + Seconds(5));
  queue.Add("a", kStart + Seconds(3));
  EXPECT_EQ(queue.NextDue(), kStart + Seconds(3));
  EXPECT_EQ(TakeAll(queue, kStart + Seconds(9)), "a");
}

TEST(WorkQueue, ARetryWaitsTwiceAsLongEachTimeUntilItIsForgotten) {
  WorkQueue<std::string> queue(Millis(30));
  for (const int wait : {5, 10, 20, 30, 30}) {
    queue.Retry("a", kStart);
    EXPECT_EQ(queue.NextDue(), kStart + Millis(wait));
    queue.Take(kNever - Seconds(1));
  }
  for (int i = 0; i < 100; ++i) queue.Retry("a", kStart);
  queue.Forget("a");
  queue.Take(kStart + Seconds(1));
  queue.Retry("a", kStart);
  EXPECT_EQ(queue.NextDue(), kStart + Millis(5));
}

TEST(WorkQueue, ClearedItKnowsNothing) {
  WorkQueue<std::string> queue(Seconds(60));
  queue.Retry("a", kStart);
  queue.Clear();
  EXPECT_EQ(queue.NextDue(), kNever);
  queue.Retry("a", kStart);
  EXPECT_EQ(queue.NextDue(), kStart + Millis(5));
}

}  // namespace work_queue_test
}  // namespace relist::fakeapi
