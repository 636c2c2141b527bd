// What one replica serves one resource's watches and lists from: how far it has come in the log,
// the window of past events in which a watch may start, and how far back its snapshots reach.
//
//   WatchCache cache(log, {.window = 1000}, log->end(), /*list_revision=*/1, now);
//   cache.Apply(now);            // the log's next event has arrived here
//   cache.OldestStart();         // k_watch: a watch from below is expired (SRV-18)
//   cache.CanServeExact(7);      // from a snapshot, without asking etcd (SRV-12)
//
// The log reaches further back than the window, so that open watches read on in it after the window
// was emptied. One thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "fakeapi/store/event_log.h"
#include "fakeapi/store/time_budget.h"

namespace relist::fakeapi {

struct WatchCacheOptions {
  // Events in the window before the oldest is evicted. 0: as the real server has it, 100 at first,
  // twice as many whenever the full window spans less than 75 s, up to 102,400, and back.
  size_t window = 1000;
  // Events that a watch may be behind while its client does not read. 0: as the real server
  // reckons it from the window: both of a watch's channels, each a second's worth of events, from
  // 10 to 10, 100 or 1,000 (SRV-29).
  size_t watcher_buffer = 1000;
  TimeBudget::Rules budget;  // for watches whose buffer is full
};

// How the real server finds the watches that an event concerns: decides how large their buffers
// are.
enum class WatchIndex {
  kNone,       // it asks each
  kUnused,     // the resource has an index, this watch does not use it
  kTriggered,  // by the index
};

// Somebody who reads the log as it grows: an open watch.
class LogReader {
 public:
  virtual ~LogReader() = default;
  // Called from within the write, or when a replica that was behind takes the event in.
  virtual void OnAppend(uint64_t sequence, const CachedEvent& event, TimePoint now) = 0;
  // Something but an event happened: a bookmark is wanted, the stream is over.
  virtual void OnNotice() = 0;
  // It asked for bookmarks and will take one.
  virtual bool TakesBookmarks() const { return false; }
};

class WatchCache {
 public:
  // `end`: its place in the log. `list_revision`: of its last full list; its snapshots reach back
  // to `snapshots_from`, that of its first one.
  WatchCache(std::shared_ptr<EventLog> log, const WatchCacheOptions& options, uint64_t end,
             uint64_t list_revision, uint64_t snapshots_from, TimePoint now);

  const ResourceType& resource() const { return log_->resource(); }
  EventLog& log() const { return *log_; }
  // Sequences of the log: up to here this replica has come.
  uint64_t end() const { return end_; }
  const EventRef& Event(uint64_t sequence) const { return log_->Event(sequence); }
  void Apply(TimePoint now);

  uint64_t OldestStart() const;
  uint64_t window_begin() const { return window_begin_; }
  // Events that a watch may be behind, by how it is found.
  uint64_t BufferOf(WatchIndex index) const;
  // A watch's buffer is full: until then it is waited for, out of a budget that all such share.
  TimePoint GiveUpAt(TimePoint now);
  // It has room again.
  void HasRoom(TimePoint now);
  // The oldest event that an open watch which keeps up, or has its buffer full, may still need.
  uint64_t NeededFrom() const;
  // The cache's last full list was at `revision`: the window starts empty. `end`: its place in the
  // log.
  void EmptyWindow(uint64_t revision) { Relist(revision, end_); }
  void Relist(uint64_t revision, uint64_t end);

  // Snapshots: of each revision from here on.
  uint64_t snapshot_floor() const { return snapshot_floor_; }
  bool CanServeExact(uint64_t revision) const { return revision >= snapshot_floor_; }
  void ForgetSnapshots(uint64_t below) { snapshot_floor_ = std::max(snapshot_floor_, below); }

  // Readers are told in the order in which they came. A reader may leave while it is told.
  void AddReader(LogReader* reader);
  void RemoveReader(LogReader* reader);
  void Notice();
  int Readers() const;
  int BookmarkReaders() const;

 private:
  void Resize(TimePoint now);
  template <class Tell>
  void TellReaders(Tell tell);

  const std::shared_ptr<EventLog> log_;
  const WatchCacheOptions options_;
  size_t capacity_;
  uint64_t end_;
  uint64_t window_begin_;   // the sequence of the oldest event in the window
  bool evicted_ = false;    // something left the window since the last full list
  uint64_t list_revision_;  // of the cache's last full list
  uint64_t snapshot_floor_;
  TimeBudget budget_;
  TimePoint give_up_ = TimePoint::min();  // of those who are full now
  int full_ = 0;
  std::vector<LogReader*> readers_;  // null: left while they were told
  bool telling_ = false;
  bool some_left_ = false;
};

}  // namespace relist::fakeapi
