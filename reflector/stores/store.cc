#include "reflector/stores/store.h"

#include <fmt/format.h>

#include <deque>

#include "reflector/parity_switch.h"

namespace relist {

KeyedStore::KeyedStore(StoreOptions options)
    : options_(std::move(options)), indexer_(options_.indexer) {}

Result<ObjectRef> KeyedStore::Transformed(ObjectRef object) const {
  if (!options_.transform || !Behaves("STO-07b")) return object;
  Result<ObjectRef> changed = options_.transform(object);
  if (changed.ok()) return changed;
  Error error = changed.error();
  error.status.message = "transforming: " + error.message();
  return error;
}

Result<void> KeyedStore::Add(ObjectRef object) {
  Result<ObjectKey> key = KeyOf(options_.key, *object);
  if (!key.ok()) return key.error();
  Result<ObjectRef> changed = Transformed(std::move(object));
  if (!changed.ok()) return changed.error();
  if (!Behaves("STO-07")) key = KeyOf(options_.key, **changed);
  indexer_.Set(*key, std::move(*changed));
  return {};
}

Result<void> KeyedStore::Delete(ObjectRef object) {
  const Result<ObjectKey> key = KeyOf(options_.key, *object);
  if (!key.ok()) return key.error();
  indexer_.Delete(*key, object->resource_version());
  return {};
}

Result<void> KeyedStore::Replace(std::vector<ObjectRef> objects,
                                 const std::string& resource_version) {
  std::vector<ObjectKey> keys;
  keys.reserve(objects.size());
  for (ObjectRef& object : objects) {
    Result<ObjectKey> key = KeyOf(options_.key, *object);
    if (!key.ok()) return key.error();
    keys.push_back(std::move(*key));
    Result<ObjectRef> changed = Transformed(std::move(object));
    if (!changed.ok()) return changed.error();
    object = std::move(*changed);
  }
  indexer_.Replace(objects, resource_version, &keys);
  return {};
}

void KeyedStore::Bookmark(const std::string& resource_version) {
  indexer_.Bookmark(resource_version);
}

Result<ObjectRef> KeyedStore::Get(const Object& object) {
  const Result<ObjectKey> key = KeyOf(options_.key, object);
  if (!key.ok()) return key.error();
  return GetByKey(*key);
}

Result<ObjectRef> KeyedStore::GetByKey(const ObjectKey& key) {
  return indexer_.Get(key);
}

KeyedStore::TransactionResult KeyedStore::Transaction(std::vector<Indexer::Write> writes) {
  TransactionResult result;
  std::vector<Indexer::Write> keyed;
  std::deque<ObjectKey> keys;  // does not move them
  for (size_t i = 0; i < writes.size(); ++i) {
    Result<ObjectKey> key = KeyOf(options_.key, *writes[i].object);
    if (!key.ok()) {
      result.errors.push_back(key.error());
      if (Behaves("STO-05")) continue;
      return result;
    }
    writes[i].key = &keys.emplace_back(std::move(*key));
    keyed.push_back(std::move(writes[i]));
    result.written.push_back(i);
  }
  indexer_.Transaction(keyed);
  return result;
}

std::string KeyedStore::TransactionResult::message() const {
  std::string all;
  for (const Error& error : errors) all += (all.empty() ? "" : " ") + error.message();
  return fmt::format("failed to execute ({}/{}) transactions failed due to: [{}]", errors.size(),
                     errors.size() + written.size(), all);
}

}  // namespace relist
