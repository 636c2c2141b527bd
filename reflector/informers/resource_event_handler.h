// What a user of an informer writes.
//
// Each handler is called by one thread at a time, in order: the loop's (HandlerThreads::kOnLoop) or
// its own. Objects are shared and immutable.
#pragma once

#include "core/wire/object.h"

namespace relist {

// An object is gone. Where the deletion was only inferred (the client was away when it happened),
// `object` is the last state that it saw, not the final one: client-go's DeletedFinalStateUnknown
// (DFF-06).
struct Deleted {
  ObjectKey key;
  ObjectRef object;
  bool final_state_unknown = false;
};

class ResourceEventHandler {
 public:
  virtual ~ResourceEventHandler() = default;
  virtual void OnAdd(const ObjectRef& object, bool is_in_initial_list) = 0;
  virtual void OnUpdate(const ObjectRef& old_object, const ObjectRef& new_object) = 0;
  // Also for objects no handler ever saw (RFF-03).
  virtual void OnDelete(const Deleted& deleted) = 0;
};

}  // namespace relist
