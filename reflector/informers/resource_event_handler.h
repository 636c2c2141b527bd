// What a user of an informer writes.
//
//   struct Printer : ResourceEventHandler {
//     void OnAdd(const ObjectRef& object, bool is_in_initial_list) override { ... }
//     void OnUpdate(const ObjectRef& old_object, const ObjectRef& new_object) override { ... }
//     void OnDelete(const Deleted& deleted) override { ... }
//   };
//
// or, with less to write, one of event_handler_funcs.h. The same with a T in place of the raw
// object is in typed_event_handler.h. Each handler is called by one thread at a time, in order: the
// loop's (HandlerThreads::kOnLoop) or its own. Objects are shared and immutable.
#pragma once

#include "core/wire/object.h"

namespace relist {

// An object is gone. Where the deletion was only inferred (the client was away when it happened),
// `object` is the last state that it saw, not the final one: client-go's DeletedFinalStateUnknown
// (DFF-06), and DeletedObject of its typed face. Never null.
template <class Ref>
struct DeletedOf {
  ObjectKey key;
  Ref object;
  bool final_state_unknown = false;
};

// `Ref` is ObjectRef, or TypedRef<T>.
template <class Ref>
class EventHandlerOf {
 public:
  virtual ~EventHandlerOf() = default;
  virtual void OnAdd(const Ref& object, bool is_in_initial_list) = 0;
  virtual void OnUpdate(const Ref& old_object, const Ref& new_object) = 0;
  // Also for objects no handler ever saw (RFF-03).
  virtual void OnDelete(const DeletedOf<Ref>& deleted) = 0;
};

using Deleted = DeletedOf<ObjectRef>;
using ResourceEventHandler = EventHandlerOf<ObjectRef>;

}  // namespace relist
