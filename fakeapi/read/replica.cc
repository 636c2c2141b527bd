#include "fakeapi/read/replica.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace relist::fakeapi {

Replica::Replica(std::shared_ptr<EtcdHistory> etcd, const WatchCacheOptions& options, TimePoint now)
    : etcd_(std::move(etcd)),
      options_(options),
      started_(now),
      applied_(etcd_->revision()),
      list_revision_(applied_),
      snapshots_from_(applied_) {
  etcd_->Follow(this);
}

Replica::~Replica() {
  etcd_->Unfollow(this);
}

const std::shared_ptr<WatchCache>& Replica::CacheOf(const ResourceType& resource) {
  for (const auto& cache : caches_) {
    if (&cache->resource() == &resource) return cache;
  }
  const std::shared_ptr<EventLog>& log = etcd_->LogOf(resource);
  caches_.push_back(std::make_shared<WatchCache>(log, options_, log->After(applied_),
                                                 list_revision_, snapshots_from_, started_));
  caches_.back()->ForgetSnapshots(learned_);
  return caches_.back();
}

uint64_t Replica::MissedBy(TimePoint when) const {
  const auto at = std::find_if(pending_.rbegin(), pending_.rend(),
                               [when](const Pending& commit) { return commit.when <= when; });
  return at == pending_.rend() ? 0 : at->revision;
}

void Replica::OnCommit(const ResourceType& resource, uint64_t revision, TimePoint now) {
  CacheOf(resource);
  if (!ready_) return;
  if (pending_.empty() && !paused_ && lag_ == Duration{}) return Apply(resource, revision, now);
  pending_.push_back({&resource, revision, now});
  FindNextChange();
}

void Replica::Apply(const ResourceType& resource, uint64_t revision, TimePoint now) {
  applied_ = revision;
  CacheOf(resource)->Apply(now);
}

void Replica::AdvanceTo(TimePoint now) {
  if (!ready_ && ready_at_ <= now) {
    ready_ = true;
    ++changes_;
    Relist();
  }
  while (ready_ && !paused_ && !pending_.empty() && pending_.front().when + lag_ <= now) {
    const Pending commit = pending_.front();
    pending_.pop_front();
    ++changes_;
    Apply(*commit.resource, commit.revision, now);
  }
  FindNextChange();
}

void Replica::FindNextChange() {
  next_change_ = kNever;
  if (!ready_) {
    next_change_ = ready_at_;
  } else if (!paused_ && !pending_.empty()) {
    next_change_ = pending_.front().when + lag_;
  }
}

void Replica::SetLag(Duration lag, TimePoint now) {
  lag_ = lag;
  AdvanceTo(now);
}

void Replica::Resume(TimePoint now) {
  paused_ = false;
  AdvanceTo(now);
}

// Catalogue 1.2: e^(0.06 s), between 1 and 30.
int64_t Replica::RetryAfterSeconds(TimePoint now) const {
  const double down = std::chrono::duration<double>(now - down_since_).count();
  return static_cast<int64_t>(std::clamp(std::exp(0.06 * down), 1.0, 30.0));
}

void Replica::Learn() {
  learned_ = etcd_->floor();
  for (const auto& cache : caches_) cache->ForgetSnapshots(learned_);
}

void Replica::Evict() {
  list_revision_ = applied_;
  for (const auto& cache : caches_) cache->EmptyWindow(applied_);
}

void Replica::Relist() {
  pending_.clear();
  applied_ = list_revision_ = snapshots_from_ = etcd_->revision();
  for (const auto& cache : caches_) {
    cache->Relist(applied_, cache->log().end());
    cache->ForgetSnapshots(applied_);
  }
}

void Replica::Restart(TimePoint now, Duration not_ready) {
  ++restarts_;
  BeginAnew(now, not_ready);
}

void Replica::BeginAnew(TimePoint now, Duration not_ready) {
  EndWatches();
  Relist();
  ready_ = not_ready <= Duration{};
  down_since_ = now;
  ready_at_ = now + not_ready;
  FindNextChange();
}

void Replica::Reset(TimePoint now) {
  paused_ = false;
  lag_ = {};
  BeginAnew(now, {});
}

int Replica::Bookmark() {
  int takers = 0;
  for (const auto& cache : caches_) takers += cache->BookmarkReaders();
  ++bookmarks_;
  NoticeAll();
  return takers;
}

EtcdFollower::Need Replica::NeedOf(const ResourceType& resource) const {
  for (const auto& cache : caches_) {
    if (&cache->resource() != &resource) continue;
    return {cache->NeededFrom(), std::min(cache->snapshot_floor(), applied_)};
  }
  return {etcd_->LogOf(resource)->end(), snapshots_from_};
}

void Replica::EndWatches() {
  ++lives_;
  NoticeAll();
}

void Replica::NoticeAll() {
  for (const auto& cache : caches_) cache->Notice();
}

}  // namespace relist::fakeapi
