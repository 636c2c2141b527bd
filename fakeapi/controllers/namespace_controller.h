// Empties namespaces that were deleted, and lets them go.
//
//   NamespaceController controller(store, choices);
//   controller.OnCommit(commit, now);        // for every commit
//   controller.Run(controller.NextDue());    // five seconds after the namespace was deleted
//
// As kube-controller-manager's (pkg/controller/namespace of v1.37): pods first, and nothing else
// while any are left, then the other kinds, then the conditions, then the finalizer "kubernetes".
// What is held by finalizers is waited for. The real one visits the other kinds in the order of a
// Go map; here it is discovery's. Nobody is a pod's kubelet: one on a node stays until somebody
// deletes it without grace. Belongs to the store's thread.
#pragma once

#include <string>

#include "core/time.h"
#include "fakeapi/controllers/controller_writes.h"
#include "fakeapi/controllers/work_queue.h"
#include "fakeapi/store/store.h"

namespace relist::fakeapi {

class NamespaceConditions;

class NamespaceController {
 public:
  NamespaceController(Store& store, Choices& choices);

  // Notes what is to be done; writes nothing.
  void OnCommit(const Commit& commit, TimePoint now);
  TimePoint NextDue() const { return queue_.NextDue(); }
  // Does what is due.
  void Run(TimePoint now);
  void Forget() { queue_.Clear(); }

 private:
  // What a look at a namespace, or at one kind in it, ended with.
  struct Outcome {
    int64_t estimate = 0;  // seconds until it is worth looking again
    size_t remaining = 0;
    bool failed = false;
  };

  void Sync(const std::string& name, TimePoint now);
  Outcome DeleteContent(const StoredObject& ns, TimePoint now);
  Outcome DeleteKind(const ResourceType& resource, const StoredObject& ns, TimePoint now,
                     NamespaceConditions* conditions);
  void WriteConditions(const StoredObject& ns, const NamespaceConditions& conditions,
                       TimePoint now);
  bool Finalize(const std::string& name, TimePoint now);
  std::vector<StoredRef> ObjectsIn(const ResourceType& resource, const std::string& ns) const;

  Store& store_;
  ControllerWrites writes_;
  const ResourceType& namespaces_;
  const ResourceType& pods_;
  WorkQueue<std::string> queue_;  // names
};

}  // namespace relist::fakeapi
