#include "reflector/stores/mutation_cache.h"

#include <set>

#include "core/wire/resource_version.h"
#include "reflector/parity_switch.h"

namespace relist {
namespace {

// Whether `a` is at least as new as `b`. No version is 0, as in client-go; client-go panics where
// one is not a number.
bool AtLeastAsNew(const std::string& a, const std::string& b) {
  const std::optional<int> order =
      CompareResourceVersions(a.empty() ? "0" : a, b.empty() ? "0" : b);
  return !order || *order >= 0;
}

}  // namespace

MutationCache::MutationCache(const Indexer& store, MutationCacheOptions options)
    : store_(store), options_(std::move(options)) {
  CHECK(options_.now, "a MutationCache needs a clock");
  CHECK(options_.max_size > 0, "a MutationCache of no size");
}

ObjectRef MutationCache::GetByKey(const ObjectKey& key) {
  const std::lock_guard lock(mutex_);
  if (ObjectRef stored = store_.Get(key)) return Newer(key, std::move(stored));
  // Never seen, or deleted since? Nobody knows: it is not there.
  if (!options_.include_adds) return nullptr;
  const Kept* kept = Find(key);
  return kept ? kept->object : nullptr;
}

Result<std::vector<ObjectRef>> MutationCache::ByIndex(const std::string& index,
                                                      const std::string& value) {
  const std::lock_guard lock(mutex_);
  const Result<std::vector<ObjectRef>> stored = store_.ByIndex(index, value);
  if (!stored.ok()) return stored.error();
  std::vector<ObjectRef> out;
  std::set<ObjectKey> seen;
  for (const ObjectRef& object : *stored) {
    seen.insert(object->key());
    if (ObjectRef newer = Newer(object->key(), object)) out.push_back(std::move(newer));
  }
  if (!options_.include_adds) return out;
  for (auto kept = recent_.rbegin(); kept != recent_.rend(); ++kept) {
    if (!kept->object || options_.now() > kept->expires || seen.contains(kept->key)) continue;
    const Result<std::vector<std::string>> values = store_.ValuesFor(index, *kept->object);
    for (const std::string& one : *values) {
      if (one == value) out.push_back(kept->object);
    }
  }
  return out;
}

// A tombstone that is newer than what the store has: it is not there.
ObjectRef MutationCache::Newer(const ObjectKey& key, ObjectRef stored) {
  const Kept* kept = Find(key);
  if (!kept) return stored;
  if (!AtLeastAsNew(stored->resource_version(), kept->resource_version)) return kept->object;
  Drop(key);
  return stored;
}

void MutationCache::Mutation(ObjectRef object) {
  const std::lock_guard lock(mutex_);
  if (const Kept* kept = Find(object->key())) {
    const std::string& rv = object->resource_version();
    if (!AtLeastAsNew(rv, kept->resource_version)) return;
    // This very state, or another one of the same object: it is known to be deleted.
    const bool deleted =
        !kept->object && (AtLeastAsNew(kept->resource_version, rv) || kept->uid == object->uid());
    if (deleted && Behaves("AUX-03b")) return;
  }
  Kept kept{
      object->key(), std::string(object->uid()), object->resource_version(), std::move(object), {}};
  Keep(std::move(kept));
}

void MutationCache::OnAddOrUpdate(const Object& object) {
  const std::lock_guard lock(mutex_);
  const Kept* kept = Find(object.key());
  if (kept && AtLeastAsNew(object.resource_version(), kept->resource_version)) Drop(object.key());
}

void MutationCache::OnDelete(const Object& object) {
  const std::lock_guard lock(mutex_);
  if (!Behaves("AUX-03c")) return;
  if (const Kept* kept = Find(object.key())) {
    // Ours is older, or the same object: it went with it. Else it may be one that came after.
    if (!AtLeastAsNew(object.resource_version(), kept->resource_version) &&
        kept->uid != object.uid()) {
      return;
    }
    Drop(object.key());
  }
  Keep({object.key(), std::string(object.uid()), object.resource_version(), nullptr, {}});
}

std::vector<ObjectKey> MutationCache::Keys() {
  const std::lock_guard lock(mutex_);
  std::vector<ObjectKey> out;
  for (auto kept = recent_.rbegin(); kept != recent_.rend(); ++kept) {
    if (options_.now() <= kept->expires) out.push_back(kept->key);
  }
  return out;
}

MutationCache::Kept* MutationCache::Find(const ObjectKey& key) {
  const auto at = by_key_.find(key);
  if (at == by_key_.end() || !Behaves("AUX-03")) return nullptr;
  if (options_.now() > at->second->expires) {
    Drop(key);
    return nullptr;
  }
  recent_.splice(recent_.begin(), recent_, at->second);
  return &*at->second;
}

void MutationCache::Keep(Kept kept) {
  Drop(kept.key);
  if (recent_.size() >= options_.max_size) {
    by_key_.erase(recent_.back().key);
    recent_.pop_back();
  }
  kept.expires = options_.now() + options_.ttl;
  recent_.push_front(std::move(kept));
  by_key_[recent_.front().key] = recent_.begin();
}

void MutationCache::Drop(const ObjectKey& key) {
  const auto at = by_key_.find(key);
  if (at == by_key_.end()) return;
  recent_.erase(at->second);
  by_key_.erase(at);
}

}  // namespace relist
