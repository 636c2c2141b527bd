#include "reflector/stores/indexer.h"

#include <algorithm>
#include <mutex>

#include "reflector/parity_switch.h"

namespace relist {
namespace {

std::vector<ObjectRef> ObjectsOf(const KeyOrder& order) {
  std::vector<ObjectRef> out;
  out.reserve(order.size());
  order.ForEach([&out](const StoreEntry& entry) { out.push_back(entry.object); });
  return out;
}

std::vector<ObjectKey> KeysOf(const KeyOrder& order) {
  std::vector<ObjectKey> out;
  out.reserve(order.size());
  order.ForEach([&out](const StoreEntry& entry) { out.push_back(entry.key()); });
  return out;
}

const KeyOrder& EntriesAt(const std::map<std::string, KeyOrder>& entries,
                          const std::string& value) {
  static const KeyOrder kNone;
  const auto at = entries.find(value);
  return at == entries.end() ? kNone : at->second;
}

}  // namespace

std::vector<std::string> IndexByNamespace(const Object& object) {
  return {object.key().ns};
}

ObjectRef Indexer::Get(const ObjectKey& key) const {
  std::shared_lock lock(mutex_);
  const StoreEntry* entry = table_.Find(key);
  return entry ? entry->object : nullptr;
}

std::vector<ObjectRef> Indexer::List() const {
  std::shared_lock lock(mutex_);
  return ObjectsOf(table_.order());
}

std::vector<ObjectKey> Indexer::ListKeys() const {
  std::shared_lock lock(mutex_);
  return KeysOf(table_.order());
}

void Indexer::Visit(const std::function<void(const ObjectKey&, const ObjectRef&)>& visit) const {
  std::shared_lock lock(mutex_);
  table_.order().ForEach([&visit](const StoreEntry& entry) { visit(entry.key(), entry.object); });
}

size_t Indexer::size() const {
  std::shared_lock lock(mutex_);
  return table_.size();
}

Result<const Indexer::Index*> Indexer::Find(const std::string& index) const {
  const auto found = indexes_.find(index);
  if (found != indexes_.end()) return &found->second;
  return Error::Net(Transport::kOther, "Index with name " + index + " does not exist");
}

Result<std::vector<ObjectRef>> Indexer::ByIndex(const std::string& index,
                                                const std::string& value) const {
  std::shared_lock lock(mutex_);
  const Result<const Index*> found = Find(index);
  if (!found.ok()) return found.error();
  return ObjectsOf(EntriesAt((*found)->entries, value));
}

Result<std::vector<ObjectKey>> Indexer::IndexKeys(const std::string& index,
                                                  const std::string& value) const {
  std::shared_lock lock(mutex_);
  const Result<const Index*> found = Find(index);
  if (!found.ok()) return found.error();
  return KeysOf(EntriesAt((*found)->entries, value));
}

Result<std::vector<ObjectRef>> Indexer::ByIndexOf(const std::string& index,
                                                  const Object& object) const {
  std::shared_lock lock(mutex_);
  const Result<const Index*> found = Find(index);
  if (!found.ok()) return found.error();
  std::vector<const StoreEntry*> all;
  for (const std::string& value : ValuesOf(**found, object)) {
    EntriesAt((*found)->entries, value).ForEach([&all](const StoreEntry& entry) {
      all.push_back(&entry);
    });
  }
  std::sort(all.begin(), all.end(),
            [](const StoreEntry* a, const StoreEntry* b) { return a->key() < b->key(); });
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::vector<ObjectRef> out;
  for (const StoreEntry* entry : all) out.push_back(entry->object);
  return out;
}

Result<std::vector<std::string>> Indexer::IndexValues(const std::string& index) const {
  std::shared_lock lock(mutex_);
  const Result<const Index*> found = Find(index);
  if (!found.ok()) return found.error();
  std::vector<std::string> out;
  for (const auto& [value, entries] : (*found)->entries) out.push_back(value);
  return out;
}

std::vector<std::string> Indexer::IndexNames() const {
  std::shared_lock lock(mutex_);
  std::vector<std::string> out;
  for (const auto& [name, index] : indexes_) out.push_back(name);
  return out;
}

Result<std::vector<std::string>> Indexer::ValuesFor(const std::string& index,
                                                    const Object& object) const {
  std::shared_lock lock(mutex_);
  const Result<const Index*> found = Find(index);
  if (!found.ok()) return found.error();
  return ValuesOf(**found, object);
}

std::string Indexer::resource_version() const {
  std::shared_lock lock(mutex_);
  return options_.tells_resource_version || !Behaves("STO-06c") ? resource_version_ : "";
}

Result<void> Indexer::AddIndexer(const std::string& name, IndexFunction function) {
  return AddIndexers({{name, std::move(function)}});
}

Result<void> Indexer::AddIndexers(const std::map<std::string, IndexFunction>& functions) {
  std::unique_lock lock(mutex_);
  for (const auto& [name, function] : functions) {
    if (!indexes_.contains(name)) continue;
    return Error::Net(Transport::kOther, "indexer conflict: " + name);
  }
  for (const auto& [name, function] : functions) {
    Index& index = indexes_[name];
    index.name = name;
    index.function = function;
    if (Behaves("STO-04")) Fill(&index, table_.order());
  }
  return {};
}

ObjectRef Indexer::Set(ObjectRef object) {
  std::unique_lock lock(mutex_);
  SawVersion(object->resource_version());
  const Object& kept = *object;
  return SetLocked(kept.key(), std::move(object));
}

ObjectRef Indexer::Set(const ObjectKey& key, ObjectRef object) {
  std::unique_lock lock(mutex_);
  SawVersion(object->resource_version());
  return SetLocked(key, std::move(object));
}

ObjectRef Indexer::Delete(const ObjectKey& key, const std::string& resource_version) {
  std::unique_lock lock(mutex_);
  SawVersion(resource_version);
  return DeleteLocked(key);
}

ObjectRef Indexer::Delete(const ObjectKey& key) {
  std::unique_lock lock(mutex_);
  return DeleteLocked(key);
}

Indexer::Replaced Indexer::Replace(const std::vector<ObjectRef>& objects,
                                   const std::string& resource_version,
                                   const std::vector<ObjectKey>* keys) {
  std::unique_lock lock(mutex_);
  Replaced out;
  out.before.reserve(objects.size());
  table_.Reserve(objects.size());
  std::vector<StoreEntry*> listed;
  listed.reserve(objects.size());
  for (size_t i = 0; i < objects.size(); ++i) {
    const ObjectKey& key = keys ? (*keys)[i] : objects[i]->key();
    StoreEntry* entry = table_.Find(key);
    if (!entry) {
      entry = table_.AddUnordered(key, objects[i]);
      out.before.push_back(nullptr);
    } else {
      ObjectRef before = table_.Exchange(entry, key, objects[i]);
      // A key that comes twice: what was there before is what was there before the first.
      out.before.push_back(entry->mark == 0 ? std::move(before) : out.before[entry->mark - 1]);
    }
    if (entry->mark != 0) continue;
    entry->mark = static_cast<uint32_t>(i + 1);
    listed.push_back(entry);
  }
  out.gone = table_.KeepMarked(std::move(listed));
  for (auto& [name, index] : indexes_) {
    index.entries.clear();
    Fill(&index, table_.order());
  }
  resource_version_ = resource_version;
  return out;
}

std::vector<ObjectRef> Indexer::Transaction(const std::vector<Write>& writes) {
  std::unique_lock lock(mutex_);
  std::vector<ObjectRef> before;
  before.reserve(writes.size());
  for (const Write& write : writes) {
    const ObjectKey& key = write.key ? *write.key : write.object->key();
    before.push_back(write.kind == Write::Kind::kSet ? SetLocked(key, write.object)
                                                     : DeleteLocked(key));
  }
  if (!writes.empty() && (!writes.back().final_state_unknown || !Behaves("STO-06b"))) {
    SawVersion(writes.back().object->resource_version());
  }
  return before;
}

void Indexer::Bookmark(const std::string& resource_version) {
  std::unique_lock lock(mutex_);
  resource_version_ = resource_version;
}

void Indexer::SawVersion(const std::string& resource_version) {
  if (!resource_version.empty() && Behaves("STO-06")) resource_version_ = resource_version;
}

ObjectRef Indexer::SetLocked(const ObjectKey& key, ObjectRef object) {
  StoreEntry* entry = table_.Find(key);
  const std::vector<Move> moves = MovesOf(entry ? entry->object.get() : nullptr, object.get());
  ObjectRef before;
  if (entry) {
    before = table_.Exchange(entry, key, std::move(object));
  } else {
    entry = table_.Add(key, std::move(object));
  }
  Apply(moves, entry);
  return before;
}

ObjectRef Indexer::DeleteLocked(const ObjectKey& key) {
  StoreEntry* entry = table_.Find(key);
  if (!entry) return nullptr;
  Apply(MovesOf(entry->object.get(), nullptr), entry);
  return table_.Erase(entry);
}

std::vector<Indexer::Move> Indexer::MovesOf(const Object* before, const Object* after) {
  std::vector<Move> moves;
  for (auto& [name, index] : indexes_) {
    Values from, to;
    if (before) from = ValuesOf(index, *before);
    if (after) to = ValuesOf(index, *after);
    if (from != to) moves.push_back({&index, std::move(from), std::move(to)});
  }
  return moves;
}

void Indexer::Apply(const std::vector<Move>& moves, StoreEntry* entry) {
  for (const Move& move : moves) {
    for (const std::string& value : move.from) {
      const auto at = move.index->entries.find(value);
      CHECK(at != move.index->entries.end() && at->second.Erase(entry),
            "index {} says {} of {}, and did not say so before: its function depends on more than "
            "the object, or the object was changed",
            move.index->name, value, entry->key().ToString());
      if (at->second.empty() && Behaves("STO-04b")) move.index->entries.erase(at);
    }
    for (const std::string& value : move.to) move.index->entries[value].Insert(entry);
  }
}

void Indexer::Fill(Index* index, const KeyOrder& order) {
  // Neighbours tend to have the same values.
  auto at = index->entries.end();
  order.ForEach([index, &at](StoreEntry& entry) {
    for (std::string& value : ValuesOf(*index, *entry.object)) {
      if (at == index->entries.end() || at->first != value) {
        at = index->entries.try_emplace(std::move(value)).first;
      }
      at->second.Insert(&entry);
    }
  });
}

Indexer::Values Indexer::ValuesOf(const Index& index, const Object& object) {
  Values values;
  try {
    values = index.function(object);
  } catch (const std::exception& failure) {
    CHECK(false, "unable to calculate an index entry for key {} on index {}: {}",
          object.key().ToString(), index.name, failure.what());
  }
  if (values.size() > 1) {
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
  }
  return values;
}

}  // namespace relist
