// Several candidates over time: Run, its pace and its callbacks.
#include <fmt/core.h>
#include <gmock/gmock.h>

#include <list>

#include "core/runtime/sim_port.h"
#include "reflector/election/leader_elector.h"
#include "reflector/testing/memory_lock.h"

namespace relist {
namespace leader_elector_run_test {

using ::testing::Contains;
using ::testing::ElementsAre;
using testing::MemoryLease;
using testing::MemoryLock;

struct Election {
  struct Candidate {
    Candidate(Election& election, const std::string& name)
        : lock(election.loop, election.lease, name) {}
    MemoryLock lock;
    Signal stop;
    std::unique_ptr<LeaderElector> elector;
  };

  explicit Election(Choices* with = nullptr, bool release = false)
      : choices(with ? with : &boring),
        release_on_cancel(release),
        loop(port, choices),
        scope(loop) {}

  Candidate& Stand(const std::string& name) {
    Candidate& candidate = candidates.emplace_back(*this, name);
    LeaderElectionOptions options;
    options.choices = choices;
    options.release_on_cancel = release_on_cancel;
    options.on_started_leading = [this, name](Signal& lost) { return Lead(*this, name, lost); };
    options.on_stopped_leading = [this, name] { Note(name + " stopped"); };
    options.on_new_leader = [this, name](const std::string& who) {
      Note(name + " sees " + (who.empty() ? "nobody" : who));
    };
    candidate.elector = std::move(*LeaderElector::Make(loop, candidate.lock, std::move(options)));
    scope.Spawn(candidate.elector->Run(candidate.stop));
    return candidate;
  }
  static Task<void> Lead(Election& election, std::string name, Signal& lost) {
    election.Note(name + " leads");
    ++election.leading;
    election.most_leading = std::max(election.most_leading, election.leading);
    Select which(election.loop, lost);
    co_await which;
    --election.leading;
    election.Note(name + " lost");
  }
  void Note(const std::string& what) {
    story.push_back(FormatSeconds(loop.Now() - kSimulationEpoch) + " " + what);
  }
  void RunFor(Duration d) {
    loop.RunUntil([] { return false; }, loop.Now() + d);
  }

