// The controllers that run beside an apiserver, so that what is deleted goes as it does in a
// cluster.
//
//   Controllers controllers(store, choices, kAllControllers);
//   controllers.OnCommit(commit, now);          // for every commit, in order
//   TimePoint next = controllers.NextDeadline();
//   controllers.Run(now);                       // from `next` on
//
// They hear of a commit and act later, never from within it: whoever made the request has its
// answer first. Their writes are requests like any other. The same choices and times give the same
// writes. Belongs to the store's thread.
#pragma once

#include <optional>

#include "core/choices.h"
#include "core/time.h"
#include "fakeapi/controllers/controller_set.h"
#include "fakeapi/controllers/garbage_collector.h"
#include "fakeapi/controllers/namespace_controller.h"
#include "fakeapi/store/store.h"

namespace relist::fakeapi {

class Controllers {
 public:
  // Both outlive it.
  Controllers(Store& store, Choices& choices, ControllerSet which);

  void OnCommit(const Commit& commit, TimePoint now);
  // kNever where nothing is to be done.
  TimePoint NextDeadline() const;
  // Does what is due; `now` is the time of what is written.
  void Run(TimePoint now);
  // The store was emptied: nothing is left to be done.
  void Forget();

 private:
  std::optional<NamespaceController> namespaces_;
  std::optional<GarbageCollector> garbage_;
};

}  // namespace relist::fakeapi
