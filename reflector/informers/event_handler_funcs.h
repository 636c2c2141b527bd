// Handlers made of functions, and a handler behind a filter (catalogue CTL-09).
//
//   ResourceEventHandlerFuncs print({.add_func = [](const ObjectRef& object) { ... }});
//   ResourceEventHandlerDetailedFuncs counted(
//       {.add_func = [](const ObjectRef& object, bool is_in_initial_list) { ... }});
//   FilteringResourceEventHandler mine([](const ObjectRef& object) { ... }, print);
//
// A function that is left out is not called. Typed ones (of typed_event_handler.h) are the same
// with TypedRef<T> for ObjectRef. As thread-safe as what they call.
#pragma once

#include <functional>
#include <utility>

#include "reflector/informers/resource_event_handler.h"
#include "reflector/parity_switch.h"

namespace relist {

template <class Ref>
class EventHandlerFuncsOf : public EventHandlerOf<Ref> {
 public:
  struct Funcs {
    std::function<void(const Ref& object)> add_func;
    std::function<void(const Ref& old_object, const Ref& new_object)> update_func;
    std::function<void(const DeletedOf<Ref>& deleted)> delete_func;
  };
  explicit EventHandlerFuncsOf(Funcs funcs) : funcs_(std::move(funcs)) {}

  void OnAdd(const Ref& object, bool) override {
    if (funcs_.add_func || !Behaves("CTL-09")) funcs_.add_func(object);
  }
  void OnUpdate(const Ref& old_object, const Ref& new_object) override {
    if (funcs_.update_func || !Behaves("CTL-09")) funcs_.update_func(old_object, new_object);
  }
  void OnDelete(const DeletedOf<Ref>& deleted) override {
    if (funcs_.delete_func || !Behaves("CTL-09")) funcs_.delete_func(deleted);
  }

 private:
  Funcs funcs_;
};

// The same, told whether an object was there before the informer had synced.
template <class Ref>
class EventHandlerDetailedFuncsOf : public EventHandlerOf<Ref> {
 public:
  struct Funcs {
    std::function<void(const Ref& object, bool is_in_initial_list)> add_func;
    std::function<void(const Ref& old_object, const Ref& new_object)> update_func;
    std::function<void(const DeletedOf<Ref>& deleted)> delete_func;
  };
  explicit EventHandlerDetailedFuncsOf(Funcs funcs) : funcs_(std::move(funcs)) {}

  void OnAdd(const Ref& object, bool is_in_initial_list) override {
    if (funcs_.add_func) funcs_.add_func(object, is_in_initial_list);
  }
  void OnUpdate(const Ref& old_object, const Ref& new_object) override {
    if (funcs_.update_func) funcs_.update_func(old_object, new_object);
  }
  void OnDelete(const DeletedOf<Ref>& deleted) override {
    if (funcs_.delete_func) funcs_.delete_func(deleted);
  }

 private:
  Funcs funcs_;
};

// Tells `handler` of those objects that pass: one that passes only after an update was added, one
// that passes no longer was deleted, in the state in which it still passed.
template <class Ref>
class FilteringEventHandlerOf : public EventHandlerOf<Ref> {
 public:
  // `handler` must outlive it. `filter` must depend on nothing but the object.
  FilteringEventHandlerOf(std::function<bool(const Ref&)> filter, EventHandlerOf<Ref>& handler)
      : filter_(std::move(filter)), handler_(handler) {}

  void OnAdd(const Ref& object, bool is_in_initial_list) override {
    if (filter_(object)) handler_.OnAdd(object, is_in_initial_list);
  }
  void OnUpdate(const Ref& old_object, const Ref& new_object) override {
    const bool newer = filter_(new_object);
    const bool older = filter_(old_object);
    if (newer && (older || !Behaves("CTL-09b"))) {
      handler_.OnUpdate(old_object, new_object);
    } else if (newer) {
      handler_.OnAdd(new_object, /*is_in_initial_list=*/false);
    } else if (older) {
      handler_.OnDelete({KeyOf(old_object), old_object, /*final_state_unknown=*/false});
    }
  }
  void OnDelete(const DeletedOf<Ref>& deleted) override {
    if (filter_(deleted.object)) handler_.OnDelete(deleted);
  }

 private:
  static const ObjectKey& KeyOf(const ObjectRef& object) { return object->key(); }
  template <class Typed>
  static const ObjectKey& KeyOf(const Typed& object) {
    return object.key();
  }
  std::function<bool(const Ref&)> filter_;
  EventHandlerOf<Ref>& handler_;
};

using ResourceEventHandlerFuncs = EventHandlerFuncsOf<ObjectRef>;
using ResourceEventHandlerDetailedFuncs = EventHandlerDetailedFuncsOf<ObjectRef>;
using FilteringResourceEventHandler = FilteringEventHandlerOf<ObjectRef>;

}  // namespace relist