  BoringChoices boring;
  Choices* choices;
  bool release_on_cancel;
  SimPort port;
  Loop loop;
  MemoryLease lease;
  std::vector<std::string> story;
  int leading = 0, most_leading = 0;
  std::list<Candidate> candidates;
  TaskScope scope;
};

TEST(LeaderElectorRun, LeadsUntilItIsStopped) {
  Election election;
  auto& one = election.Stand("one");
  election.RunFor(Seconds(9));
  EXPECT_THAT(one.lock.calls,
              ElementsAre("get", "create", "update", "update", "update", "update", "update"));
  one.stop.Set();
  election.RunFor(Seconds(5));
  EXPECT_THAT(election.story, ElementsAre("0.000 one sees one", "0.000 one leads",
                                          "9.000 one stopped", "9.000 one lost"));
  EXPECT_THAT(one.lock.events, ElementsAre("became leader", "stopped leading"));
  EXPECT_EQ(election.lease.record->holder_identity, "one");  // it was not given back
}

TEST(LeaderElectorRun, StopsWithoutHavingLed) {
  Election election;
  election.Stand("one");
  auto& two = election.Stand("two");
  election.RunFor(Seconds(5));
  two.stop.Set();
  election.RunFor(Seconds(5));
  EXPECT_THAT(election.story, ElementsAre("0.000 one sees one", "0.000 one leads",
                                          "0.000 two sees one", "5.000 two stopped"));
}

TEST(LeaderElectorRun, IsFollowedWhenItsLeaseRanOut) {
  Election election;
  auto& one = election.Stand("one");
  election.Stand("two");
  election.RunFor(Seconds(5));
  one.stop.Set();  // wrote last at 4 s
  election.RunFor(Seconds(60));
  EXPECT_THAT(election.story, Contains("20.000 two leads"));
  EXPECT_EQ(election.lease.record->leader_transitions, 1);
  EXPECT_EQ(election.most_leading, 1);
}

TEST(LeaderElectorRun, IsFollowedAtOnceWhereItGivesTheLeaseBack) {  // TestReleaseOnCancellation
  Election election(nullptr, /*release=*/true);
  auto& one = election.Stand("one");
  election.Stand("two");
  election.RunFor(Seconds(5));
  one.stop.Set();
  election.RunFor(Seconds(60));
  EXPECT_THAT(election.story, Contains("6.000 two leads"));
  EXPECT_EQ(election.most_leading, 1);
}

TEST(LeaderElectorRun, GivesUpWhereItCouldNotRenewForTenSeconds) {
  Election election;
  auto& one = election.Stand("one");
  election.Stand("two");
  election.RunFor(Seconds(1));
  one.lock.calls.clear();
  one.lock.broken = "all";
  election.RunFor(Seconds(60));
  // The try of 2 s began it; each of the five tries writes, and reads.
  EXPECT_EQ(one.lock.calls.size(), 10u);
  EXPECT_THAT(election.story,
              ElementsAre("0.000 one sees one", "0.000 one leads", "0.000 two sees one",
                          "12.000 one stopped", "12.000 one lost", "16.000 two sees two",
                          "16.000 two leads"));
}

TEST(LeaderElectorRun, GivesUpWhereTheServerHangs) {
  Election election;
  auto& one = election.Stand("one");
  election.RunFor(Seconds(1));
  one.lock.hangs = true;
  election.RunFor(Seconds(60));
  EXPECT_THAT(election.story, Contains("12.000 one lost"));
}

TEST(LeaderElectorRun, KeepsLeadingThroughAShortOutage) {
  Election election;
  auto& one = election.Stand("one");
  election.RunFor(Seconds(1));
  one.lock.broken = "all";
  election.RunFor(Seconds(8));  // the tries of 2, 4, 6 and 8 s fail
  one.lock.broken = "";
  election.RunFor(Seconds(60));
  EXPECT_THAT(election.story, ElementsAre("0.000 one sees one", "0.000 one leads"));
}

TEST(LeaderElectorRun, TriesAgainAfterTwoSecondsAndUpToTwoAndFourTenthsMore) {
  struct Last : Choices {
    uint64_t Below(uint64_t n, std::string_view point) override {
      return point == "election" ? n - 1 : 0;
    }
  };
  Last last;
  Election election(&last);
  election.lease.Put({.holder_identity = "other", .lease_duration_seconds = 10000});
  auto& one = election.Stand("one");
  election.RunFor(Millis(4390));
  EXPECT_EQ(one.lock.calls.size(), 1u);
  election.RunFor(Millis(20));
  EXPECT_EQ(one.lock.calls.size(), 2u);
}

TEST(LeaderElectorRun, StandsAgain) {
  Election election;
  auto& one = election.Stand("one");
  election.RunFor(Seconds(1));
  one.lock.broken = "all";
  election.RunFor(Seconds(20));
  one.lock.broken = "";
  election.scope.Spawn(one.elector->Run(one.stop));
  election.RunFor(Seconds(5));
  EXPECT_THAT(election.story,
              ElementsAre("0.000 one sees one", "0.000 one leads", "12.000 one stopped",
                          "12.000 one lost", "21.000 one leads"));
}

TEST(LeaderElectorRun, NeverHasTwoLeadersWhereClocksRunAlike) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    SeededChoices choices(seed);
    Election election(&choices, /*release=*/seed % 2 == 0);
    for (const char* name : {"one", "two", "three"}) election.Stand(name);
    for (int i = 0; i < 40; ++i) {
      for (Election::Candidate& candidate : election.candidates) {
        candidate.lock.broken = choices.OneIn(4, "broken") ? "all" : "";
        candidate.lock.conflicts = static_cast<int>(choices.Below(2, "conflicts"));
        if (choices.OneIn(20, "stop")) candidate.stop.Set();
      }
      election.RunFor(Seconds(static_cast<int64_t>(choices.Below(10, "pause"))));
      ASSERT_LE(election.most_leading, 1) << fmt::format("seed {}, step {}", seed, i);
    }
  }
}

}  // namespace leader_elector_run_test
}  // namespace relist
