#include "core/runtime/sim_port.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace relist::sim_port_test {

using Log = std::vector<std::string>;

// ---- The clock

TEST(SimPort, JumpsFromOneThingToTheNext) {
  SimPort port;
  Log log;
  port.At(port.Now() + Seconds(2), [&] { log.push_back("2"); });
  port.At(port.Now() + Seconds(1), [&] { log.push_back("1"); });
  EXPECT_TRUE(port.Wait(kNever));
  EXPECT_EQ(port.Now(), kSimulationEpoch + Seconds(1));
  EXPECT_EQ(log, (Log{"1"}));
  EXPECT_TRUE(port.Wait(kNever));
  EXPECT_EQ(port.Now(), kSimulationEpoch + Seconds(2));
  EXPECT_EQ(log, (Log{"1", "2"}));
  EXPECT_FALSE(port.Wait(kNever)) << "nothing can ever happen again";
  EXPECT_EQ(port.Now(), kSimulationEpoch + Seconds(2));
}

TEST(SimPort, GoesNoFurtherThanTheDeadline) {
  SimPort port;
  Log log;
  port.At(port.Now() + Seconds(2), [&] { log.push_back("2"); });
  EXPECT_TRUE(port.Wait(port.Now() + Seconds(1)));
  EXPECT_EQ(port.Now(), kSimulationEpoch + Seconds(1));
  EXPECT_TRUE(log.empty());
  EXPECT_TRUE(port.Wait(kSimulationEpoch)) << "a deadline that has passed lets no time pass";
  EXPECT_EQ(port.Now(), kSimulationEpoch + Seconds(1));
  EXPECT_TRUE(port.Wait(kSimulationEpoch + Seconds(2)));
  EXPECT_EQ(log, (Log{"2"}));
}

TEST(SimPort, ThingsDueAtOnceHappenInTheOrderInWhichTheyWereAskedFor) {
  SimPort port;
  std::string order;
  for (char c = 'a'; c <= 'z'; ++c)
    port.At(port.Now() + Seconds(c % 3), [&order, c] { order += c; });
  while (port.Wait(kNever)) {
  }
  EXPECT_EQ(order,
            "cfilorux"
            "adgjmpsvy"
            "behknqtwz");
}

TEST(SimPort, WhatAnActionAsksForAtTheSameTimeIsForTheNextWait) {
  SimPort port;
  Log log;
  port.At(port.Now(), [&] {
    log.push_back("first");
    port.At(port.Now() - Seconds(5), [&] { log.push_back("second"); });
  });
  EXPECT_TRUE(port.Wait(kNever));
  EXPECT_EQ(log, (Log{"first"}));
  EXPECT_TRUE(port.Wait(port.Now()));
  EXPECT_EQ(log, (Log{"first", "second"}));
  EXPECT_EQ(port.Now(), kSimulationEpoch) << "the past is now at the earliest";
}

TEST(SimPort, ATicketCancelsOnceAndOnlyItsOwn) {
  SimPort port;
  Log log;
  const SimPort::Ticket a = port.At(port.Now() + Seconds(1), [&] { log.push_back("a"); });
  port.Cancel(a);
  const SimPort::Ticket b = port.At(port.Now() + Seconds(1), [&] { log.push_back("b"); });
  port.Cancel(a);  // its place was given to b
  port.Cancel({});
  EXPECT_EQ(port.pending(), 1u);
  EXPECT_TRUE(port.Wait(kNever));
  port.Cancel(b);
  EXPECT_EQ(log, (Log{"b"}));
  EXPECT_EQ(port.At(kNever, [] {}).sequence, 0u);
  EXPECT_FALSE(port.Wait(kNever)) << "what is for never, never comes";
}

TEST(SimPort, AnActionMayCancelAnotherThatIsDueNow) {
  SimPort port;
  Log log;
  SimPort::Ticket second;
  port.At(port.Now(), [&] { port.Cancel(second); });
  second = port.At(port.Now(), [&] { log.push_back("second"); });
  EXPECT_TRUE(port.Wait(kNever));
  EXPECT_TRUE(log.empty());
}

TEST(SimPort, DeadlinesMovedAMillionTimesLeaveNothingBehind) {
  SimPort port;
  int fired = 0;
  SimPort::Ticket ticket;
  for (int i = 0; i < 1000000; ++i) {
    port.Cancel(ticket);
    ticket = port.At(port.Now() + Seconds(60 + i % 7), [&] { ++fired; });
  }
  EXPECT_EQ(port.pending(), 1u);
  EXPECT_TRUE(port.Wait(kNever));
  EXPECT_FALSE(port.Wait(kNever));
  EXPECT_EQ(fired, 1);
}

TEST(SimPort, GoesAwayWithWhatIsStillToCome) {
  auto port = std::make_unique<SimPort>();
  auto held = std::make_shared<int>(1);
  for (int i = 0; i < 10; ++i) {
    struct Canceller {
      ~Canceller() { port->Cancel(ticket); }
      SimPort* port;
      SimPort::Ticket ticket;
    };
    auto canceller =
        std::make_shared<Canceller>(port.get(), SimPort::Ticket{static_cast<uint64_t>(i), 0});
    port->At(port->Now(), [held, canceller] {});
  }
  EXPECT_EQ(held.use_count(), 11);
  port.reset();
  EXPECT_EQ(held.use_count(), 1);
}

TEST(SmallFunction, KeepsSmallAndLargeClosuresAndMovesThem) {
  int calls = 0;
  auto held = std::make_shared<int>(0);
  struct Large {
    char padding[200] = {};
  };
  for (const bool large : {false, true}) {
    SmallFunction function;
    EXPECT_FALSE(function);
    if (large) {
      function =
          SmallFunction([&calls, held, padding = Large()] { calls += 1 + padding.padding[0]; });
    } else {
      function = SmallFunction([&calls, held] { ++calls; });
    }
    SmallFunction moved(std::move(function));
    function = std::move(moved);
    function();
    EXPECT_EQ(held.use_count(), 2);
    function.Clear();
    EXPECT_EQ(held.use_count(), 1);
  }
  EXPECT_EQ(calls, 2);
}

}  // namespace relist::sim_port_test
