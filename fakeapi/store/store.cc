#include "fakeapi/store/store.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/check.h"
#include "fakeapi/api/resources.h"
#include "fakeapi/encoding/json_reader.h"
#include "fakeapi/encoding/json_writer.h"
#include "fakeapi/objects/stored_fields.h"

namespace relist::fakeapi {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view kRevisionField = "resourceVersion";
constexpr std::string_view kRevisionKey = "\"resourceVersion\":\"";

// The keys of metadata that the real server writes before resourceVersion; all hold text.
bool ComesBeforeRevision(const std::string& key) {
  return key == "name" || key == "generateName" || key == "namespace" || key == "selfLink" ||
         key == "uid";
}

// To the end, without the search of ordered_map's own functions: keys are known to differ.
void AppendField(ordered_json::object_t::value_type* field, ordered_json::object_t* to) {
  using Fields = std::vector<ordered_json::object_t::value_type>;
  to->Fields::emplace_back(field->first, std::move(field->second));
}

// Where resourceVersion is in its place already it is only set.
bool SetRevisionInPlace(ordered_json::object_t* meta, const std::string& revision) {
  for (auto& [key, part] : *meta) {
    if (key == kRevisionField) return part = revision, true;
    if (!ComesBeforeRevision(key)) return false;
  }
  return false;
}

// The same metadata with resourceVersion behind nothing but plain text in it.
ordered_json WithRevisionField(ordered_json meta, const std::string& revision) {
  auto& fields = meta.get_ref<ordered_json::object_t&>();
  if (SetRevisionInPlace(&fields, revision)) return meta;
  ordered_json out = ordered_json::object();
  auto& made = out.get_ref<ordered_json::object_t&>();
  made.reserve(fields.size() + 1);
  auto field = fields.begin();
  for (; field != fields.end() && ComesBeforeRevision(field->first); ++field) {
    AppendField(&*field, &made);
  }
  out[std::string(kRevisionField)] = revision;
  for (; field != fields.end(); ++field) {
    if (field->first != kRevisionField) AppendField(&*field, &made);
  }
  return out;
}

// Without nlohmann's own lookup of every field, which is quadratic in a map of many keys.
ordered_json Parsed(const std::string& bytes) {
  Result<JsonDocument> document = ReadJson(bytes);
  CHECK(document.ok(), "stored bytes that are not JSON: {}", document.error().message());
  return std::move(*document->value);
}

bool IsHead(const std::string& key) {
  return key == "kind" || key == "apiVersion";
}

// Metadata first, resourceVersion early in it, kind and apiVersion nowhere: then the first
// resourceVersion in the bytes is the object's own, and a deletion can be stamped without parsing.
void Stamp(ordered_json* value, uint64_t revision) {
  auto& fields = value->get_ref<ordered_json::object_t&>();
  const auto meta = value->find("metadata");
  CHECK(meta != value->end() && meta->is_object(), "an object without metadata");
  *meta = WithRevisionField(std::move(*meta), std::to_string(revision));
  const bool is_good =
      meta == value->begin() && std::none_of(fields.begin(), fields.end(),
                                             [](const auto& field) { return IsHead(field.first); });
  if (is_good) return;
  ordered_json out = ordered_json::object();
  auto& made = out.get_ref<ordered_json::object_t&>();
  made.reserve(fields.size());
  out["metadata"] = std::move(*meta);
  for (auto& field : fields) {
    if (field.first != "metadata" && !IsHead(field.first)) AppendField(&field, &made);
  }
  *value = std::move(out);
}

}  // namespace

std::string WithRevision(const StoredObject& object, uint64_t revision) {
  const size_t key = object.bytes.find(kRevisionKey);
  CHECK(key != std::string::npos, "{} is stored without a resourceVersion", object.key.ToString());
  const size_t begin = key + kRevisionKey.size();
  const size_t end = object.bytes.find('"', begin);
  std::string bytes;
  bytes.reserve(object.bytes.size() + 8);
  bytes.append(object.bytes, 0, begin);
  bytes += std::to_string(revision);
  bytes.append(object.bytes, end);
  return bytes;
}

// 1, as etcd's: a revision that no object has, from which a watch of everything could start.
Store::Store(uint64_t start) : revision_(start) {}
Store::~Store() = default;

const Store::Objects& Store::All(const ResourceType& resource) const {
  static const Objects kNone;
  const auto found = objects_.find(&resource);
  return found == objects_.end() ? kNone : found->second;
}

StoredRef Store::Find(const ResourceType& resource, const ObjectKey& key) const {
  const Objects& all = All(resource);
  const auto found = all.find(key);
  return found == all.end() ? nullptr : found->second;
}

