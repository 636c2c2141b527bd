// The truth against which both sides are judged: every write, and what a scope saw of them.
//
//   Truth truth;
//   truth.Add({.rv = 7, .resource = "configmaps", .key = "default/a", .uid = "u1", ...});
//   const ScopedTruth& seen = truth.Of({.resource = "configmaps", .ns = "default"});
//   seen.events();       // E of properties.md: at most one event for each write
//   seen.StateAt(7);     // S of properties.md: what was there, in key order
//
// Texts and objects are borrowed (of a history, as a rule) and must outlive it. A write makes what
// Of() returned before void. One thread.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/history.h"
#include "core/wire/object_key.h"
#include "core/wire/watch_event.h"

namespace relist {

// One write, as the store tells it.
struct TruthCommit {
  uint64_t rv = 0;
  std::string_view resource, key, uid;  // "configmaps", "deployments.apps"; "default/a"
  EventType type = EventType::kAdded;
  const Object* object = nullptr;       // of a DELETED the last state, at this version
  const HistoryEntry* entry = nullptr;  // the line that says so; null where there is no history
  uint64_t order = 0;                   // among all that happened at the server; see wire_view.h
};

// What a scope saw of a commit.
struct ScopedEvent {
  EventType type = EventType::kAdded;  // kAdded, kModified, kDeleted
  const TruthCommit* commit = nullptr;
  const TruthCommit* last_match = nullptr;  // of kDeleted: the state that went
};

// What a list or a watch asks for.
struct ScopeSpec {
  std::string resource, ns, name;  // ns, name: empty for all
  std::string labels, fields;      // selectors
  auto operator<=>(const ScopeSpec&) const = default;
};

class ScopedTruth {
 public:
  // `resets`: the versions at which everything was gone at once, without a write for each object.
  ScopedTruth(const std::vector<TruthCommit>& commits, const std::vector<uint64_t>& resets,
              const ScopeSpec& scope);

  const std::vector<ScopedEvent>& events() const { return events_; }
  // The place of the first event beyond `rv`.
  size_t After(uint64_t rv) const;
  // The event of that version; null if the scope saw none.
  const ScopedEvent* At(uint64_t rv) const;
  // What was there once all up to `rv` was written, in the order of the server's keys.
  std::vector<const TruthCommit*> StateAt(uint64_t rv) const;

 private:
  struct Version {
    uint64_t rv;
    const TruthCommit* commit;  // null: gone
  };
  struct KeyLife {
    ObjectKey key;
    std::vector<Version> versions;
  };
  void MakeLives() const;

  const std::vector<uint64_t>& resets_;
  std::vector<ScopedEvent> events_;
  mutable std::vector<KeyLife> lives_;  // by key; made when first needed
};

class Truth {
 public:
  // In the order of their versions.
  void Add(TruthCommit commit);
  // Everything is gone at `rv`: a reset of the server.
  void AddReset(uint64_t rv);

  const std::vector<TruthCommit>& commits() const { return commits_; }
  const std::vector<uint64_t>& resets() const { return resets_; }
  // The write of that version; null if there is none.
  const TruthCommit* CommitAt(uint64_t rv) const;
  // Made once for each scope.
  const ScopedTruth& Of(const ScopeSpec& scope) const;
  // The versions of all writes to a resource, in order.
  const std::vector<uint64_t>& VersionsOf(const std::string& resource) const;

 private:
  std::vector<TruthCommit> commits_;
  std::vector<uint64_t> resets_;
  mutable std::map<ScopeSpec, std::unique_ptr<ScopedTruth>> scopes_;
  mutable std::map<std::string, std::vector<uint64_t>, std::less<>> versions_;
};

}  // namespace relist
