// What one resource's watches and lists are served from: the log of its commits, the window of past
// events in which a watch may start, and the collection as it was at a revision.
//
//   WatchCache cache(resource, &store, /*window=*/1000);
//   cache.Append(commit);                         // for every commit, in order
//   cache.OldestStart();                          // k_watch: a watch from below is expired
//   (SRV-18) cache.At(revision)->objects;                  // the collection at a revision, in key
//   order
//
// The log reaches further back than the window: exact lists and continue tokens are answered by
// undoing it (etcd's history), and open watches read on in it after the window was emptied. A
// watch that is more than kBacklog events behind is over (SRV-29). One thread.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "fakeapi/api/http_types.h"
#include "fakeapi/store/store.h"

namespace relist::fakeapi {

// A commit in the log, with the chunks that its readers share. Made once, framed when first read.
struct CachedEvent {
  Commit commit;
  // The object that a selection loses when an update leaves it: the one before, at this revision.
  const StoredRef& Lost() const;
  // Heads of the plain JSON line's chunk, by EventType; filled by watch_lines.
  mutable std::array<Slice, 3> heads;

 private:
  mutable StoredRef lost_;
};
using EventRef = std::shared_ptr<const CachedEvent>;

// The collection at a revision: immutable, shared by lists, pages and the initial events of
// watches.
struct Snapshot {
  std::vector<StoredRef> objects;  // in key order

  using Range = std::pair<size_t, size_t>;  // [first, last)
  // The objects of a namespace; all for "".
  Range InNamespace(const std::string& ns) const;
  // The first object whose key is not below `key`.
  size_t LowerBound(const ObjectKey& key) const;
};
using SnapshotRef = std::shared_ptr<const Snapshot>;

// Somebody who reads the log as it grows: an open watch.
class LogReader {
 public:
  virtual ~LogReader() = default;
  // Called from within the write, after the event is in the log.
  virtual void OnAppend(uint64_t sequence, const CachedEvent& event) = 0;
  // Something but an event happened: a bookmark is wanted, the stream is over.
  virtual void OnNotice() = 0;
  // It asked for bookmarks and will take one.
  virtual bool TakesBookmarks() const { return false; }
};

class WatchCache {
 public:
  // Events that a watch may be behind before it is over.
  static constexpr uint64_t kBacklog = 1000;
  // Snapshots that are kept besides the newest one, for pages and exact lists at the same revision.
  static constexpr size_t kSnapshots = 4;

  // `store` outlives the cache's use (Detach ends it).
  WatchCache(const ResourceType& resource, const Store* store, size_t window,
             uint64_t list_revision);

  const ResourceType& resource() const { return resource_; }
  void Append(const Commit& commit);

  // Sequences number events: [first(), end()) are in the log.
  uint64_t first() const { return first_; }
  uint64_t end() const { return first_ + log_.size(); }
  const EventRef& Event(uint64_t sequence) const { return log_[sequence - first_]; }
  // The sequence of the first event after `revision`. Only good for a revision from OldestStart()
  // on.
  uint64_t After(uint64_t revision) const;

  uint64_t OldestStart() const;
  // How many events a watch may be behind.
  uint64_t backlog() const { return std::max<uint64_t>(window_, kBacklog); }
  // The cache's last full list was at `revision`: the window starts empty.
  void EmptyWindow(uint64_t revision);
  // Exact reads below `revision` are not asked for any more.
  void Forget(uint64_t revision);
  // Everything is gone, the store included; open watches are over.
  void Reset(uint64_t revision);

  // The collection as of `revision`, which is between the last Forget() and the store's. `again`:
  // it will be asked for again (a page of it went out), so that it is worth keeping.
  SnapshotRef At(uint64_t revision, bool again = false);

  // Readers are told in the order in which they came. A reader may leave while it is told.
  void AddReader(LogReader* reader);
  void RemoveReader(LogReader* reader);
  void Notice();
  int BookmarkReaders() const;

 private:
  struct Kept {
    uint64_t until;  // the commit that ended it
    SnapshotRef snapshot;
  };

  SnapshotRef Current();
  SnapshotRef Undo(uint64_t first_undone);
  void Keep(uint64_t until, SnapshotRef snapshot);
  void Trim();
  template <class Tell>
  void TellReaders(Tell tell);

  const ResourceType& resource_;
  const Store* store_;
  const size_t window_;
  std::deque<EventRef> log_;
  uint64_t first_ = 0;
  uint64_t window_begin_ = 0;        // the sequence of the oldest event in the window
  bool evicted_ = false;             // something left the window since the last full list
  uint64_t list_revision_;           // of the cache's last full list
  uint64_t forgotten_ = 0;           // exact reads below are refused
  SnapshotRef current_;              // null when a commit has passed since
  bool current_again_ = false;       // a page of current_ went out
  std::vector<Kept> kept_;           // the last use is last
  std::vector<LogReader*> readers_;  // null: left while they were told
  bool telling_ = false;
  bool some_left_ = false;
};

}  // namespace relist::fakeapi
