// The truth: revisioned objects. The only place where a revision is born (SRV-40: one clock for all
// resources).
//
//   Result<StoredRef> made = store.Create(resource, key, std::move(value));
//   store.Find(resource, key);
//
// Single-threaded, like everything sans-IO here. Objects are immutable and shared; a reader keeps
// them as long as it likes.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/time.h"
#include "core/wire/object.h"
#include "core/wire/watch_event.h"

namespace relist::fakeapi {

struct ResourceType;  // fakeapi/api/resources.h

// What is stored of an object: its JSON without the leading kind and apiVersion (list items of
// built-in kinds carry none, SRV-8), and what selectors look at.
struct StoredObject {
  ObjectKey key;
  std::string uid;
  uint64_t revision = 0;
  std::string bytes;  // {"metadata":{...},"data":{...}}: real key order, compact
  std::map<std::string, std::string> labels;
  // "spec.nodeName", "status.phase" ...: the kind's field selectors, but those that are in `key`
  std::map<std::string, std::string> fields;
  // What `bytes` were made from, of the objects written last: most writes are to those.
  mutable std::shared_ptr<const nlohmann::ordered_json> value;
};
using StoredRef = std::shared_ptr<const StoredObject>;

// One commit. For a DELETED `object` is the last state carrying the deletion's revision (SRV-25).
struct Commit {
  EventType type = EventType::kAdded;  // kAdded, kModified, kDeleted
  uint64_t revision = 0;
  const ResourceType* resource = nullptr;
  StoredRef object;
  StoredRef previous;  // null for kAdded
};

// Told of every commit, in order, from within the write.
class CommitSink {
 public:
  virtual ~CommitSink() = default;
  virtual void OnCommit(const Commit& commit) = 0;
};

class Store {
 public:
  using Objects = std::map<ObjectKey, StoredRef>;

  // The first write is one revision after `start`; a new etcd is at 1.
  explicit Store(uint64_t start = 1);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  uint64_t revision() const { return revision_; }
  const Objects& All(const ResourceType& resource) const;
  StoredRef Find(const ResourceType& resource, const ObjectKey& key) const;

  // Each write stamps metadata.resourceVersion into `value` (an object with metadata), takes away
  // kind and apiVersion, serialises once, and tells the sinks. Callers have checked preconditions;
  // a key that is (not) there is a CHECK.
  StoredRef Create(const ResourceType& resource, const ObjectKey& key,
                   nlohmann::ordered_json value);
  StoredRef Replace(const ResourceType& resource, const ObjectKey& key,
                    nlohmann::ordered_json value);
  StoredRef Delete(const ResourceType& resource, const ObjectKey& key);
  // An object as it was once, at the next revision; nothing is parsed.
  StoredRef Restore(const ResourceType& resource, const StoredObject& object);

  void AddSink(CommitSink* sink);
  void RemoveSink(CommitSink* sink);

  // Back to empty. Revisions go on from where they were: a client that outlives a reset never sees
  // time run backwards.
  void Reset();

 private:
  StoredRef Make(const ResourceType& resource, const ObjectKey& key, nlohmann::ordered_json value);
  void Tell(const Commit& commit);

  uint64_t revision_;
  std::map<const ResourceType*, Objects> objects_;  // never iterated in pointer order
  std::vector<CommitSink*> sinks_;
  std::array<StoredRef, 16> recent_;  // those that still have their value
  size_t next_recent_ = 0;
};

// The object's bytes, or the object, as if it had been written at `revision`: the last state of a
// deleted object, and of one that left a selection (SRV-25). Nothing is parsed.
std::string WithRevision(const StoredObject& object, uint64_t revision);
StoredRef AtRevision(const StoredObject& object, uint64_t revision);

// The value of a stored object, as it is stored; parsed unless it was written a moment ago.
std::shared_ptr<const nlohmann::ordered_json> BareValue(const StoredObject& object);
// The same with kind and apiVersion in front, to be changed.
nlohmann::ordered_json ToValue(const ResourceType& resource, const StoredObject& object);

}  // namespace relist::fakeapi
