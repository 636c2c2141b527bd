#include "core/runtime/loop.h"

#include <gtest/gtest.h>

#include <thread>

#include "core/runtime/sim_port.h"
#include "core/runtime/socket_port.h"

namespace relist::loop_test {

using Log = std::vector<std::string>;

class LoopTest : public testing::Test {
 protected:
  bool Finish() {
    return loop.RunUntil([this] { return scope.empty(); });
  }
  SimPort port;
  Loop loop{port};
  Log log;
  TaskScope scope{loop};
};

Task<void> SayAt(Loop& loop, Duration d, Log* log, std::string word) {
  Task<void> sleep = Sleep(loop, d);
  co_await sleep;
  log->push_back(std::move(word));
}

// ---- Time

TEST_F(LoopTest, TimersFireInOrderOfTimeAndTiesInOrderOfArming) {
  scope.Spawn(SayAt(loop, Seconds(2), &log, "2a"));
  scope.Spawn(SayAt(loop, Seconds(1), &log, "1a"));
  scope.Spawn(SayAt(loop, Seconds(2), &log, "2b"));
  scope.Spawn(SayAt(loop, Seconds(1), &log, "1b"));
  EXPECT_TRUE(Finish());
  EXPECT_EQ(log, (Log{"1a", "1b", "2a", "2b"}));
  EXPECT_EQ(loop.Now(), kSimulationEpoch + Seconds(2));
}

TEST_F(LoopTest, ATimerThatWasMovedTiesByWhenItWasMoved) {
  Timer first(loop, loop.Now() + Seconds(1));
  Timer second(loop, loop.Now() + Seconds(1));
  first.Reset(loop.Now() + Seconds(1));
  struct Story {
    static Task<void> Run(Loop& l, Timer* timer, Log* out, std::string word) {
      Select which(l, *timer);
      co_await which;
      out->push_back(std::move(word));
    }
  };
  scope.Spawn(Story::Run(loop, &first, &log, "first"));
  scope.Spawn(Story::Run(loop, &second, &log, "second"));
  EXPECT_TRUE(Finish());
  EXPECT_EQ(log, (Log{"second", "first"}));
}

TEST_F(LoopTest, ATimerOfThePastIsReadyAndOneOfNeverIsNot) {
  Timer past(loop, loop.Now());
  EXPECT_TRUE(past.Ready());
  Timer never(loop, kNever);
  EXPECT_FALSE(never.Ready());
  never.Reset(loop.Now() - Seconds(1));
  EXPECT_TRUE(never.Ready());
  past.Reset(kNever);
  EXPECT_FALSE(past.Ready());
  EXPECT_FALSE(loop.RunUntil([] { return false; })) << "neither is armed, so nothing can happen";
}

TEST_F(LoopTest, SleepUnlessSaysWhetherItWasStopped) {
  struct Story {
    static Task<void> Run(Loop& l, Duration d, Signal* stop, Log* out) {
      Task<bool> sleep = SleepUnless(l, d, *stop);
      const bool stopped = co_await sleep;
      out->push_back(stopped ? "stopped" : "slept");
    }
  };
  Signal stop;
  scope.Spawn(Story::Run(loop, Seconds(1), &stop, &log));
  scope.Spawn(Story::Run(loop, Seconds(9), &stop, &log));
  port.At(loop.Now() + Seconds(2), [&] { stop.Set(); });
  EXPECT_TRUE(Finish());
  EXPECT_EQ(log, (Log{"slept", "stopped"}));
  EXPECT_EQ(loop.Now(), kSimulationEpoch + Seconds(2));
}

// ---- RunUntil

TEST_F(LoopTest, RunUntilStopsAtItsDeadlineAndCanGoOn) {
  scope.Spawn(SayAt(loop, Seconds(10), &log, "ten"));
  EXPECT_FALSE(loop.RunUntil([] { return false; }, loop.Now() + Seconds(4)));
  EXPECT_EQ(loop.Now(), kSimulationEpoch + Seconds(4));
  EXPECT_TRUE(log.empty());
  EXPECT_FALSE(loop.RunUntil([] { return false; }, kSimulationEpoch + Seconds(10)));
  EXPECT_EQ(log, (Log{"ten"})) << "what is due at the deadline still happens";
}

TEST_F(LoopTest, RunUntilWithADeadlineOfNowRunsWhatIsReadyAndLetsNoTimePass) {
  Signal go;
  struct Story {
    static Task<void> Run(Loop& l, Signal* s, Log* out) {
      Select which(l, *s);
      co_await which;
      out->push_back("went");
    }
  };
  scope.Spawn(Story::Run(loop, &go, &log));
  scope.Spawn(SayAt(loop, Seconds(1), &log, "late"));
  go.Set();
  EXPECT_FALSE(loop.RunUntil([] { return false; }, loop.Now()));
  EXPECT_EQ(log, (Log{"went"}));
  EXPECT_EQ(loop.Now(), kSimulationEpoch);
}

TEST_F(LoopTest, RunUntilSaysWhenNothingCanEverHappen) {
  Signal never;
  struct Story {
    static Task<void> Run(Loop& l, Signal* s) {
      Select which(l, *s);
      co_await which;
    }
  };
  scope.Spawn(Story::Run(loop, &never));
  EXPECT_FALSE(Finish());
  EXPECT_EQ(loop.Now(), kSimulationEpoch);
  EXPECT_FALSE(scope.empty());
}

TEST_F(LoopTest, IsDoneBeforeTimeIsLetPass) {
  Signal go;
  struct Story {
    static Task<void> Run(Loop& l, Signal* s, bool* flag) {
      Select which(l, *s);
      co_await which;
      *flag = true;
    }
  };
  bool done = false;
  scope.Spawn(Story::Run(loop, &go, &done));
  scope.Spawn(SayAt(loop, Seconds(300), &log, "much later"));
  go.Set();
  EXPECT_TRUE(loop.RunUntil([&] { return done; }));
  EXPECT_EQ(loop.Now(), kSimulationEpoch);
}

TEST_F(LoopTest, IsCurrentOnlyWhileItRuns) {
  EXPECT_EQ(Loop::Current(), nullptr);
  loop.PostFromThread([&] { EXPECT_EQ(Loop::Current(), &loop); });
  loop.RunUntil([] { return false; });
  EXPECT_EQ(Loop::Current(), nullptr);
}

TEST_F(LoopTest, AFailedCheckInAnActionReachesTheCaller) {
  port.At(loop.Now() + Seconds(1), [] { CHECK(false, "an action fails"); });
  EXPECT_THROW(loop.RunUntil([] { return false; }), CheckFailed);
  EXPECT_EQ(Loop::Current(), nullptr);
}

TEST_F(LoopTest, WhatATaskPostsIsRunBeforeTimePasses) {
  struct Story {
    static Task<void> Run(Loop& l, Log* out) {
      Task<void> sleep = Sleep(l, Seconds(1));
      co_await sleep;
      l.PostFromThread([out] { out->push_back("posted"); });
    }
  };
  scope.Spawn(Story::Run(loop, &log));
  port.At(loop.Now() + Seconds(9), [&] { log.push_back("later"); });
  EXPECT_FALSE(loop.RunUntil([] { return false; }));
  EXPECT_EQ(log, (Log{"posted", "later"}));
}

// ---- Select and Choices

Task<void> SelectOf(Loop& loop, Signal* a, Signal* b, Signal* c, Log* log) {
  Select which(loop, *a, *b, *c);
  const int won = co_await which;
  log->push_back(std::to_string(won));
}

TEST_F(LoopTest, SelectWithoutChoicesTakesTheFirstNamed) {
  Signal a, b, c;
  b.Set();
  c.Set();
  scope.Spawn(SelectOf(loop, &a, &b, &c, &log));
  EXPECT_EQ(log, (Log{"1"})) << "at once: something was ready";
}

TEST(LoopChoices, SelectAsksWhichOfSeveralReadySources) {
  for (const bool wait_first : {false, true}) {
    Log log;
    ExhaustiveChoices all(4);
    do {
      SimPort port;
      Loop loop(port, &all);
      Signal a, b, c;
      TaskScope scope(loop);
      const auto set = [&] {
        a.Set();
        c.Set();
      };
      if (!wait_first) set();
      scope.Spawn(SelectOf(loop, &a, &b, &c, &log));
      if (wait_first) set();
      EXPECT_TRUE(loop.RunUntil([&] { return scope.empty(); }));
    } while (all.Next());
    EXPECT_EQ(log, (Log{"0", "2"}));
  }
}

TEST(LoopChoices, WhichReadyTaskGoesNextIsAChoice) {
  std::vector<std::string> orders;
  ExhaustiveChoices all(4);
  do {
    SimPort port;
    Loop loop(port, &all);
    Log log;
    TaskScope scope(loop);
    for (const char* word : {"a", "b", "c"}) scope.Spawn(SayAt(loop, Seconds(1), &log, word));
    EXPECT_TRUE(loop.RunUntil([&] { return scope.empty(); }));
    orders.push_back(log[0] + log[1] + log[2]);
  } while (all.Next());
  EXPECT_EQ(orders, (std::vector<std::string>{"abc", "acb", "bac", "bca", "cab", "cba"}));
}

// Sixteen tasks that sleep, hand values on and stop each other; the log is the whole story.
Task<void> Chatter(Loop& loop, Channel<int>* in, Channel<int>* out, Signal* stop, int me,
                   Log* log) {
  for (int i = 0; i < 20; ++i) {
    const auto pause = static_cast<int64_t>(loop.choices()->Below(3, "pause"));
    Timer timer(loop, loop.Now() + Millis(pause));
    Select which(loop, *stop, *in, timer);
    const int won = co_await which;
    log->push_back(std::to_string(me) + ":" + std::to_string(won));
    if (won == 0) break;
    if (won == 1) in->TryPop();
    out->Push(me);
  }
  if (me == 7) stop->Set();
}

std::string LifeOf(uint64_t seed) {
  SeededChoices choices(seed);
  SimPort port;
  Loop loop(port, &choices);
  Log log;
  std::vector<Channel<int>> channels(16);
  Signal stop;
  TaskScope scope(loop);
  for (int i = 0; i < 16; ++i) {
    const auto at = static_cast<size_t>(i);
    scope.Spawn(Chatter(loop, &channels[at], &channels[(at * 5 + 3) % 16], &stop, i, &log));
  }
  EXPECT_TRUE(loop.RunUntil([&] { return scope.empty(); }));
  std::string all;
  for (const std::string& word : log) all += word + " ";
  return all + FormatSeconds(loop.Now() - kSimulationEpoch);
}

TEST(LoopChoices, TheSameChoicesGiveTheSameLife) {
  EXPECT_EQ(LifeOf(1), LifeOf(1));
  EXPECT_NE(LifeOf(1), LifeOf(2));
}

// ---- Sources

TEST_F(LoopTest, ASpuriousWakeIsNoWake) {
  Event event;
  struct Story {
    static Task<void> Run(Loop& l, Event* e, Log* out) {
      Select which(l, *e);
      co_await which;
      out->push_back(e->Take() ? "took" : "nothing there");
    }
  };
  scope.Spawn(Story::Run(loop, &event, &log));
  scope.Spawn(Story::Run(loop, &event, &log));
  event.Raise();
  EXPECT_FALSE(Finish()) << "the first takes it, the second goes on waiting";
  EXPECT_EQ(log, (Log{"took"}));
  event.Raise();
  EXPECT_TRUE(Finish());
  EXPECT_EQ(log, (Log{"took", "took"}));
}

TEST_F(LoopTest, AChannelGivesWhatWasPushedThenSaysThatItIsClosed) {
  Channel<std::string> channel;
  struct Story {
    static Task<void> Run(Loop& l, Channel<std::string>* in, Log* out) {
      for (;;) {
        Select which(l, *in);
        co_await which;
        std::optional<std::string> word = in->TryPop();
        if (!word) break;
        out->push_back(*word);
      }
      out->push_back("closed");
    }
  };
  scope.Spawn(Story::Run(loop, &channel, &log));
  channel.Push("a");
  channel.Push("b");
  channel.Close();
  EXPECT_TRUE(Finish());
  EXPECT_EQ(log, (Log{"a", "b", "closed"}));
}

TEST_F(LoopTest, AWaiterIsWokenOnceThoughSeveralOfItsSourcesCall) {
  Signal a, b, c;
  scope.Spawn(SelectOf(loop, &a, &b, &c, &log));
  b.Set();
  b.Set();
  a.Set();
  EXPECT_TRUE(Finish());
  EXPECT_EQ(log, (Log{"0"}));
}

// ---- Other threads

TEST(LoopThreads, WhatOtherThreadsPostRunsHereInOrder) {
  SocketPort port;
  Loop loop(port);
  std::vector<int> seen;
  const auto here = std::this_thread::get_id();
  std::thread other([&] {
    for (int i = 0; i < 1000; ++i) {
      loop.PostFromThread([&seen, &here, i] {
        EXPECT_EQ(std::this_thread::get_id(), here);
        seen.push_back(i);
      });
    }
    loop.Stop();
  });
  loop.Run();
  other.join();
  ASSERT_EQ(seen.size(), 1000u);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(seen[static_cast<size_t>(i)], i);
}

TEST(LoopThreads, ManyThreadsMayPostAndWakeTasks) {
  SocketPort port;
  Loop loop(port);
  Channel<int> channel;
  int64_t sum = 0;
  TaskScope scope(loop);
  struct Story {
    static Task<void> Run(Loop& l, Channel<int>* in, int64_t* out) {
      for (int i = 0; i < 4000; ++i) {
        Select which(l, *in);
        co_await which;
        *out += in->TryPop().value_or(0);
      }
      l.Stop();
    }
  };
  scope.Spawn(Story::Run(loop, &channel, &sum));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 1000; ++i) loop.PostFromThread([&channel] { channel.Push(1); });
    });
  }
  loop.Run();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(sum, 4000);
}

TEST(LoopThreads, StopFromAnotherThreadEndsALoopThatSleeps) {
  SocketPort port;
  Loop loop(port);
  std::thread other([&] { loop.Stop(); });
  loop.Run();
  other.join();
  loop.Run();  // stays stopped
}

TEST(LoopThreads, ALoopMayBeRunOnAfterStop) {
  SimPort port;
  Loop loop(port);
  loop.Stop();
  loop.Run();
  EXPECT_FALSE(loop.RunUntil([] { return false; }, loop.Now() + Seconds(3)));
  EXPECT_EQ(loop.Now(), kSimulationEpoch + Seconds(3));
}

}  // namespace relist::loop_test
