// A store that hands on its whole content after every change: for who wants the state and not the
// changes, as the kubelet takes the pods of its node (client-go's UndeltaStore; catalogue AUX-05).
//
//   UndeltaStore store([&](std::vector<ObjectRef> pods) { channel.Push(std::move(pods)); });
//   Reflector reflector(loop, lister, store, options);
//
// The push function is called on the thread that writes, after the change. Writers on several
// threads may push the same state twice, or an older one after a newer one: the lock is free
// between the change and the list. Where one reflector writes, neither happens. Bookmarks and reads
// push nothing.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "reflector/stores/store.h"

namespace relist {

class UndeltaStore : public Store {
 public:
  using Push = std::function<void(std::vector<ObjectRef> all)>;  // in key order

  explicit UndeltaStore(Push push, StoreOptions options = {})
      : push_(std::move(push)), store_(std::move(options)) {}

  Result<void> Add(ObjectRef object) override { return Pushed(store_.Add(std::move(object))); }
  Result<void> Update(ObjectRef object) override {
    return Pushed(store_.Update(std::move(object)));
  }
  Result<void> Delete(ObjectRef object) override {
    return Pushed(store_.Delete(std::move(object)));
  }
  Result<void> Replace(std::vector<ObjectRef> objects,
                       const std::string& resource_version) override {
    return Pushed(store_.Replace(std::move(objects), resource_version));
  }
  Result<void> Resync() override { return store_.Resync(); }
  void Bookmark(const std::string& resource_version) override { store_.Bookmark(resource_version); }

  Result<ObjectRef> Get(const Object& object) override { return store_.Get(object); }
  Result<ObjectRef> GetByKey(const ObjectKey& key) override { return store_.GetByKey(key); }
  std::vector<ObjectRef> List() override { return store_.List(); }
  std::vector<ObjectKey> ListKeys() override { return store_.ListKeys(); }
  std::string resource_version() const override { return store_.resource_version(); }

 private:
  // A write that failed changed nothing, and pushes nothing.
  Result<void> Pushed(Result<void> written);

  const Push push_;
  KeyedStore store_;
};

}  // namespace relist
