// One resource's commits in etcd's order, back to what nobody may ask for any more: the ground that
// the watch caches of all replicas stand on, and what exact lists are made from.
//
//   EventLog log(configmaps, &store);
//   log.Append(commit, now);                  // for every commit, in order
//   log.Event(log.After(7));                  // the first event after revision 7
//   log.At(7)->objects;                       // the collection at revision 7, in key order
//
// An event is kept once, with the chunks that its readers share, however many replicas there are.
// One thread.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

#include "fakeapi/api/http_types.h"
#include "fakeapi/store/store.h"

namespace relist::fakeapi {

// A commit in the log, with the chunks that its readers share. Made once, framed when first read.
struct CachedEvent {
  Commit commit;
  TimePoint when;
  // The object that a selection loses when an update leaves it: the one before, at this revision.
  const StoredRef& Lost() const;
  // The head of the plain JSON line's chunk for each EventType; filled by watch_lines. Most events
  // are never read: they have none.
  Slice* HeadOf(EventType type) const {
    if (heads_ == nullptr) heads_ = std::make_unique<std::array<Slice, 3>>();
    return &(*heads_)[static_cast<size_t>(type)];
  }

 private:
  mutable std::unique_ptr<std::array<Slice, 3>> heads_;
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
  // The first object whose "ns/name" is not below `path`, which need not be a key's: "ns" alone.
  size_t LowerBoundPath(std::string_view path) const;
};
using SnapshotRef = std::shared_ptr<const Snapshot>;

class EventLog {
 public:
  // Snapshots that are kept besides the newest one, for pages and exact lists at the same revision.
  static constexpr size_t kSnapshots = 4;

  // `store` outlives every use but the destructor.
  EventLog(const ResourceType& resource, const Store* store) : resource_(resource), store_(store) {}

  const ResourceType& resource() const { return resource_; }
  void Append(const Commit& commit, TimePoint now);

  // Sequences number events: [first(), end()) are in the log.
  uint64_t first() const { return first_; }
  uint64_t end() const { return first_ + log_.size(); }
  const EventRef& Event(uint64_t sequence) const { return log_[sequence - first_]; }
  // The sequence of the first event after `revision`, of those that are there.
  uint64_t After(uint64_t revision) const;

  // The collection as of `revision`, which is not below trimmed(). `again`: it will be asked for
  // again (a page of it went out), so that it is worth keeping.
  SnapshotRef At(uint64_t revision, bool again = false);
  // The object as of `revision`; null if there was none.
  StoredRef FindAt(const ObjectKey& key, uint64_t revision) const;

  // Of the newest event that is gone: there is no collection below.
  uint64_t trimmed() const { return trimmed_; }
  // Lets events go that are before `sequence` and not after `revision`.
  void Trim(uint64_t sequence, uint64_t revision);
  // Everything is gone, the store's objects included.
  void Reset(uint64_t revision);

 private:
  struct Kept {
    uint64_t until;  // the commit that ended it
    SnapshotRef snapshot;
  };

  SnapshotRef Current();
  SnapshotRef Undo(uint64_t first_undone);
  void Keep(uint64_t until, SnapshotRef snapshot);

  const ResourceType& resource_;
  const Store* store_;
  std::deque<EventRef> log_;
  uint64_t first_ = 0;
  uint64_t trimmed_ = 0;
  SnapshotRef current_;         // null when a commit has passed since
  bool current_again_ = false;  // a page of current_ went out
  std::vector<Kept> kept_;      // the last use is last
};

}  // namespace relist::fakeapi
