// A store that forgets what nobody wrote again for a while (client-go's ExpirationCache; catalogue
// AUX-04).
//
//   ExpirationStore store({.now = [&loop] { return loop.Now(); }, .ttl = Seconds(30)});
//   store.Add(object);
//   store.GetByKey(key);   // null once it is older than 30 s
//
// Nothing runs in the background: what has expired goes when somebody reads it, or lists; ListKeys
// still names it until then. Every write sets the time anew. Any thread, if `now` may be called
// from any.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "core/time.h"
#include "reflector/stores/store.h"

namespace relist {

// An object and when it was written.
struct StampedObject {
  ObjectRef object;
  TimePoint written;
};

struct ExpirationOptions {
  std::function<TimePoint()> now;  // required
  Duration ttl = Duration{};       // older than this expires, exactly this old does not; 0: never
  // Instead of `ttl`; may be empty. Called under the store's lock.
  std::function<bool(const StampedObject&)> expired;
  KeyFunction key;  // empty: namespace and name
};

class ExpirationStore : public Store {
 public:
  explicit ExpirationStore(ExpirationOptions options);

  Result<void> Add(ObjectRef object) override;
  Result<void> Update(ObjectRef object) override { return Add(std::move(object)); }
  Result<void> Delete(ObjectRef object) override;
  Result<void> Replace(std::vector<ObjectRef> objects,
                       const std::string& resource_version) override;
  Result<void> Resync() override { return {}; }
  void Bookmark(const std::string& resource_version) override;

  Result<ObjectRef> Get(const Object& object) override;
  Result<ObjectRef> GetByKey(const ObjectKey& key) override;
  std::vector<ObjectRef> List() override;
  std::vector<ObjectKey> ListKeys() override;
  // Of the last deletion, list or bookmark: what is stamped tells no version, as in client-go.
  std::string resource_version() const override;

 private:
  bool Expired(const StampedObject& stamped) const;

  const ExpirationOptions options_;
  mutable std::mutex mutex_;  // for all below
  std::map<ObjectKey, StampedObject> objects_;
  std::string resource_version_;
};

}  // namespace relist
