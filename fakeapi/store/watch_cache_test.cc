#include "fakeapi/store/watch_cache.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "core/choices.h"
#include "fakeapi/read/read_test_world.h"

namespace relist::fakeapi {
namespace watch_cache_test {

std::string Shown(const Snapshot& snapshot) {
  std::string out;
  for (const StoredRef& object : snapshot.objects) {
    out += fmt::format("{}@{} ", object->key.ToString(), object->revision);
  }
  return out;
}

TEST(WatchCache, AFreshOneServesWatchesFromItsListOn) {
  ReadTestWorld world;
  const uint64_t listed = world.Elsewhere();
  world.replica->Evict();
  WatchCache& cache = *world.replica->CacheOf(world.configmaps);
  EXPECT_EQ(cache.OldestStart(), listed);
  world.Put("ns/a", "1");
  world.Put("ns/a", "2");
  EXPECT_EQ(cache.OldestStart(), listed);
}

TEST(WatchCache, AWindowThatIsFullServesFromBeforeItsOldestEvent) {
  ReadTestWorld world(/*window=*/2);
  WatchCache& cache = *world.replica->CacheOf(world.configmaps);
  world.Put("ns/a", "1");
  world.Put("ns/a", "2");
  EXPECT_EQ(cache.OldestStart(), 1u);
  const uint64_t second = world.Put("ns/a", "3") - 1;
  EXPECT_EQ(cache.OldestStart(), second - 1);
}

TEST(WatchCache, TheOldestStartCountsRevisionsNotEvents) {
  ReadTestWorld world(/*window=*/1);
  WatchCache& cache = *world.replica->CacheOf(world.configmaps);
  world.Put("ns/a", "1");
  world.Elsewhere();
  world.Elsewhere();
  const uint64_t last = world.Put("ns/a", "2");
  EXPECT_EQ(cache.OldestStart(), last - 1);
}

TEST(WatchCache, EmptyingTheWindowMovesTheOldestStartToNowAndKeepsTheLog) {
  ReadTestWorld world;
  WatchCache& cache = *world.replica->CacheOf(world.configmaps);
  world.Put("ns/a", "1");
  world.Put("ns/a", "2");
  world.replica->Evict();
  EXPECT_EQ(cache.OldestStart(), world.store.revision());
  EXPECT_EQ(cache.log().end() - cache.log().first(), 2u);
}

TEST(WatchCache, AWindowThatWasFullIsEmptiedLikeAnyOther) {
  ReadTestWorld world(/*window=*/1);
  WatchCache& cache = *world.replica->CacheOf(world.configmaps);
  for (const char* value : {"1", "2", "3"}) world.Put("ns/a", value);
  world.replica->Evict();
  EXPECT_EQ(cache.OldestStart(), world.store.revision());
}

// Every past state, rebuilt in any order, is what it was when it was present.
TEST(WatchCache, SnapshotsOfThePastAreWhatWasThere) {
  ReadTestWorld world;
  SeededChoices choices(7);
  std::vector<std::pair<uint64_t, std::string>> states;
  WatchCache& cache = *world.replica->CacheOf(world.configmaps);
  for (int i = 0; i < 300; ++i) {
    const std::string key =
        fmt::format("ns{}/k{}", choices.Below(3, "ns"), choices.Below(7, "key"));
    const uint64_t what = choices.Below(8, "what");
    if (what == 0) {
      world.Elsewhere();
    } else if (what < 4 && world.store.Find(world.configmaps, ObjectKey::Parse(key))) {
      world.Remove(key);
    } else {
      world.Put(key, std::to_string(i));
    }
    const uint64_t now = world.store.revision();
    states.emplace_back(now, Shown(*cache.log().At(now, choices.OneIn(3, "again"))));
  }
  for (int i = 0; i < 1000; ++i) {
    const auto& [revision, shown] = states[choices.Below(states.size(), "state")];
    ASSERT_EQ(Shown(*cache.log().At(revision)), shown) << revision;
  }
}

TEST(WatchCache, ASnapshotIsMadeOnceWhileNothingChanges) {
  ReadTestWorld world;
  WatchCache& cache = *world.replica->CacheOf(world.configmaps);
  const uint64_t first = world.Put("ns/a", "1");
  const SnapshotRef paged = cache.log().At(first, /*again=*/true);
  EXPECT_EQ(cache.log().At(world.Elsewhere()), paged);
  world.Put("ns/b", "1");
  EXPECT_EQ(cache.log().At(first), paged) << "a page went out of it, so that it was worth keeping";
}

TEST(WatchCache, NamespacesAndKeysAreFoundInASnapshot) {
  ReadTestWorld world;
  for (const char* key : {"a/x", "a-b/x", "a/y", "b/x"}) world.Put(key, "1");
  const SnapshotRef all =
      world.replica->CacheOf(world.configmaps)->log().At(world.store.revision());
  EXPECT_EQ(Shown(*all), "a-b/x@3 a/x@2 a/y@4 b/x@5 ");
  EXPECT_EQ(all->InNamespace("a"), (Snapshot::Range{1, 3}));
  EXPECT_EQ(all->InNamespace("a-b"), (Snapshot::Range{0, 1}));
  EXPECT_EQ(all->InNamespace("none"), (Snapshot::Range{4, 4}));
  EXPECT_EQ(all->InNamespace(""), (Snapshot::Range{0, 4}));
  EXPECT_EQ(all->LowerBound({"a", "xx"}), 2u);
  for (size_t i = 0; i < all->objects.size(); ++i) {
    const std::string path = all->objects[i]->key.ToString();
    EXPECT_EQ(all->LowerBoundPath(path), i);
    EXPECT_EQ(all->LowerBoundPath(path + '\0'), i + 1);
  }
  EXPECT_EQ(all->LowerBoundPath(""), 0u);
  EXPECT_EQ(all->LowerBoundPath("z"), all->objects.size());
}

TEST(WatchCache, TheLogIsCutOnlyWhereNobodyMayAskForItAnyMore) {
  constexpr uint64_t kBuffer = 100, kEvents = 150;
  ReadTestWorld world(WatchCacheOptions{.window = 200, .watcher_buffer = kBuffer});
  EventLog& log = world.replica->CacheOf(world.configmaps)->log();
  const auto put = [&world](uint64_t count) {
    for (uint64_t i = 0; i < count; ++i) world.Put("ns/a", std::to_string(i));
  };
  put(kEvents);
  world.Compact(world.store.revision(), /*learned=*/false);
  EXPECT_EQ(log.end() - log.first(), kEvents) << "the cache's snapshots are made from it";
  world.Compact(world.store.revision(), /*learned=*/true);
  EXPECT_EQ(log.end() - log.first(), kEvents) << "the window has it";
  put(kEvents);
  EXPECT_EQ(log.end() - log.first(), 2 * kEvents - 100) << "older than window and compaction";
  world.replica->Evict();
  world.Compact(world.store.revision(), /*learned=*/true);
  EXPECT_EQ(log.end() - log.first(), 200u) << "open watches may be behind";
  put(kEvents);
  EXPECT_EQ(log.end() - log.first(), 200u);
}

TEST(WatchCache, WithoutACompactionTheLogIsKeptForExactLists) {
  ReadTestWorld world(WatchCacheOptions{.window = 2, .watcher_buffer = 1});
  for (int i = 0; i < 50; ++i) world.Put("ns/a", std::to_string(i));
  EXPECT_EQ(ItemsOf(world.List("resourceVersion=7&resourceVersionMatch=Exact")), "a=5");
}

TEST(WatchCache, WhatFallsOutOfTheWindowTakesItsSnapshotAlong) {
  ReadTestWorld world(/*window=*/2);
  WatchCache& cache = *world.replica->CacheOf(world.configmaps);
  for (int i = 0; i < 5; ++i) world.Put("ns/a", std::to_string(i));  // 2 to 6
  EXPECT_FALSE(cache.CanServeExact(4));
  EXPECT_TRUE(cache.CanServeExact(5));
  world.Compact(6, /*learned=*/false);
  EXPECT_EQ(StatusOf(world.List("resourceVersion=4&resourceVersionMatch=Exact")), 410)
      << "nor does etcd have it";
  EXPECT_EQ(ItemsOf(world.List("resourceVersion=5&resourceVersionMatch=Exact")), "a=3");
}

// TestDynamicCache: a window that is too small for 75 s doubles, one that spans far more is halved.
TEST(WatchCache, AWindowLikeTheRealServersGrowsAndShrinks) {
  ReadTestWorld world(/*window=*/0);
  WatchCache& cache = *world.replica->CacheOf(world.configmaps);
  const auto put = [&world](int count, Duration apart) {
    for (int i = 0; i < count; ++i) {
      world.now += apart;
      world.Put("ns/a", std::to_string(i));
    }
  };
  put(101, Millis(10));
  EXPECT_EQ(cache.OldestStart(), 1u) << "100 are full, and young";
  put(99, Seconds(1));
  put(1, Seconds(1));
  EXPECT_EQ(cache.OldestStart(), 2u) << "200 are full, and old: the oldest goes";
  EXPECT_EQ(cache.end() - cache.window_begin(), 200u);
  put(60, Seconds(2));
  EXPECT_EQ(cache.end() - cache.window_begin(), 100u) << "half of it spans more than 75 s";
  put(500, Seconds(3));
  EXPECT_EQ(cache.end() - cache.window_begin(), 100u) << "no smaller than at first";
}

// TestSuggestedWatchChannelSize.
TEST(WatchCache, BuffersLikeTheRealServersFollowTheWindow) {
  ReadTestWorld small(WatchCacheOptions{.window = 100, .watcher_buffer = 0});
  const auto& cache = small.replica->CacheOf(small.configmaps);
  EXPECT_EQ(cache->BufferOf(WatchIndex::kUnused), 20u);
  EXPECT_EQ(cache->BufferOf(WatchIndex::kNone), 20u);
  EXPECT_EQ(cache->BufferOf(WatchIndex::kTriggered), 20u);
  ReadTestWorld large(WatchCacheOptions{.window = 102400, .watcher_buffer = 0});
  const auto& large_cache = large.replica->CacheOf(large.configmaps);
  EXPECT_EQ(large_cache->BufferOf(WatchIndex::kUnused), 2000u);
  EXPECT_EQ(large_cache->BufferOf(WatchIndex::kNone), 200u);
  EXPECT_EQ(large_cache->BufferOf(WatchIndex::kTriggered), 20u);
  ReadTestWorld middle(WatchCacheOptions{.window = 1600, .watcher_buffer = 0});
  EXPECT_EQ(middle.replica->CacheOf(middle.configmaps)->BufferOf(WatchIndex::kNone), 44u);
}

class LeavingReader : public LogReader {
 public:
  LeavingReader(WatchCache& cache, std::vector<LogReader*> leave, std::string name,
                std::string* log)
      : cache_(cache), leave_(std::move(leave)), name_(std::move(name)), log_(log) {
    cache_.AddReader(this);
  }
  ~LeavingReader() override { cache_.RemoveReader(this); }
  void OnAppend(uint64_t, const CachedEvent&, TimePoint) override { OnNotice(); }
  void OnNotice() override {
    *log_ += name_;
    for (LogReader* reader : leave_) cache_.RemoveReader(reader);
  }

 private:
  WatchCache& cache_;
  std::vector<LogReader*> leave_;
  std::string name_;
  std::string* log_;
};

TEST(WatchCache, ReadersMayLeaveWhileTheyAreTold) {
  ReadTestWorld world;
  WatchCache& cache = *world.replica->CacheOf(world.configmaps);
  std::string log;
  LeavingReader a(cache, {}, "a", &log);
  LeavingReader b(cache, {&a, &b}, "b", &log);
  LeavingReader c(cache, {}, "c", &log);
  LeavingReader d(cache, {&c}, "d", &log);
  world.Put("ns/x", "1");
  EXPECT_EQ(log, "abcd");
  world.Put("ns/x", "2");
  EXPECT_EQ(log, "abcdd");
}

}  // namespace watch_cache_test
}  // namespace relist::fakeapi
