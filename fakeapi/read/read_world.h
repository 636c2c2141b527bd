// What reads share: the caches of all resources, the floors below which history is gone, and the
// revision clock.
//
//   ReadWorld world(store, options);
//   store.AddSink(...);  world.Append(commit);        // for every commit
//   world.CacheOf(configmaps)->At(7);
//
// Floors as properties.md has them: etcd's (compaction), k_list (what the caches have learned of
// it: exact lists and tokens below are 410), k_watch (each cache's OldestStart()). One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "fakeapi/store/watch_cache.h"

namespace relist::fakeapi {

class ReadWorld {
 public:
  // `store` may go once Close() was called.
  ReadWorld(const Store& store, size_t window);
  ReadWorld(const ReadWorld&) = delete;
  ReadWorld& operator=(const ReadWorld&) = delete;

  uint64_t revision() const { return store_.revision(); }
  const Store& store() const { return store_; }
  const std::shared_ptr<WatchCache>& CacheOf(const ResourceType& resource);
  void Append(const Commit& commit);

  // Exact reads below are 410.
  uint64_t list_floor() const { return list_floor_; }
  uint64_t etcd_floor() const { return etcd_floor_; }
  void Compact(uint64_t revision, bool learned);
  void Evict();
  void Restart();
  void Reset();
  int Bookmark();  // how many open watches are to get one
  // The server goes: watches that outlive it are over.
  void Close() { EndWatches(); }

  // Watches compare these with what they were when they opened.
  uint64_t lives() const { return lives_; }          // moves when open watches are over
  uint64_t bookmarks() const { return bookmarks_; }  // moves when each is to get a bookmark

  // Readers who wait for the revision to move, whatever the resource.
  void AddWaiter(LogReader* reader) { waiters_.push_back(reader); }
  void RemoveWaiter(LogReader* reader);

 private:
  void NoticeAll();
  void EndWatches();

  const Store& store_;
  const size_t window_;
  uint64_t list_floor_ = 0;
  uint64_t etcd_floor_ = 0;
  uint64_t list_revision_;  // of caches that nobody has needed so far
  uint64_t lives_ = 0;
  uint64_t bookmarks_ = 0;
  std::vector<std::shared_ptr<WatchCache>> caches_;  // in the order of first use
  std::vector<LogReader*> waiters_;
};

}  // namespace relist::fakeapi
