// A store by a key function of one's own: what a Reflector can write to, and others read
// (client-go's Store and Indexer; catalogue STO-01 to STO-07).
//
//   KeyedStore store({.key = by_uid, .transform = drop_managed_fields});
//   store.Add(object);
//   Result<ObjectRef> got = store.GetByKey({"", uid});   // null where there is none
//
// Variants: UndeltaStore pushes the whole state at each change, ExpirationStore forgets what is
// old; Fifo is a queue that looks like one. Any thread, unless a variant says otherwise.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/wire/object.h"
#include "reflector/reflector_store.h"
#include "reflector/stores/indexer.h"
#include "reflector/stores/keys.h"

namespace relist {

// Add, Update, Delete, Replace, Resync and Bookmark are ReflectorStore's. Add and Update do the
// same; deleting what is not there is no error. An object without a key is refused: IsKeyError.
class Store : public ReflectorStore {
 public:
  // What is stored under the object's key; null where there is nothing.
  virtual Result<ObjectRef> Get(const Object& object) = 0;
  virtual Result<ObjectRef> GetByKey(const ObjectKey& key) = 0;
  virtual std::vector<ObjectRef> List() = 0;         // in key order
  virtual std::vector<ObjectKey> ListKeys() = 0;     // in key order
  virtual std::string resource_version() const = 0;  // of the last write (STO-06)
};

struct StoreOptions {
  KeyFunction key;      // empty: namespace and name
  Transform transform;  // may be empty; the key is that of the object before it (STO-07)
  IndexerOptions indexer;
};

class KeyedStore : public Store {
 public:
  // What a transaction did: every object that has a key was written, the others were not.
  struct TransactionResult {
    std::vector<size_t> written;  // indices
    std::vector<Error> errors;    // KeyError each
    bool ok() const { return errors.empty(); }
    // "failed to execute (2/4) transactions failed due to: ..."
    std::string message() const;
  };

  explicit KeyedStore(StoreOptions options = {});

  Result<void> Add(ObjectRef object) override;
  Result<void> Update(ObjectRef object) override { return Add(std::move(object)); }
  Result<void> Delete(ObjectRef object) override;
  // An Error (of a key, or of the transform) changes nothing.
  Result<void> Replace(std::vector<ObjectRef> objects,
                       const std::string& resource_version) override;
  Result<void> Resync() override { return {}; }
  void Bookmark(const std::string& resource_version) override;

  Result<ObjectRef> Get(const Object& object) override;
  Result<ObjectRef> GetByKey(const ObjectKey& key) override;
  std::vector<ObjectRef> List() override { return indexer_.List(); }
  std::vector<ObjectKey> ListKeys() override { return indexer_.ListKeys(); }
  std::string resource_version() const override { return indexer_.resource_version(); }

  // By its key alone (client-go's ExplicitKey); the version stays.
  void DeleteByKey(const ObjectKey& key) { indexer_.Delete(key); }
  // In order, under one lock; not transformed, as in client-go.
  TransactionResult Transaction(std::vector<Indexer::Write> writes);
  // For its index functions, and what is found by them.
  Indexer& indexer() { return indexer_; }

 private:
  Result<ObjectRef> Transformed(ObjectRef object) const;

  const StoreOptions options_;
  Indexer indexer_;
};

}  // namespace relist
