// The informer's store: objects by key, and by whatever index functions say (client-go's Indexer;
// catalogue STO-01 to STO-08).
//
//   Indexer store;
//   store.AddIndexer("namespace", IndexByNamespace);
//   store.ByIndex("namespace", "default");
//
// Any thread may read and write. Objects are shared and immutable. Lists come in key order.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <shared_mutex>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/wire/object.h"

namespace relist {

// The values under which an object is found; duplicates collapse. Must not fail, must not depend on
// anything but the object. Called under the store's lock: it must not use the store.
using IndexFunction = std::function<std::vector<std::string>(const Object&)>;
std::vector<std::string> IndexByNamespace(const Object& object);

class Indexer {
 public:
  struct Write {
    enum class Kind { kSet, kDelete } kind = Kind::kSet;
    ObjectRef object;
    // Of kDelete: inferred, so that the object's version says nothing of the store's (STO-06).
    bool final_state_unknown = false;
  };
  // What a Replace found.
  struct Replaced {
    std::vector<ObjectRef> before;  // for each new object: what was there under its key, or null
    std::vector<ObjectRef> gone;    // what is in the new list no more, in key order
  };

  // ---- reading
  ObjectRef Get(const ObjectKey& key) const;  // null if absent
  std::vector<ObjectRef> List() const;
  std::vector<ObjectKey> ListKeys() const;
  size_t size() const;
  // An Error for an unknown index ("Index with name x does not exist").
  Result<std::vector<ObjectRef>> ByIndex(const std::string& index, const std::string& value) const;
  Result<std::vector<ObjectKey>> IndexKeys(const std::string& index,
                                           const std::string& value) const;
  Result<std::vector<std::string>> IndexValues(const std::string& index) const;
  // The version of the last write (STO-06): of the object, the list, or the bookmark; verbatim.
  std::string resource_version() const;

  // ---- writing
  // Fills the index from what is there; an Error if the name is taken ("indexer conflict: x").
  Result<void> AddIndexer(const std::string& name, IndexFunction function);
  ObjectRef Set(ObjectRef object);  // what was there before, or null
  ObjectRef Delete(const ObjectKey& key, const std::string& resource_version);
  ObjectRef Delete(const ObjectKey& key);  // the version of the store stays
  // The whole content and every index under one lock. Of two objects with one key the later stays.
  Replaced Replace(const std::vector<ObjectRef>& objects, const std::string& resource_version);
  // All under one lock; what was there before each write, or null. The version of the store is
  // that of the last write's object afterwards, unless that is inferred.
  std::vector<ObjectRef> Transaction(const std::vector<Write>& writes);
  void Bookmark(const std::string& resource_version);

 private:
  using Keys = std::set<ObjectKey>;
  struct Index {
    IndexFunction function;
    std::map<std::string, Keys> keys;
  };
  // All under mutex_, held by the caller.
  ObjectRef SetLocked(ObjectRef object);
  ObjectRef DeleteLocked(const ObjectKey& key);
  void Enter(const Object& object);
  void Leave(const Object& object);

  mutable std::shared_mutex mutex_;
  std::map<ObjectKey, ObjectRef> objects_;
  std::map<std::string, Index> indexes_;
  std::string resource_version_;
};

}  // namespace relist
