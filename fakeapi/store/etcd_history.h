// etcd as the caches see it: the logs of all resources, the floor to which it was compacted, and
// the replicas that are told of every commit.
//
//   EtcdHistory etcd(store);
//   etcd.Append(commit, now);      // a CommitSink's duty
//   etcd.Compact(7);               // nothing below 7 can be read any more, but from a snapshot
//   etcd.LogOf(configmaps)->At(9);
//
// One thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "fakeapi/store/event_log.h"
#include "fakeapi/store/server_bug.h"

namespace relist::fakeapi {

// Told of each commit; says what it may still want to read.
class EtcdFollower {
 public:
  virtual ~EtcdFollower() = default;
  virtual void OnCommit(const ResourceType& resource, uint64_t revision, TimePoint now) = 0;
  struct Need {
    uint64_t sequence;  // events from here on
    uint64_t revision;  // collections from here on; etcd's own floor aside
  };
  virtual Need NeedOf(const ResourceType& resource) const = 0;
};

class EtcdHistory {
 public:
  // `store` may go once no follower reads any more.
  explicit EtcdHistory(const Store& store, ServerBug bug = ServerBug::kNone)
      : store_(store), bug_(bug) {}

  const Store& store() const { return store_; }
  bool Has(ServerBug bug) const { return bug_ == bug; }
  uint64_t revision() const { return store_.revision(); }
  // Compacted up to here: reads below are 410.
  uint64_t floor() const { return floor_; }
  const std::shared_ptr<EventLog>& LogOf(const ResourceType& resource);

  void Append(const Commit& commit, TimePoint now);
  // Not beyond the newest revision, never back.
  void Compact(uint64_t revision);
  // The store was emptied.
  void Reset();

  void Follow(EtcdFollower* follower) { followers_.push_back(follower); }
  void Unfollow(EtcdFollower* follower) { std::erase(followers_, follower); }

 private:
  void Trim(EventLog& log);

  const Store& store_;
  const ServerBug bug_;
  uint64_t floor_ = 0;
  std::vector<std::shared_ptr<EventLog>> logs_;  // in the order of first use
  std::vector<EtcdFollower*> followers_;
};

}  // namespace relist::fakeapi
