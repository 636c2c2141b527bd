#include "reflector/election/leader_elector.h"

#include <gmock/gmock.h>

#include <vector>

#include "core/runtime/sim_port.h"
#include "reflector/election/lease_lock.h"
#include "reflector/testing/memory_lock.h"

namespace relist {
namespace leader_elector_test {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::MemoryLease;
using testing::MemoryLock;

Task<void> KeepBool(Task<bool> task, std::optional<bool>* into) {
  into->emplace(co_await task);
}

LeaderElectionRecord Held(const std::string& by, int seconds = 0) {
  LeaderElectionRecord record;
  record.holder_identity = by;
  record.lease_duration_seconds = seconds;
  return record;
}

// One candidate, "baz", try by try.
struct OneCandidate {
  OneCandidate() : loop(port), lock(loop, lease, "baz"), scope(loop) {
    LeaderElectionOptions options;
    options.lease_duration = Seconds(10);
    options.renew_deadline = Seconds(8);
    options.name = "bar";
    options.choices = &boring;
    options.on_started_leading = [this](Signal& lost) { return Lead(*this, lost); };
    options.on_stopped_leading = [] {};
    options.on_new_leader = [this](const std::string& who) { leaders.push_back(who); };
    elector = std::move(*LeaderElector::Make(loop, lock, std::move(options)));
  }
  static Task<void> Lead(OneCandidate&, Signal&) { co_return; }
  bool Finish(Task<bool> task) {
    std::optional<bool> result;
    scope.Spawn(KeepBool(std::move(task), &result));
    loop.RunUntil([&] { return result.has_value(); }, loop.Now() + Seconds(1000));
    return *result;
  }
  bool Try() {
    const bool ok = Finish(elector->TryAcquireOrRenew(stop));
    elector->ReportTransition();
    return ok;
  }
  void Pass(Duration d) {
    loop.RunUntil([] { return false; }, loop.Now() + d);
  }

