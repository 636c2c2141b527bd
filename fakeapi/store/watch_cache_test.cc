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
  world.world->Evict();
  WatchCache& cache = *world.world->CacheOf(world.configmaps);
  EXPECT_EQ(cache.OldestStart(), listed);
  world.Put("ns/a", "1");
  world.Put("ns/a", "2");
  EXPECT_EQ(cache.OldestStart(), listed);
}

TEST(WatchCache, AWindowThatIsFullServesFromBeforeItsOldestEvent) {
  ReadTestWorld world(/*window=*/2);
  WatchCache& cache = *world.world->CacheOf(world.configmaps);
  world.Put("ns/a", "1");
  world.Put("ns/a", "2");
  EXPECT_EQ(cache.OldestStart(), 1u);
  const uint64_t second = world.Put("ns/a", "3") - 1;
  EXPECT_EQ(cache.OldestStart(), second - 1);
}

TEST(WatchCache, TheOldestStartCountsRevisionsNotEvents) {
  ReadTestWorld world(/*window=*/1);
  WatchCache& cache = *world.world->CacheOf(world.configmaps);
  world.Put("ns/a", "1");
  world.Elsewhere();
  world.Elsewhere();
  const uint64_t last = world.Put("ns/a", "2");
  EXPECT_EQ(cache.OldestStart(), last - 1);
}

TEST(WatchCache, EmptyingTheWindowMovesTheOldestStartToNowAndKeepsTheLog) {
  ReadTestWorld world;
  WatchCache& cache = *world.world->CacheOf(world.configmaps);
  world.Put("ns/a", "1");
  world.Put("ns/a", "2");
  world.world->Evict();
  EXPECT_EQ(cache.OldestStart(), world.store.revision());
  EXPECT_EQ(cache.end() - cache.first(), 2u);
}

TEST(WatchCache, AWindowThatWasFullIsEmptiedLikeAnyOther) {
  ReadTestWorld world(/*window=*/1);
  WatchCache& cache = *world.world->CacheOf(world.configmaps);
  for (const char* value : {"1", "2", "3"}) world.Put("ns/a", value);
  world.world->Evict();
  EXPECT_EQ(cache.OldestStart(), world.store.revision());
}

// Every past state, rebuilt in any order, is what it was when it was present.
TEST(WatchCache, SnapshotsOfThePastAreWhatWasThere) {
  ReadTestWorld world;
  SeededChoices choices(7);
  std::vector<std::pair<uint64_t, std::string>> states;
  WatchCache& cache = *world.world->CacheOf(world.configmaps);
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
    states.emplace_back(now, Shown(*cache.At(now, choices.OneIn(3, "again"))));
  }
  for (int i = 0; i < 1000; ++i) {
    const auto& [revision, shown] = states[choices.Below(states.size(), "state")];
    ASSERT_EQ(Shown(*cache.At(revision)), shown) << revision;
  }
}

TEST(WatchCache, ASnapshotIsMadeOnceWhileNothingChanges) {
  ReadTestWorld world;
  WatchCache& cache = *world.world->CacheOf(world.configmaps);
  const uint64_t first = world.Put("ns/a", "1");
  const SnapshotRef paged = cache.At(first, /*again=*/true);
  EXPECT_EQ(cache.At(world.Elsewhere()), paged);
  world.Put("ns/b", "1");
  EXPECT_EQ(cache.At(first), paged) << "a page went out of it, so that it was worth keeping";
}

TEST(WatchCache, NamespacesAndKeysAreFoundInASnapshot) {
  ReadTestWorld world;
  for (const char* key : {"a/x", "a-b/x", "a/y", "b/x"}) world.Put(key, "1");
  const SnapshotRef all = world.world->CacheOf(world.configmaps)->At(world.store.revision());
  EXPECT_EQ(Shown(*all), "a-b/x@3 a/x@2 a/y@4 b/x@5 ");
  EXPECT_EQ(all->InNamespace("a"), (Snapshot::Range{1, 3}));
  EXPECT_EQ(all->InNamespace("a-b"), (Snapshot::Range{0, 1}));
  EXPECT_EQ(all->InNamespace("none"), (Snapshot::Range{4, 4}));
  EXPECT_EQ(all->InNamespace(""), (Snapshot::Range{0, 4}));
  EXPECT_EQ(all->LowerBound({"a", "xx"}), 2u);
}

TEST(WatchCache, TheLogIsCutOnlyWhereNobodyMayAskForItAnyMore) {
  ReadTestWorld world(/*window=*/10);
  WatchCache& cache = *world.world->CacheOf(world.configmaps);
  const uint64_t events = WatchCache::kBacklog + 500;
  for (uint64_t i = 0; i < events; ++i) world.Put("ns/a", std::to_string(i));
  EXPECT_EQ(cache.end() - cache.first(), events) << "etcd still has all of it";
  world.world->Compact(world.store.revision(), /*learned=*/false);
  EXPECT_EQ(cache.end() - cache.first(), events) << "the cache's snapshots do";
  world.world->Compact(world.store.revision(), /*learned=*/true);
  EXPECT_EQ(cache.end() - cache.first(), WatchCache::kBacklog);
  for (uint64_t i = 0; i < events; ++i) world.Put("ns/a", "later");
  EXPECT_EQ(cache.end() - cache.first(), events) << "newer than the compaction";
}

class LeavingReader : public LogReader {
 public:
  LeavingReader(WatchCache& cache, std::vector<LogReader*> leave, std::string name,
                std::string* log)
      : cache_(cache), leave_(std::move(leave)), name_(std::move(name)), log_(log) {
    cache_.AddReader(this);
  }
  ~LeavingReader() override { cache_.RemoveReader(this); }
  void OnAppend(uint64_t, const CachedEvent&) override { OnNotice(); }
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
  WatchCache& cache = *world.world->CacheOf(world.configmaps);
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
