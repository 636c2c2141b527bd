// Handlers of T's (catalogue INF-14), and what lets an informer call them.
//
//   struct Printer : TypedResourceEventHandler<Pod> {
//     void OnAdd(const TypedRef<Pod>& pod, bool is_in_initial_list) override { ... }
//     void OnUpdate(const TypedRef<Pod>& old_pod, const TypedRef<Pod>& pod) override { ... }
//     void OnDelete(const TypedDeleted<Pod>& deleted) override { ... }
//   };
//   TypedResourceEventHandlerFuncs<Pod> print({.add_func = [](const TypedRef<Pod>& pod) { ... }});
#pragma once

#include "reflector/informers/event_handler_funcs.h"
#include "reflector/informers/typed_ref.h"

namespace relist {

template <class T>
using TypedDeleted = DeletedOf<TypedRef<T>>;
template <class T>
using TypedResourceEventHandler = EventHandlerOf<TypedRef<T>>;
template <class T>
using TypedResourceEventHandlerFuncs = EventHandlerFuncsOf<TypedRef<T>>;
template <class T>
using TypedResourceEventHandlerDetailedFuncs = EventHandlerDetailedFuncsOf<TypedRef<T>>;
template <class T>
using TypedFilteringResourceEventHandler = FilteringEventHandlerOf<TypedRef<T>>;

// A raw handler that tells a typed one. Objects must have a T attached.
template <class T>
class TypedHandlerAdapter : public ResourceEventHandler {
 public:
  // `handler` must outlive it.
  explicit TypedHandlerAdapter(TypedResourceEventHandler<T>& handler) : handler_(handler) {}

  void OnAdd(const ObjectRef& object, bool is_in_initial_list) override {
    handler_.OnAdd(TypedRef<T>(object), is_in_initial_list);
  }
  void OnUpdate(const ObjectRef& old_object, const ObjectRef& new_object) override {
    handler_.OnUpdate(TypedRef<T>(old_object), TypedRef<T>(new_object));
  }
  void OnDelete(const Deleted& deleted) override {
    handler_.OnDelete({deleted.key, TypedRef<T>(deleted.object), deleted.final_state_unknown});
  }

 private:
  TypedResourceEventHandler<T>& handler_;
};

}  // namespace relist
