#include "fakeapi/store/event_log.h"

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

size_t Snapshot::LowerBoundPath(std::string_view path) const {
  const auto at = std::lower_bound(objects.begin(), objects.end(), path,
                                   [](const StoredRef& object, std::string_view wanted) {
                                     return object->key.ToString() < wanted;
                                   });
  return static_cast<size_t>(at - objects.begin());
}

void EventLog::Append(const Commit& commit, TimePoint now) {
  if (current_ != nullptr && current_again_) Keep(commit.revision, current_);
  current_ = nullptr;
  current_again_ = false;
  auto event = std::make_shared<CachedEvent>();
  event->commit = commit;
  event->when = now;
  log_.push_back(std::move(event));
}

uint64_t EventLog::After(uint64_t revision) const {
  const auto at = std::partition_point(log_.begin(), log_.end(), [revision](const EventRef& event) {
    return event->commit.revision <= revision;
  });
  return first_ + static_cast<uint64_t>(at - log_.begin());
}

void EventLog::Trim(uint64_t sequence, uint64_t revision) {
  while (first_ < sequence && !log_.empty() && log_.front()->commit.revision <= revision) {
    trimmed_ = log_.front()->commit.revision;
    log_.pop_front();
    ++first_;
  }
}

void EventLog::Reset(uint64_t revision) {
  first_ = end();
  log_.clear();
  trimmed_ = revision;
  current_ = nullptr;
  current_again_ = false;
  kept_.clear();
}

SnapshotRef EventLog::Current() {
  if (current_ == nullptr) {
    auto made = std::make_shared<Snapshot>();
    const Store::Objects& all = store_->All(resource_);
    made->objects.reserve(all.size());
    for (const auto& [key, object] : all) made->objects.push_back(object);
    current_ = std::move(made);
  }
  return current_;
}

SnapshotRef EventLog::At(uint64_t revision, bool again) {
  CHECK(revision >= trimmed_, "a snapshot at {}, which was forgotten", revision);
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

StoredRef EventLog::FindAt(const ObjectKey& key, uint64_t revision) const {
  CHECK(revision >= trimmed_, "an object at {}, which was forgotten", revision);
  for (uint64_t i = After(revision); i < end(); ++i) {
    const Commit& commit = Event(i)->commit;
    if (commit.object->key == key) return commit.previous;
  }
  return store_->Find(resource_, key);
}

// What is there now, without the commits from `first_undone` on.
SnapshotRef EventLog::Undo(uint64_t first_undone) {
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

void EventLog::Keep(uint64_t until, SnapshotRef snapshot) {
  if (kept_.size() == kSnapshots) kept_.erase(kept_.begin());
  kept_.push_back({until, std::move(snapshot)});
}

}  // namespace relist::fakeapi
