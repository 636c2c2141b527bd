// What this client wrote itself, laid over a store that has not heard of it yet (client-go's
// MutationCache; catalogue AUX-03): whoever reads gets whichever of the two is newer.
//
//   MutationCache cache(informer.indexer(), {.now = [&loop] { return loop.Now(); }});
//   cache.Mutation(updated);            // what the server answered to our update
//   cache.GetByKey(updated->key());     // `updated`, until the store has it, or a newer one
//
// It keeps the last 100 writes, each for five minutes: it is a help, no promise. With
// `include_adds` objects that the store does not have are returned, too; then an object that
// somebody deleted in the meantime may be seen for that long, unless handlers call OnAddOrUpdate
// and OnDelete, which leaves tombstones: a Mutation that is known to be outdated is dropped.
//
// Versions are compared, as numbers; where that cannot be done the store's object is the one. Any
// thread, if `now` may be called from any.
#pragma once

#include <functional>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "core/time.h"
#include "reflector/stores/indexer.h"

namespace relist {

struct MutationCacheOptions {
  std::function<TimePoint()> now;  // required
  Duration ttl = Seconds(300);
  size_t max_size = 100;  // the least recently used go first
  bool include_adds = false;
};

class MutationCache {
 public:
  // `store` must outlive it.
  MutationCache(const Indexer& store, MutationCacheOptions options);

  ObjectRef GetByKey(const ObjectKey& key);  // null where there is none
  // In key order what the store has, each in its newer state, even if that has another value by
  // now; then, with include_adds, what only we know, oldest first. An Error for an unknown index.
  Result<std::vector<ObjectRef>> ByIndex(const std::string& index, const std::string& value);

  // We wrote this. Dropped where something newer is known, or its deletion.
  void Mutation(ObjectRef object);
  // From a handler of the informer: what the store has is no longer ours to keep.
  void OnAddOrUpdate(const Object& object);
  void OnDelete(const Object& object);

  std::vector<ObjectKey> Keys();  // what is kept, tombstones among it; least recently used first

 private:
  struct Kept {
    ObjectKey key;
    std::string uid, resource_version;
    ObjectRef object;  // null: a tombstone
    TimePoint expires;
  };
  using Recent = std::list<Kept>;  // the most recently used first

  // All under mutex_, held by the caller.
  Kept* Find(const ObjectKey& key);  // null where there is none, or it expired
  void Keep(Kept kept);
  void Drop(const ObjectKey& key);
  ObjectRef Newer(const ObjectKey& key, ObjectRef stored);

  const Indexer& store_;
  const MutationCacheOptions options_;
  std::mutex mutex_;  // for all below
  Recent recent_;
  std::map<ObjectKey, Recent::iterator> by_key_;
};

}  // namespace relist
