// One apiserver in front of etcd: its caches of all resources, how far it is behind, and whether
// its caches are ready. Any number of them stand over one EtcdHistory (W15).
//
//   auto replica = std::make_shared<Replica>(etcd, options, now);
//   replica->CacheOf(configmaps)->OldestStart();
//   replica->SetLag(Seconds(5), now);        // commits come here five seconds late
//   replica->Advance(now);                   // what is due by now has come
//
// Writes, and reads that ask for the newest, go to etcd; all else is answered from here. Floors as
// properties.md has them: etcd's (EtcdHistory), k_list (each cache's snapshots), k_watch (each
// cache's OldestStart()). One thread.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "core/time.h"
#include "fakeapi/store/etcd_history.h"
#include "fakeapi/store/watch_cache.h"

namespace relist::fakeapi {

class Replica : public EtcdFollower {
 public:
  Replica(std::shared_ptr<EtcdHistory> etcd, const WatchCacheOptions& options, TimePoint now);
  ~Replica() override;
  Replica(const Replica&) = delete;
  Replica& operator=(const Replica&) = delete;

  EtcdHistory& etcd() const { return *etcd_; }
  // Up to here it has come.
  uint64_t revision() const { return applied_; }
  // The newest revision that was committed by `when` and has not come; 0 if all have.
  uint64_t MissedBy(TimePoint when) const;
  const std::shared_ptr<WatchCache>& CacheOf(const ResourceType& resource);
  // In the order of first use.
  const std::vector<std::shared_ptr<WatchCache>>& caches() const { return caches_; }

  // Commits come so much later than they were made. 0: at once.
  void SetLag(Duration lag, TimePoint now);
  Duration lag() const { return lag_; }
  // None come, until Resume.
  void Pause() { paused_ = true; }
  void Resume(TimePoint now);
  bool paused() const { return paused_; }

  bool ready() const { return ready_; }
  // Retry-After of a 429, for a cache that has not been ready for so long by `now`.
  int64_t RetryAfterSeconds(TimePoint now) const;

  // Time passes: commits that are due come, the caches become ready.
  void Advance(TimePoint now) {
    if (next_change_ <= now) AdvanceTo(now);
  }
  TimePoint NextChange() const { return next_change_; }
  // Moves when a request that waits may have an answer without a commit.
  uint64_t changes() const { return changes_; }

  // It has learned of etcd's compaction: its snapshots from before are gone.
  void Learn();
  void Evict();
  // The caches list anew, as at a start: what was before they do not know, nor have they snapshots
  // of it.
  void Relist();
  // As a restart of the apiserver: open watches and connections end, what the caches had is gone;
  // it lists anew when `not_ready` is over.
  void Restart(TimePoint now, Duration not_ready);
  // The store was emptied: as at first, but for lag and pause, which end.
  void Reset(TimePoint now);
  int Bookmark();  // how many open watches are to get one
  // The server goes: watches that outlive it are over.
  void Close() { EndWatches(); }

  // Watches compare these with what they were when they opened.
  uint64_t lives() const { return lives_; }          // moves when open watches are over
  uint64_t bookmarks() const { return bookmarks_; }  // moves when each is to get a bookmark
  // Connections do, with this: a reset ends watches and no connection.
  uint64_t restarts() const { return restarts_; }

  void OnCommit(const ResourceType& resource, uint64_t revision, TimePoint now) override;
  Need NeedOf(const ResourceType& resource) const override;

 private:
  struct Pending {
    const ResourceType* resource;
    uint64_t revision;
    TimePoint when;
  };

  void AdvanceTo(TimePoint now);
  void BeginAnew(TimePoint now, Duration not_ready);
  void Apply(const ResourceType& resource, uint64_t revision, TimePoint now);
  void FindNextChange();
  void NoticeAll();
  void EndWatches();

  const std::shared_ptr<EtcdHistory> etcd_;
  const WatchCacheOptions options_;
  const TimePoint started_;
  uint64_t applied_;
  uint64_t list_revision_;   // of caches that nobody has needed so far
  uint64_t snapshots_from_;  // likewise; an eviction takes no snapshot
  uint64_t learned_ = 0;     // etcd's floor, as far as it knows
  std::deque<Pending> pending_;
  Duration lag_{};
  bool paused_ = false;
  bool ready_ = true;
  TimePoint down_since_, ready_at_;
  TimePoint next_change_ = kNever;
  uint64_t changes_ = 0;
  uint64_t lives_ = 0;
  uint64_t restarts_ = 0;
  uint64_t bookmarks_ = 0;
  std::vector<std::shared_ptr<WatchCache>> caches_;
};

}  // namespace relist::fakeapi
