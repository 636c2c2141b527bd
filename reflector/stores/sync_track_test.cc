#include "reflector/stores/sync_track.h"

#include <gmock/gmock.h>

#include <string>
#include <thread>
#include <vector>

namespace relist {
namespace sync_track_test {

// The two trackers, in the same words.
struct Single {
  SingleFileTracker tracker;
  explicit Single(std::function<void()> on_synced) : tracker(std::move(on_synced)) {}
  void Start() { tracker.Start(); }
  void Finished() { tracker.Finished(); }
};
struct Async {
  AsyncTracker<std::string> tracker;
  explicit Async(std::function<void()> on_synced) : tracker(std::move(on_synced)) {}
  void Start() { tracker.Start("key"); }
  void Finished() { tracker.Finished("key"); }
};

template <class T>
class SyncTrack : public ::testing::Test {};
using Trackers = ::testing::Types<Single, Async>;
TYPED_TEST_SUITE(SyncTrack, Trackers);

// TestBasicLogic, TestSingleFile: upstream may have synced before or after the item was dealt with.
TYPED_TEST(SyncTrack, WantsBothTheUpstreamAndItsItems) {
  struct Case {
    bool upstream, upstream_first, finish;
  };
  for (const Case& one :
       {Case{false, false, true}, Case{true, false, false}, Case{true, true, false},
        Case{false, false, false}, Case{true, false, true}, Case{true, true, true}}) {
    int told = 0;
    TypeParam bench([&told] { ++told; });
    EXPECT_FALSE(bench.tracker.HasSynced());
    bench.Start();
    if (one.upstream && one.upstream_first) bench.tracker.UpstreamHasSynced();
    EXPECT_FALSE(bench.tracker.HasSynced());
    if (one.finish) bench.Finished();
    if (one.upstream && !one.upstream_first) {
      EXPECT_FALSE(bench.tracker.HasSynced());
      bench.tracker.UpstreamHasSynced();
    }
    const bool synced = one.upstream && one.finish;
    EXPECT_EQ(bench.tracker.HasSynced(), synced);
    bench.tracker.UpstreamHasSynced();
    EXPECT_EQ(told, one.finish ? 1 : 0);  // once
  }
}

TYPED_TEST(SyncTrack, IsSyncedAtOnceWhereThereWasNothing) {
  TypeParam bench({});
  bench.tracker.UpstreamHasSynced();
  EXPECT_TRUE(bench.tracker.HasSynced());
}

TEST(AsyncTracker, IsUsedFromManyThreads) {  // TestAsyncLocking
  AsyncTracker<int> tracker;
  std::vector<std::thread> threads;
  for (int i = 0; i < 11; ++i) {
    threads.emplace_back([&tracker, i] {
      tracker.Start(i);
      std::thread([&tracker, i] { tracker.Finished(i); }).join();
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(tracker.HasSynced());
  tracker.UpstreamHasSynced();
  EXPECT_TRUE(tracker.HasSynced());
}

TEST(AsyncTracker, DoesNotMindWhatWasNeverStarted) {
  AsyncTracker<int> tracker;
  tracker.Start(1);
  tracker.Start(1);  // the same
  tracker.UpstreamHasSynced();
  tracker.Finished(2);
  EXPECT_FALSE(tracker.HasSynced());
  tracker.Finished(1);
  EXPECT_TRUE(tracker.HasSynced());
  tracker.Start(3);  // later ones change nothing
  EXPECT_TRUE(tracker.HasSynced());
}

TEST(SingleFileTracker, Counts) {  // TestSingleFileCounting
  SingleFileTracker tracker;
  for (int i = 0; i < 100; ++i) tracker.Start();
  for (int i = 0; i < 99; ++i) tracker.Finished();
  EXPECT_FALSE(tracker.HasSynced());
  tracker.Finished();
  EXPECT_FALSE(tracker.HasSynced());
  tracker.UpstreamHasSynced();
  EXPECT_TRUE(tracker.HasSynced());
  EXPECT_THROW(tracker.Finished(), CheckFailed);
  EXPECT_TRUE(tracker.HasSynced());
}

}  // namespace sync_track_test
}  // namespace relist
