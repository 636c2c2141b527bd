#include "fakeapi/store/etcd_history.h"

#include <algorithm>

namespace relist::fakeapi {

const std::shared_ptr<EventLog>& EtcdHistory::LogOf(const ResourceType& resource) {
  for (const auto& log : logs_) {
    if (&log->resource() == &resource) return log;
  }
  logs_.push_back(std::make_shared<EventLog>(resource, &store_));
  return logs_.back();
}

void EtcdHistory::Append(const Commit& commit, TimePoint now) {
  EventLog& log = *LogOf(*commit.resource);
  log.Append(commit, now);
  for (EtcdFollower* follower : followers_) {
    follower->OnCommit(*commit.resource, commit.revision, now);
  }
  Trim(log);
}

void EtcdHistory::Compact(uint64_t revision) {
  floor_ = std::max(floor_, std::min(revision, store_.revision()));
  for (const auto& log : logs_) Trim(*log);
}

// What nobody may ask for any more goes: too old for an exact read, for a start, and for an open
// watch.
void EtcdHistory::Trim(EventLog& log) {
  EtcdFollower::Need least{log.end(), floor_};
  for (const EtcdFollower* follower : followers_) {
    const EtcdFollower::Need need = follower->NeedOf(log.resource());
    least.sequence = std::min(least.sequence, need.sequence);
    least.revision = std::min(least.revision, need.revision);
  }
  log.Trim(least.sequence, least.revision);
}

void EtcdHistory::Reset() {
  floor_ = store_.revision();
  for (const auto& log : logs_) log->Reset(floor_);
}

}  // namespace relist::fakeapi
