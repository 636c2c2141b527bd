#include "fakeapi/store/watch_cache.h"

#include <algorithm>

#include "core/check.h"

namespace relist::fakeapi {

const StoredRef& CachedEvent::Lost() const {
  if (lost_ == nullptr) lost_ = AtRevision(*commit.previous, commit.revision);
  return lost_;
}

Snapshot::Range Snapshot::InNamespace(const std::string& ns) const {
  if (ns.empty()) return {0, objects.size()};
  const size_t first = LowerBound({ns, ""});
  const auto begin = objects.begin() + static_cast<std::ptrdiff_t>(first);
  const auto end = std::partition_point(
      begin, objects.end(), [&ns](const StoredRef& object) { return object->key.ns == ns; });
  return {first, static_cast<size_t>(end - objects.begin())};
}

size_t Snapshot::LowerBound(const ObjectKey& key) const {
  const auto at = std::lower_bound(
      objects.begin(), objects.end(), key,
      [](const StoredRef& object, const ObjectKey& wanted) { return object->key < wanted; });
  return static_cast<size_t>(at - objects.begin());
}

WatchCache::WatchCache(const ResourceType& resource, const Store* store, size_t window,
                       uint64_t list_revision)
    : resource_(resource),
      store_(store),
      window_(std::max<size_t>(window, 1)),
      list_revision_(list_revision) {}

void WatchCache::Append(const Commit& commit) {
  if (current_ != nullptr && current_again_) Keep(commit.revision, current_);
  current_ = nullptr;
  current_again_ = false;
  auto event = std::make_shared<CachedEvent>();
  event->commit = commit;
  log_.push_back(std::move(event));
  if (end() - window_begin_ > window_) {
    ++window_begin_;
    evicted_ = true;
  }
  Trim();
  const EventRef held = log_.back();
  const uint64_t sequence = end() - 1;
  TellReaders([&](LogReader* reader) { reader->OnAppend(sequence, *held); });
}

uint64_t WatchCache::After(uint64_t revision) const {
  const auto at = std::partition_point(log_.begin(), log_.end(), [revision](const EventRef& event) {
    return event->commit.revision <= revision;
  });
  return first_ + static_cast<uint64_t>(at - log_.begin());
}

uint64_t WatchCache::OldestStart() const {
  return evicted_ ? Event(window_begin_)->commit.revision - 1 : list_revision_;
}

void WatchCache::EmptyWindow(uint64_t revision) {
  list_revision_ = revision;
  window_begin_ = end();
  evicted_ = false;
}

void WatchCache::Forget(uint64_t revision) {
  forgotten_ = std::max(forgotten_, revision);
  Trim();
}

void WatchCache::Reset(uint64_t revision) {
  first_ = end();
  log_.clear();
  current_ = nullptr;
  current_again_ = false;
  kept_.clear();
  forgotten_ = revision;
  EmptyWindow(revision);
}

// What nobody may ask for any more goes: too old for an exact read, for a start, and for an open
// watch.
void WatchCache::Trim() {
  while (log_.size() > backlog() && first_ < window_begin_ &&
         log_.front()->commit.revision <= forgotten_) {
    log_.pop_front();
    ++first_;
  }
}

SnapshotRef WatchCache::Current() {
  if (current_ == nullptr) {
    auto made = std::make_shared<Snapshot>();
    const Store::Objects& all = store_->All(resource_);
    made->objects.reserve(all.size());
    for (const auto& [key, object] : all) made->objects.push_back(object);
    current_ = std::move(made);
  }
  return current_;
}

SnapshotRef WatchCache::At(uint64_t revision, bool again) {
  CHECK(revision >= forgotten_, "a snapshot at {}, which was forgotten", revision);
  const uint64_t undone = After(revision);
  if (undone == end()) {
    current_again_ |= again;
    return Current();
  }
  const uint64_t until = Event(undone)->commit.revision;
  for (size_t i = 0; i < kept_.size(); ++i) {
    if (kept_[i].until != until) continue;
    std::rotate(kept_.begin() + static_cast<std::ptrdiff_t>(i),
                kept_.begin() + static_cast<std::ptrdiff_t>(i) + 1, kept_.end());
    return kept_.back().snapshot;
  }
  SnapshotRef snapshot = Undo(undone);
  Keep(until, snapshot);
  return snapshot;
}

// What is there now, without the commits from `first_undone` on.
SnapshotRef WatchCache::Undo(uint64_t first_undone) {
  std::vector<const Commit*> undone;  // by key the oldest, which knows how it was
  for (uint64_t i = first_undone; i < end(); ++i) undone.push_back(&Event(i)->commit);
  const auto key = [](const Commit* commit) -> const ObjectKey& { return commit->object->key; };
  std::stable_sort(undone.begin(), undone.end(),
                   [&](const Commit* a, const Commit* b) { return key(a) < key(b); });
  undone.erase(std::unique(undone.begin(), undone.end(),
                           [&](const Commit* a, const Commit* b) { return key(a) == key(b); }),
               undone.end());
  const SnapshotRef now = Current();
  auto made = std::make_shared<Snapshot>();
  made->objects.reserve(now->objects.size() + undone.size());
  auto next = undone.begin();
  const auto put_previous = [&] {
    if ((*next)->previous != nullptr) made->objects.push_back((*next)->previous);
    ++next;
  };
  for (const StoredRef& object : now->objects) {
    while (next != undone.end() && key(*next) < object->key) put_previous();
    if (next != undone.end() && key(*next) == object->key) {
      put_previous();
    } else {
      made->objects.push_back(object);
    }
  }
  while (next != undone.end()) put_previous();
  return made;
}

void WatchCache::Keep(uint64_t until, SnapshotRef snapshot) {
  if (kept_.size() == kSnapshots) kept_.erase(kept_.begin());
  kept_.push_back({until, std::move(snapshot)});
}

void WatchCache::AddReader(LogReader* reader) {
  readers_.push_back(reader);
}

void WatchCache::RemoveReader(LogReader* reader) {
  const auto at = std::find(readers_.begin(), readers_.end(), reader);
  if (at == readers_.end()) return;
  if (telling_) {
    *at = nullptr;
    some_left_ = true;
  } else {
    readers_.erase(at);
  }
}

void WatchCache::Notice() {
  TellReaders([](LogReader* reader) { reader->OnNotice(); });
}

int WatchCache::BookmarkReaders() const {
  return static_cast<int>(std::count_if(
      readers_.begin(), readers_.end(),
      [](const LogReader* reader) { return reader != nullptr && reader->TakesBookmarks(); }));
}

template <class Tell>
void WatchCache::TellReaders(Tell tell) {
  CHECK(!telling_, "a reader wrote while it was told of a write");
  telling_ = true;
  // By index, and no further than now: who comes in the meantime has read the log already.
  const size_t count = readers_.size();
  for (size_t i = 0; i < count; ++i) {
    if (readers_[i] != nullptr) tell(readers_[i]);
  }
  telling_ = false;
  if (std::exchange(some_left_, false)) std::erase(readers_, nullptr);
}

}  // namespace relist::fakeapi
