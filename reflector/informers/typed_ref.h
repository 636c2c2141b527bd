// A T and the object that it was read from, in one: what the typed face hands out in place of an
// ObjectRef.
//
//   void OnAdd(const TypedRef<Pod>& pod, bool) override {
//     Use(pod->spec.node_name, pod.key(), pod.object()->bytes());
//     pods_[pod.key()] = pod.shared();           // a std::shared_ptr<const Pod>
//   }
//
// The T was made once for its version and is shared by all handlers, listers and indexes; it lives
// as long as anybody holds the object. Immutable; copy and read it on any thread.
#pragma once

#include <memory>
#include <utility>

#include "core/wire/object.h"

namespace relist {

// What says that a T is attached to an object; its address is its identity.
template <class T>
inline constexpr Object::AttachedType kAttachedType{
    [](const void* value) { delete static_cast<const T*>(value); }};

template <class T>
class TypedRef {
 public:
  TypedRef() = default;  // null
  // Null where no T is attached to `object`: use objects of an Informer<T> only.
  explicit TypedRef(ObjectRef object)
      : object_(std::move(object)),
        value_(object_ ? static_cast<const T*>(object_->attached(kAttachedType<T>)) : nullptr) {}

  explicit operator bool() const { return value_ != nullptr; }
  const T* get() const { return value_; }
  const T& operator*() const { return *value_; }
  const T* operator->() const { return value_; }
  std::shared_ptr<const T> shared() const { return {object_, value_}; }

  // The object as it came: its bytes, its resourceVersion.
  const ObjectRef& object() const { return object_; }
  const ObjectKey& key() const { return object_->key(); }
  const std::string& resource_version() const { return object_->resource_version(); }

  // The same version, not an equal one.
  bool operator==(const TypedRef& other) const { return object_ == other.object_; }

 private:
  ObjectRef object_;
  const T* value_ = nullptr;
};

}  // namespace relist
