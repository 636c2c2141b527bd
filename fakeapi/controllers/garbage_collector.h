// Collects what has no owner any more, and lets owners go that wait for their dependents.
//
//   GarbageCollector collector(store, choices);
//   collector.OnCommit(commit, now);            // for every commit
//   collector.Run(collector.NextDue());         // a moment later
//
// As kube-controller-manager's (pkg/controller/garbagecollector of v1.37): background, foreground,
// orphan; an owner that is absent, of another uid, or in another namespace is none; an object goes
// when none of its owners is left, and loses the reference where another one lives. A reference to
// a kind that is not served, or of a cluster-scoped object to a namespaced one, keeps the object:
// nobody can say that its owner is gone. An owner in another namespace is warned of by an Event;
// Events are never collected. The real one works in many threads; here each step comes a moment
// after what caused it, drawn from Choices. Belongs to the store's thread.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/choices.h"
#include "core/time.h"
#include "fakeapi/controllers/controller_writes.h"
#include "fakeapi/controllers/dependency_graph.h"
#include "fakeapi/controllers/work_queue.h"
#include "fakeapi/store/store.h"

namespace relist::fakeapi {

class GarbageCollector {
 public:
  GarbageCollector(Store& store, Choices& choices);

  // Notes what is to be done; writes nothing.
  void OnCommit(const Commit& commit, TimePoint now);
  TimePoint NextDue() const;
  // Does what is due.
  void Run(TimePoint now);
  void Forget();

 private:
  enum class Work { kWarn, kDelete, kOrphan };
  struct Job {
    GarbageItem item;
    Work work = Work::kDelete;
    std::string text;  // of kWarn
    auto operator<=>(const Job&) const = default;
  };
  // What the owners of an object are to it.
  struct Owners {
    std::vector<std::string> solid, dangling, waiting;  // uids
  };

  // Of a commit.
  void NoteChange(const Commit& commit, TimePoint now);
  void NoteDeletion(const Commit& commit, TimePoint now);
  void NoteOwners(const GarbageItem& item, const std::vector<OwnerReference>& owners,
                  TimePoint now);
  void NoteOwner(const OwnerReference& owner, const std::string& ns, TimePoint now);
  void NoteTransition(const Commit& commit, const GarbageItem& item, TimePoint now);
  void Enqueue(const GarbageItem& item, TimePoint now, Work work = Work::kDelete,
               const std::string& text = "");

  // False: to be tried again.
  bool AttemptToDelete(const GarbageItem& item, TimePoint now);
  bool AttemptToOrphan(const GarbageItem& item, TimePoint now);
  void Warn(const GarbageItem& item, const std::string& text, TimePoint now);
  bool DeleteUnowned(const GarbageItem& item, const nlohmann::ordered_json& metadata,
                     const Owners& owners, TimePoint now);
  bool LetOwnerGo(const GarbageItem& item, TimePoint now);
  bool RemoveFinalizer(const GarbageItem& item, const char* finalizer, TimePoint now);
  bool RemoveOwners(const GarbageItem& item, const std::vector<std::string>& uids, TimePoint now);
  bool Unblock(const GarbageItem& item, const std::vector<OwnerReference>& owners, TimePoint now);

  // Nothing where it can't be told.
  std::optional<Owners> Classify(const GarbageItem& item,
                                 const std::vector<OwnerReference>& references) const;
  StoredRef Latest(const GarbageItem& item) const;
  bool LivesElsewhere(const OwnerReference& owner) const;
  bool WaitsForDependents(const GarbageItem& item) const;

  Store& store_;
  Choices& choices_;
  ControllerWrites writes_;
  DependencyGraph graph_;
  WorkQueue<Job> queue_;
};

}  // namespace relist::fakeapi