  BoringChoices boring;
  SimPort port;
  Loop loop;
  MemoryLease lease;
  MemoryLock lock;
  Signal stop;
  std::vector<std::string> leaders;
  std::unique_ptr<LeaderElector> elector;
  TaskScope scope;
};

// The cases of client-go's TestTryAcquireOrRenewLeases.

TEST(LeaderElector, MakesTheLeaseWhereThereIsNone) {  // "acquire from no object"
  OneCandidate one;
  EXPECT_TRUE(one.Try());
  EXPECT_TRUE(one.elector->IsLeader());
  EXPECT_THAT(one.lock.calls, ElementsAre("get", "create"));
  EXPECT_THAT(one.leaders, ElementsAre("baz"));
  EXPECT_EQ(one.lease.record->leader_transitions, 0);
  EXPECT_EQ(one.lease.record->lease_duration_seconds, 10);
  EXPECT_EQ(one.lease.record->acquire_time, "2026-01-01T00:00:00.000000Z");
}

TEST(LeaderElector, TakesALeaseThatNobodyHolds) {  // "... without annotations", "from unled object"
  for (const int seconds : {0, 100}) {             // "acquire from empty led, acked object"
    OneCandidate one;
    one.lease.Put(Held("", seconds));
    EXPECT_TRUE(one.Try());
    EXPECT_THAT(one.lock.calls, ElementsAre("get", "update"));
    EXPECT_EQ(one.lease.record->holder_identity, "baz");
    EXPECT_EQ(one.lease.record->leader_transitions, 1);
    EXPECT_THAT(one.leaders, ElementsAre("baz"));
  }
}

TEST(LeaderElector, WaitsForTheDurationThatTheHolderWroteByItsOwnClock) {
  OneCandidate one;  // "acquire from led object with the lease duration seconds"
  LeaderElectionRecord held = Held("bing", 3);
  held.renew_time = "1999-01-01T00:00:00.000000Z";  // nobody looks at that
  one.lease.Put(held);
  EXPECT_FALSE(one.Try());
  one.Pass(Millis(2900));
  EXPECT_FALSE(one.Try());
  EXPECT_THAT(one.leaders, ElementsAre("bing"));
  one.Pass(Millis(100));
  EXPECT_TRUE(one.Try());
  EXPECT_EQ(one.lease.record->leader_transitions, 1);
  EXPECT_THAT(one.leaders, ElementsAre("bing", "baz"));
}

TEST(LeaderElector, WaitsAnewWheneverTheRecordChanged) {  // "don't acquire from led, acked object"
  OneCandidate one;
  LeaderElectionRecord held = Held("bing", 3);
  for (int i = 0; i < 5; ++i) {
    held.renew_time = std::to_string(i);
    one.lease.Put(held);
    EXPECT_FALSE(one.Try());
    one.Pass(Seconds(2));
  }
  EXPECT_EQ(one.lease.record->holder_identity, "bing");
}

TEST(LeaderElector, RenewsWithoutReading) {  // TestFastPathLeaderElection
  OneCandidate one;
  ASSERT_TRUE(one.Try());
  one.lock.calls.clear();
  one.Pass(Seconds(2));
  EXPECT_TRUE(one.Try());
  EXPECT_THAT(one.lock.calls, ElementsAre("update"));
  EXPECT_EQ(one.lease.record->acquire_time, "2026-01-01T00:00:00.000000Z");
  EXPECT_EQ(one.lease.record->renew_time, "2026-01-01T00:00:02.000000Z");
}

TEST(LeaderElector, ReadsWhereSomebodyWroteInBetween) {  // TestFastPathLeaderElection
  OneCandidate one;
  ASSERT_TRUE(one.Try());
  one.lock.calls.clear();
  one.lease.Put(*one.lease.record);  // a label, say
  EXPECT_TRUE(one.Try());
  EXPECT_THAT(one.lock.calls, ElementsAre("update", "get", "update"));
  EXPECT_EQ(one.lease.record->leader_transitions, 0);
}

TEST(LeaderElector, ReadsItsOwnLeaseBackAfterItRanOut) {  // "renew already acquired object"
  OneCandidate one;
  ASSERT_TRUE(one.Try());
  one.lock.calls.clear();
  one.Pass(Seconds(11));
  EXPECT_TRUE(one.Try());
  EXPECT_THAT(one.lock.calls, ElementsAre("get", "update"));
  EXPECT_EQ(one.lease.record->acquire_time, "2026-01-01T00:00:00.000000Z");
}

TEST(LeaderElector, FailsWhereTheLeaseCannotBeReadOrWritten) {
  for (const std::string broken : {"get", "create"}) {
    OneCandidate one;
    one.lock.broken = broken;
    EXPECT_FALSE(one.Try());
    EXPECT_FALSE(one.elector->IsLeader());
  }
  OneCandidate one;
  one.lease.Put(Held(""));
  one.lock.broken = "update";
  EXPECT_FALSE(one.Try());
  EXPECT_FALSE(one.elector->IsLeader());
}

TEST(LeaderElector, GivesItsLeaseBack) {  // TestReleaseLeaseLeases, TestReleaseMethodCallsGet
  OneCandidate one;
  ASSERT_TRUE(one.Try());
  one.lock.calls.clear();
  EXPECT_TRUE(one.Finish(one.elector->Release()));
  EXPECT_THAT(one.lock.calls, ElementsAre("get", "update"));
  EXPECT_EQ(one.lease.record->holder_identity, "");
  EXPECT_EQ(one.lease.record->lease_duration_seconds, 1);
  EXPECT_FALSE(one.elector->IsLeader());
  one.elector->ReportTransition();
  EXPECT_THAT(one.leaders, ElementsAre("baz", ""));
}

TEST(LeaderElector, GivesItsLeaseBackAfterConflicts) {  // TestReleaseRetriesOnConflict
  OneCandidate one;
  ASSERT_TRUE(one.Try());
  one.lock.calls.clear();
  one.lock.conflicts = 2;
  EXPECT_TRUE(one.Finish(one.elector->Release()));
  EXPECT_THAT(one.lock.calls, ElementsAre("get", "update", "get", "update", "get", "update"));
  EXPECT_EQ(one.lease.record->holder_identity, "");
}

TEST(LeaderElector, GivesUpGivingBackWhereTheServerHangsOrFails) {
  OneCandidate one;
  ASSERT_TRUE(one.Try());
  one.lock.hangs = true;
  const TimePoint start = one.loop.Now();
  EXPECT_FALSE(one.Finish(one.elector->Release()));
  EXPECT_EQ(one.loop.Now() - start, Seconds(8));
  one.lock.hangs = false;
  one.lock.broken = "update";
  EXPECT_FALSE(one.Finish(one.elector->Release()));
}

TEST(LeaderElector, GivesNoLeaseBackThatIsSomebodyElses) {
  OneCandidate one;
  ASSERT_TRUE(one.Try());
  one.lease.Put(Held("bing", 15));  // baz has not seen it yet
  EXPECT_TRUE(one.Finish(one.elector->Release()));
  EXPECT_EQ(one.lease.record->holder_identity, "bing");
}

TEST(LeaderElector, IsUnhealthyWhereItsLeaseRanOutUnrenewed) {  // TestLeaderElectionHealthChecker
  OneCandidate one;
  EXPECT_TRUE(one.elector->Check(Seconds(5)).ok());
  ASSERT_TRUE(one.Try());
  one.Pass(Seconds(15));
  EXPECT_TRUE(one.elector->Check(Seconds(5)).ok());
  one.Pass(Seconds(1));
  EXPECT_EQ(one.elector->Check(Seconds(5)).error().message(),
            "failed election to renew leadership on lease bar");
}

TEST(LeaderElector, RefusesWhatDoesNotGoTogether) {  // TestLeaderElectionConfigValidation
  OneCandidate one;
  const auto why = [&](const std::function<void(LeaderElectionOptions&)>& spoil,
                       const std::string& identity = "baz") {
    MemoryLock lock(one.loop, one.lease, identity);
    LeaderElectionOptions options;
    options.choices = &one.boring;
    options.on_started_leading = [&](Signal& lost) { return OneCandidate::Lead(one, lost); };
    options.on_stopped_leading = [] {};
    spoil(options);
    const auto made = LeaderElector::Make(one.loop, lock, std::move(options));
    return made.ok() ? std::string() : made.error().message();
  };
  using Options = LeaderElectionOptions;
  EXPECT_EQ(why([](Options&) {}), "");
  EXPECT_EQ(why([](Options& o) { o.lease_duration = o.renew_deadline; }),
            "leaseDuration must be greater than renewDeadline");
  EXPECT_EQ(why([](Options& o) { o.retry_period = Seconds(9); }),
            "renewDeadline must be greater than retryPeriod*JitterFactor");
  EXPECT_EQ(why([](Options& o) { o.retry_period = Seconds(0); }),
            "retryPeriod must be greater than zero");
  EXPECT_EQ(why([](Options& o) { o.on_started_leading = nullptr; }),
            "OnStartedLeading callback must not be nil");
  EXPECT_EQ(why([](Options& o) { o.on_stopped_leading = nullptr; }),
            "OnStoppedLeading callback must not be nil");
  EXPECT_EQ(why([](Options&) {}, ""), "Lock identity is empty");
}

}  // namespace leader_elector_test
}  // namespace relist
