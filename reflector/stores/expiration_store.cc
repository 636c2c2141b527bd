#include "reflector/stores/expiration_store.h"

#include "reflector/parity_switch.h"

namespace relist {

ExpirationStore::ExpirationStore(ExpirationOptions options) : options_(std::move(options)) {
  CHECK(options_.now, "an ExpirationStore needs a clock");
}

bool ExpirationStore::Expired(const StampedObject& stamped) const {
  if (!Behaves("AUX-04")) return false;
  if (options_.expired) return options_.expired(stamped);
  return options_.ttl > Duration{} && options_.now() - stamped.written > options_.ttl;
}

Result<void> ExpirationStore::Add(ObjectRef object) {
  Result<ObjectKey> key = KeyOf(options_.key, *object);
  if (!key.ok()) return key.error();
  const std::lock_guard lock(mutex_);
  StampedObject& stamped = objects_[std::move(*key)];
  if (!stamped.object || Behaves("AUX-04b")) stamped.written = options_.now();
  stamped.object = std::move(object);
  return {};
}

Result<void> ExpirationStore::Delete(ObjectRef object) {
  const Result<ObjectKey> key = KeyOf(options_.key, *object);
  if (!key.ok()) return key.error();
  const std::lock_guard lock(mutex_);
  objects_.erase(*key);
  if (!object->resource_version().empty()) resource_version_ = object->resource_version();
  return {};
}

Result<void> ExpirationStore::Replace(std::vector<ObjectRef> objects,
                                      const std::string& resource_version) {
  std::map<ObjectKey, StampedObject> next;
  const TimePoint now = options_.now();
  for (ObjectRef& object : objects) {
    Result<ObjectKey> key = KeyOf(options_.key, *object);
    if (!key.ok()) return key.error();
    next.insert_or_assign(std::move(*key), StampedObject{std::move(object), now});
  }
  const std::lock_guard lock(mutex_);
  objects_ = std::move(next);
  resource_version_ = resource_version;
  return {};
}

void ExpirationStore::Bookmark(const std::string& resource_version) {
  const std::lock_guard lock(mutex_);
  resource_version_ = resource_version;
}

Result<ObjectRef> ExpirationStore::Get(const Object& object) {
  const Result<ObjectKey> key = KeyOf(options_.key, object);
  if (!key.ok()) return key.error();
  return GetByKey(*key);
}

Result<ObjectRef> ExpirationStore::GetByKey(const ObjectKey& key) {
  const std::lock_guard lock(mutex_);
  const auto at = objects_.find(key);
  if (at == objects_.end()) return ObjectRef();
  if (!Expired(at->second)) return at->second.object;
  objects_.erase(at);
  return ObjectRef();
}

std::vector<ObjectRef> ExpirationStore::List() {
  const std::lock_guard lock(mutex_);
  std::vector<ObjectRef> out;
  for (auto at = objects_.begin(); at != objects_.end();) {
    if (Expired(at->second)) {
      at = objects_.erase(at);
    } else {
      out.push_back(at->second.object);
      ++at;
    }
  }
  return out;
}

std::vector<ObjectKey> ExpirationStore::ListKeys() {
  const std::lock_guard lock(mutex_);
  std::vector<ObjectKey> out;
  for (const auto& [key, stamped] : objects_) out.push_back(key);
  return out;
}

std::string ExpirationStore::resource_version() const {
  const std::lock_guard lock(mutex_);
  return resource_version_;
}

}  // namespace relist