// The next revision's object; whoever calls commits it.
StoredRef Store::Make(const ResourceType& resource, const ObjectKey& key, ordered_json value) {
  CHECK(value.is_object(), "only objects are stored");
  auto object = std::make_shared<StoredObject>();
  object->key = key;
  object->revision = revision_ + 1;
  Stamp(&value, object->revision);
  const ordered_json& meta = value["metadata"];
  if (const auto uid = meta.find("uid"); uid != meta.end() && uid->is_string()) {
    object->uid = uid->get_ref<const std::string&>();
  }
  object->labels = LabelsOf(value);
  object->fields = FieldsOf(resource, value);
  object->bytes = WriteJson(value);
  object->value = std::make_shared<const ordered_json>(std::move(value));
  StoredRef& oldest = recent_[next_recent_++ % recent_.size()];
  if (oldest != nullptr) oldest->value = nullptr;
  return oldest = std::move(object);
}

StoredRef Store::Create(const ResourceType& resource, const ObjectKey& key,
                        nlohmann::ordered_json value) {
  StoredRef object = Make(resource, key, std::move(value));
  const bool is_new = objects_[&resource].emplace(key, object).second;
  CHECK(is_new, "{} {} exists", resource.resource.plural, key.ToString());
  ++revision_;
  Tell({EventType::kAdded, revision_, &resource, object, nullptr});
  return object;
}

StoredRef Store::Restore(const ResourceType& resource, const StoredObject& saved) {
  StoredRef object = AtRevision(saved, revision_ + 1);
  const bool is_new = objects_[&resource].emplace(saved.key, object).second;
  CHECK(is_new, "{} {} exists", resource.resource.plural, saved.key.ToString());
  ++revision_;
  Tell({EventType::kAdded, revision_, &resource, object, nullptr});
  return object;
}

StoredRef Store::Replace(const ResourceType& resource, const ObjectKey& key,
                         nlohmann::ordered_json value) {
  Objects& all = objects_[&resource];
  const auto found = all.find(key);
  CHECK(found != all.end(), "{} {} does not exist", resource.resource.plural, key.ToString());
  StoredRef object = Make(resource, key, std::move(value));
  StoredRef previous = std::exchange(found->second, object);
  ++revision_;
  Tell({EventType::kModified, revision_, &resource, object, std::move(previous)});
  return object;
}

StoredRef Store::Delete(const ResourceType& resource, const ObjectKey& key) {
  Objects& all = objects_[&resource];
  const auto found = all.find(key);
  CHECK(found != all.end(), "{} {} does not exist", resource.resource.plural, key.ToString());
  StoredRef previous = std::move(found->second);
  all.erase(found);
  ++revision_;
  StoredRef last = AtRevision(*previous, revision_);
  Tell({EventType::kDeleted, revision_, &resource, last, std::move(previous)});
  return last;
}

StoredRef AtRevision(const StoredObject& object, uint64_t revision) {
  auto copy = std::make_shared<StoredObject>();
  copy->key = object.key;
  copy->uid = object.uid;
  copy->revision = revision;
  copy->bytes = WithRevision(object, revision);
  copy->labels = object.labels;
  copy->fields = object.fields;
  return copy;
}

void Store::AddSink(CommitSink* sink) {
  sinks_.push_back(sink);
}

void Store::RemoveSink(CommitSink* sink) {
  sinks_.erase(std::remove(sinks_.begin(), sinks_.end(), sink), sinks_.end());
}

void Store::Reset() {
  objects_.clear();
  for (StoredRef& object : recent_) object = nullptr;
  // What a client saw last is from before the reset, even if nothing is ever written again.
  ++revision_;
}

void Store::Tell(const Commit& commit) {
  for (CommitSink* sink : sinks_) sink->OnCommit(commit);
}

std::shared_ptr<const ordered_json> BareValue(const StoredObject& object) {
  if (object.value != nullptr) return object.value;
  return std::make_shared<const ordered_json>(Parsed(object.bytes));
}

nlohmann::ordered_json ToValue(const ResourceType& resource, const StoredObject& object) {
  ordered_json value = {{"kind", resource.kind()},
                        {"apiVersion", resource.resource.GroupVersion()}};
  auto& fields = value.get_ref<ordered_json::object_t&>();
  ordered_json rest = Parsed(object.bytes);
  for (auto& field : rest.get_ref<ordered_json::object_t&>()) AppendField(&field, &fields);
  return value;
}

}  // namespace relist::fakeapi
