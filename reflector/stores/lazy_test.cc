#include "reflector/stores/lazy.h"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <thread>

namespace relist {
namespace lazy_test {

// Steps in an order, whichever thread they are on: client-go's `sequence`. Where one is never
// reached all go on, and the test fails.
class Sequence {
 public:
  void Step(int n) {
    std::unique_lock lock(mutex_);
    const bool reached = reached_.wait_for(lock, std::chrono::seconds(5),
                                           [this, n] { return broken_ || next_ == n; });
    if (!reached) {
      broken_ = true;
      ADD_FAILURE() << "step " << n << " was never reached";
    }
    ++next_;
    reached_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable reached_;
  int next_ = 0;
  bool broken_ = false;
};

// Gets on a thread of its own, between two steps.
struct AsyncGet {
  AsyncGet(Sequence& sequence, Lazy<int>& lazy, int before, int after)
      : thread([this, &sequence, &lazy, before, after] {
          sequence.Step(before);
          value = *lazy.Get();
          sequence.Step(after);
        }) {}
  int Wait() {
    thread.join();
    return value;
  }
  int value = 0;
  std::thread thread;
};

TEST(Lazy, NeverGivesWhatIsOlderThanTheLastNotify) {  // TestLazy
  std::atomic<int> reality = 0;
  Lazy<int> lazy([&reality]() -> Result<int> { return reality.load(); });
  std::vector<std::thread> threads;
  for (int i = 0; i < 10; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < 100; ++n) {
        const int set = reality.fetch_add(1) + 1;
        lazy.Notify();
        EXPECT_GE(*lazy.Get(), set);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(Lazy, EvaluatesOnlyWhenSomebodyAsksAfterANotify) {  // TestLazyThroughput, without its clock
  int evaluated = 0;
  Lazy<int> lazy([&evaluated]() -> Result<int> { return ++evaluated; });
  for (int i = 0; i < 100; ++i) lazy.Notify();
  EXPECT_EQ(evaluated, 0);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(*lazy.Get(), 1);
  lazy.Notify();
  EXPECT_EQ(*lazy.Get(), 2);
  EXPECT_EQ(evaluated, 2);
}

TEST(Lazy, DoesNotKeepAnOldValueThatWasReadyLate) {  // TestLazySlowEval
  Sequence sequence;
  std::atomic<int> count = 0;
  Lazy<int> lazy([&]() -> Result<int> {
    const int mine = ++count;
    if (mine == 1) {
      sequence.Step(1);
      sequence.Step(6);
    } else if (mine == 2) {
      sequence.Step(4);
    }
    return mine;
  });
  AsyncGet a(sequence, lazy, 0, 7);
  sequence.Step(2);
  lazy.Notify();
  AsyncGet b(sequence, lazy, 3, 5);
  AsyncGet c(sequence, lazy, 8, 9);
  EXPECT_EQ(a.Wait(), 1);
  EXPECT_EQ(b.Wait(), 2);
  EXPECT_EQ(c.Wait(), 2);
  EXPECT_EQ(count, 2);
}

TEST(Lazy, GivesTheNewValueEvenWhereTheOldOneWasReadyMeanwhile) {  // TestLazySlowEval2
  Sequence sequence;
  std::atomic<int> count = 0;
  Lazy<int> lazy([&]() -> Result<int> {
    const int mine = ++count;
    if (mine == 1) {
      sequence.Step(1);
      sequence.Step(5);
    } else if (mine == 2) {
      sequence.Step(4);
      sequence.Step(7);
    }
    return mine;
  });
  AsyncGet a(sequence, lazy, 0, 6);
  sequence.Step(2);
  lazy.Notify();
  AsyncGet b(sequence, lazy, 3, 8);
  AsyncGet c(sequence, lazy, 9, 10);
  EXPECT_EQ(a.Wait(), 1);
  EXPECT_EQ(b.Wait(), 2);
  EXPECT_EQ(c.Wait(), 2);
  EXPECT_EQ(count, 2);
}

TEST(Lazy, EvaluatesOnceForAllWhoAsk) {  // TestLazyOnlyOnce
  Sequence sequence;
  std::atomic<int> count = 0;
  Lazy<int> lazy([&]() -> Result<int> {
    const int mine = ++count;
    if (mine == 1) {
      sequence.Step(1);
      sequence.Step(4);
    }
    return mine;
  });
  lazy.Notify();
  AsyncGet a(sequence, lazy, 0, 5);
  AsyncGet b(sequence, lazy, 2, 6);
  AsyncGet c(sequence, lazy, 3, 7);
  EXPECT_EQ(a.Wait(), 1);
  EXPECT_EQ(b.Wait(), 1);
  EXPECT_EQ(c.Wait(), 1);
  EXPECT_EQ(count, 1);
}

TEST(Lazy, DoesNotKeepAnError) {  // TestLazyError
  bool succeed = false;
  Lazy<bool> lazy([&succeed]() -> Result<bool> {
    if (succeed) return true;
    return Error::Net(Transport::kOther, "deliberate fail");
  });
  EXPECT_FALSE(lazy.Get().ok());
  succeed = true;
  EXPECT_TRUE(lazy.Get().ok());
}

}  // namespace lazy_test
}  // namespace relist
