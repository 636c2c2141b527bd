// The informer's store: objects by key, and by whatever index functions say (client-go's
// ThreadSafeStore and the Indexer that informers make of it; catalogue STO-02 to STO-08).
//
//   Indexer store;
//   store.AddIndexer("namespace", IndexByNamespace);
//   store.ByIndex("namespace", "default");
//
// Keys are namespace and name unless a caller says otherwise (store.h has a key function and a
// transform on top of this). Objects are shared and immutable. Lists come in key order. To find an
// object takes a hash; what an index function gives is asked for once for each write and index, and
// for the object that was there before.
//
// Any thread may read and write; a list or a Replace is one moment's state.
#pragma once

#include <functional>
#include <map>
#include <shared_mutex>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/wire/object.h"
#include "reflector/stores/key_order.h"
#include "reflector/stores/object_table.h"

namespace relist {

// The values under which an object is found; duplicates collapse. Must not fail, must not depend on
// anything but the object: a failed CHECK. Called under the store's lock: it must not use the
// store.
using IndexFunction = std::function<std::vector<std::string>(const Object&)>;
std::vector<std::string> IndexByNamespace(const Object& object);
inline constexpr const char* kNamespaceIndex = "namespace";  // its usual name

struct IndexerOptions {
  // client-go's gate AtomicFIFO: without it objects are written in an order in which no version
  // says anything, and resource_version() is always "".
  bool tells_resource_version = true;
};

class Indexer {
 public:
  struct Write {
    enum class Kind { kSet, kDelete } kind = Kind::kSet;
    ObjectRef object;
    // Of kDelete: inferred, so that the object's version says nothing of the store's (STO-06).
    bool final_state_unknown = false;
    const ObjectKey* key = nullptr;  // null: the object's own
  };
  // What a Replace found.
  struct Replaced {
    std::vector<ObjectRef> before;  // for each new object: what was there under its key, or null
    std::vector<ObjectRef> gone;    // what is in the new list no more, in key order
  };

  explicit Indexer(IndexerOptions options = {}) : options_(options) {}

  // ---- reading
  ObjectRef Get(const ObjectKey& key) const;  // null if absent
  std::vector<ObjectRef> List() const;
  std::vector<ObjectKey> ListKeys() const;
  // Each object in key order, under the lock: `visit` must not write here. For who wants a few of
  // many.
  void Visit(const std::function<void(const ObjectKey&, const ObjectRef&)>& visit) const;
  size_t size() const;
  // An Error for an unknown index ("Index with name x does not exist").
  Result<std::vector<ObjectRef>> ByIndex(const std::string& index, const std::string& value) const;
  Result<std::vector<ObjectKey>> IndexKeys(const std::string& index,
                                           const std::string& value) const;
  // What shares a value of this index with `object`, which need not be stored itself.
  Result<std::vector<ObjectRef>> ByIndexOf(const std::string& index, const Object& object) const;
  Result<std::vector<std::string>> IndexValues(const std::string& index) const;  // sorted
  std::vector<std::string> IndexNames() const;
  // What the index's function says of an object, stored or not.
  Result<std::vector<std::string>> ValuesFor(const std::string& index, const Object& object) const;
  // The version of the last write (STO-06): of the object, the list, or the bookmark; verbatim. An
  // object without one leaves it as it is.
  std::string resource_version() const;

  // ---- writing
  // Fills the index from what is there; an Error if the name is taken ("indexer conflict: x").
  Result<void> AddIndexer(const std::string& name, IndexFunction function);
  // All of them, or none.
  Result<void> AddIndexers(const std::map<std::string, IndexFunction>& functions);
  ObjectRef Set(ObjectRef object);  // what was there before, or null
  ObjectRef Set(const ObjectKey& key, ObjectRef object);
  ObjectRef Delete(const ObjectKey& key, const std::string& resource_version);
  ObjectRef Delete(const ObjectKey& key);  // the version of the store stays
  // The whole content and every index under one lock. Of two objects with one key the later stays.
  // `keys`, one for each object; null: their own.
  Replaced Replace(const std::vector<ObjectRef>& objects, const std::string& resource_version,
                   const std::vector<ObjectKey>* keys = nullptr);
  // All under one lock; what was there before each write, or null. The version of the store is
  // that of the last write's object afterwards, unless that is inferred.
  std::vector<ObjectRef> Transaction(const std::vector<Write>& writes);
  void Bookmark(const std::string& resource_version);

 private:
  using Values = std::vector<std::string>;  // of one object in one index; sorted, each once
  struct Index {
    std::string name;
    IndexFunction function;
    std::map<std::string, KeyOrder> entries;  // by value; never an empty one (STO-04)
  };
  // What a write changes in one index: worked out first, so that a function that throws breaks
  // nothing.
  struct Move {
    Index* index;
    Values from, to;
  };
  // All under mutex_, held by the caller.
  ObjectRef SetLocked(const ObjectKey& key, ObjectRef object);
  ObjectRef DeleteLocked(const ObjectKey& key);
  void SawVersion(const std::string& resource_version);
  Result<const Index*> Find(const std::string& index) const;
  std::vector<Move> MovesOf(const Object* before, const Object* after);
  static void Apply(const std::vector<Move>& moves, StoreEntry* entry);
  static void Fill(Index* index, const KeyOrder& order);
  static Values ValuesOf(const Index& index, const Object& object);

  const IndexerOptions options_;
  mutable std::shared_mutex mutex_;  // for all below
  ObjectTable table_;
  std::map<std::string, Index> indexes_;
  std::string resource_version_;
};

}  // namespace relist
