#include "reflector/stores/indexer.h"

#include <mutex>

namespace relist {

std::vector<std::string> IndexByNamespace(const Object& object) {
  return {object.key().ns};
}

ObjectRef Indexer::Get(const ObjectKey& key) const {
  std::shared_lock lock(mutex_);
  const auto it = objects_.find(key);
  return it == objects_.end() ? nullptr : it->second;
}

std::vector<ObjectRef> Indexer::List() const {
  std::shared_lock lock(mutex_);
  std::vector<ObjectRef> out;
  out.reserve(objects_.size());
  for (const auto& [key, object] : objects_) out.push_back(object);
  return out;
}

std::vector<ObjectKey> Indexer::ListKeys() const {
  std::shared_lock lock(mutex_);
  std::vector<ObjectKey> out;
  out.reserve(objects_.size());
  for (const auto& [key, object] : objects_) out.push_back(key);
  return out;
}

size_t Indexer::size() const {
  std::shared_lock lock(mutex_);
  return objects_.size();
}

namespace {

Error NoSuchIndex(const std::string& index) {
  return Error::Net(Transport::kOther, "Index with name " + index + " does not exist");
}

}  // namespace

Result<std::vector<ObjectRef>> Indexer::ByIndex(const std::string& index,
                                                const std::string& value) const {
  std::shared_lock lock(mutex_);
  const auto found = indexes_.find(index);
  if (found == indexes_.end()) return NoSuchIndex(index);
  std::vector<ObjectRef> out;
  const auto keys = found->second.keys.find(value);
  if (keys == found->second.keys.end()) return out;
  for (const ObjectKey& key : keys->second) out.push_back(objects_.at(key));
  return out;
}

Result<std::vector<ObjectKey>> Indexer::IndexKeys(const std::string& index,
                                                  const std::string& value) const {
  std::shared_lock lock(mutex_);
  const auto found = indexes_.find(index);
  if (found == indexes_.end()) return NoSuchIndex(index);
  std::vector<ObjectKey> out;
  const auto keys = found->second.keys.find(value);
  if (keys != found->second.keys.end()) out.assign(keys->second.begin(), keys->second.end());
  return out;
}

Result<std::vector<std::string>> Indexer::IndexValues(const std::string& index) const {
  std::shared_lock lock(mutex_);
  const auto found = indexes_.find(index);
  if (found == indexes_.end()) return NoSuchIndex(index);
  std::vector<std::string> out;
  for (const auto& [value, keys] : found->second.keys) out.push_back(value);
  return out;
}

std::string Indexer::resource_version() const {
  std::shared_lock lock(mutex_);
  return resource_version_;
}

Result<void> Indexer::AddIndexer(const std::string& name, IndexFunction function) {
  std::unique_lock lock(mutex_);
  if (indexes_.contains(name)) {
    return Error::Net(Transport::kOther, "indexer conflict: " + name);
  }
  Index& index = indexes_[name];
  index.function = std::move(function);
  for (const auto& [key, object] : objects_) {
    for (const std::string& value : index.function(*object)) index.keys[value].insert(key);
  }
  return {};
}

ObjectRef Indexer::Set(ObjectRef object) {
  std::unique_lock lock(mutex_);
  resource_version_ = object->resource_version();
  return SetLocked(std::move(object));
}

ObjectRef Indexer::Delete(const ObjectKey& key, const std::string& resource_version) {
  std::unique_lock lock(mutex_);
  resource_version_ = resource_version;
  return DeleteLocked(key);
}

ObjectRef Indexer::Delete(const ObjectKey& key) {
  std::unique_lock lock(mutex_);
  return DeleteLocked(key);
}

Indexer::Replaced Indexer::Replace(const std::vector<ObjectRef>& objects,
                                   const std::string& resource_version) {
  std::unique_lock lock(mutex_);
  Replaced out;
  out.before.reserve(objects.size());
  std::map<ObjectKey, ObjectRef> now;
  for (const ObjectRef& object : objects) {
    const auto before = objects_.find(object->key());
    out.before.push_back(before == objects_.end() ? nullptr : before->second);
    // Lists come in key order: the hint makes this linear. The last of two with one key stays.
    now.insert_or_assign(now.end(), object->key(), object);
  }
  for (auto& [key, object] : objects_) {
    if (!now.contains(key)) out.gone.push_back(std::move(object));
  }
  objects_ = std::move(now);
  for (auto& [name, index] : indexes_) index.keys.clear();
  if (!indexes_.empty()) {
    for (const auto& [key, object] : objects_) Enter(*object);
  }
  resource_version_ = resource_version;
  return out;
}

std::vector<ObjectRef> Indexer::Transaction(const std::vector<Write>& writes) {
  std::unique_lock lock(mutex_);
  std::vector<ObjectRef> before;
  before.reserve(writes.size());
  for (const Write& write : writes) {
    before.push_back(write.kind == Write::Kind::kSet ? SetLocked(write.object)
                                                     : DeleteLocked(write.object->key()));
  }
  if (!writes.empty() && !writes.back().final_state_unknown) {
    resource_version_ = writes.back().object->resource_version();
  }
  return before;
}

void Indexer::Bookmark(const std::string& resource_version) {
  std::unique_lock lock(mutex_);
  resource_version_ = resource_version;
}

ObjectRef Indexer::SetLocked(ObjectRef object) {
  ObjectRef& slot = objects_[object->key()];
  ObjectRef before = std::move(slot);
  slot = std::move(object);
  if (!indexes_.empty()) {
    if (before) Leave(*before);
    Enter(*slot);
  }
  return before;
}

ObjectRef Indexer::DeleteLocked(const ObjectKey& key) {
  const auto it = objects_.find(key);
  if (it == objects_.end()) return nullptr;
  ObjectRef before = std::move(it->second);
  objects_.erase(it);
  Leave(*before);
  return before;
}

void Indexer::Enter(const Object& object) {
  for (auto& [name, index] : indexes_) {
    for (const std::string& value : index.function(object)) index.keys[value].insert(object.key());
  }
}

void Indexer::Leave(const Object& object) {
  for (auto& [name, index] : indexes_) {
    for (const std::string& value : index.function(object)) {
      const auto keys = index.keys.find(value);
      if (keys == index.keys.end()) continue;
      keys->second.erase(object.key());
      if (keys->second.empty()) index.keys.erase(keys);
    }
  }
}

}  // namespace relist
