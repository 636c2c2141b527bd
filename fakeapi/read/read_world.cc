#include "fakeapi/read/read_world.h"

#include <algorithm>

namespace relist::fakeapi {

ReadWorld::ReadWorld(const Store& store, size_t window)
    : store_(store), window_(window), list_revision_(store.revision()) {}

const std::shared_ptr<WatchCache>& ReadWorld::CacheOf(const ResourceType& resource) {
  for (const auto& cache : caches_) {
    if (&cache->resource() == &resource) return cache;
  }
  caches_.push_back(std::make_shared<WatchCache>(resource, &store_, window_, list_revision_));
  return caches_.back();
}

void ReadWorld::Append(const Commit& commit) {
  CacheOf(*commit.resource)->Append(commit);
  if (waiters_.empty()) return;
  const std::vector<LogReader*> told = waiters_;  // they leave when they are told
  for (LogReader* reader : told) {
    if (std::find(waiters_.begin(), waiters_.end(), reader) != waiters_.end()) reader->OnNotice();
  }
}

void ReadWorld::RemoveWaiter(LogReader* reader) {
  std::erase(waiters_, reader);
}

void ReadWorld::Compact(uint64_t revision, bool learned) {
  etcd_floor_ = std::max(etcd_floor_, std::min(revision, store_.revision()));
  if (!learned) return;
  list_floor_ = etcd_floor_;
  for (const auto& cache : caches_) cache->Forget(list_floor_);
}

void ReadWorld::Evict() {
  list_revision_ = store_.revision();
  for (const auto& cache : caches_) cache->EmptyWindow(list_revision_);
}

void ReadWorld::Restart() {
  list_floor_ = etcd_floor_;  // the snapshots are gone, etcd still has the rest
  for (const auto& cache : caches_) cache->Forget(list_floor_);
  Evict();
  EndWatches();
}

void ReadWorld::Reset() {
  list_revision_ = etcd_floor_ = list_floor_ = store_.revision();
  for (const auto& cache : caches_) cache->Reset(list_revision_);
  EndWatches();
}

int ReadWorld::Bookmark() {
  int takers = 0;
  for (const auto& cache : caches_) takers += cache->BookmarkReaders();
  ++bookmarks_;
  NoticeAll();
  return takers;
}

void ReadWorld::EndWatches() {
  ++lives_;
  NoticeAll();
}

void ReadWorld::NoticeAll() {
  for (const auto& cache : caches_) cache->Notice();
}

}  // namespace relist::fakeapi
