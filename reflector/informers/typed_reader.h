// Makes a T of each object, once for its version, and keeps it with the object (see typed_ref.h).
//
//   TypedReader reader = TypedReader::Of<Pod>("pods", log);
//   reader.Read(*object);                       // TypedRef<Pod>(object) is a Pod now
//
// A T is whatever has a from_json(const nlohmann::json&, T&) that argument-dependent lookup finds,
// and a default constructor. What from_json throws says that no T can be made of the object: one
// line in the log, and a number that grows; the informer goes on without it (informer.h says how).
// Belongs to one thread, but for unreadable().
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <atomic>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "core/wire/object.h"
#include "reflector/decoding/json_tree.h"
#include "reflector/informers/typed_ref.h"
#include "reflector/log.h"

namespace relist {

// A number of what `write` writes: it changes with it.
uint64_t DigestOfJson(const std::function<void(nlohmann::json&)>& write);

class TypedReader {
 public:
  // Makes a value of a type that AttachedType stands for; may throw.
  using Make = std::function<const void*(const nlohmann::json&)>;

  // `what` is for the log: the collection, "pods". `log` may be null. `transform` (may be empty)
  // changes each T before anybody sees it.
  template <class T>
  static std::unique_ptr<TypedReader> Of(std::string what, std::shared_ptr<Log> log,
                                         std::function<void(T&)> transform = {}) {
    Make make = [transform = std::move(transform)](const nlohmann::json& value) -> const void* {
      auto made = std::make_unique<T>();
      from_json(value, *made);
      if (transform) transform(*made);
      return made.release();
    };
    return std::make_unique<TypedReader>(kAttachedType<T>, std::move(make), std::move(what),
                                         std::move(log));
  }
  TypedReader(const Object::AttachedType& type, Make make, std::string what,
              std::shared_ptr<Log> log)
      : type_(type), make_(std::move(make)), what_(std::move(what)), log_(std::move(log)) {}

  // True if a T is attached now. Of an object that was read before only that is said.
  bool Read(const Object& object);
  bool IsReadable(const Object& object) const { return object.attached(type_) != nullptr; }
  // Versions of objects that no T could be made of. Any thread.
  int64_t unreadable() const { return unreadable_.load(); }

 private:
  const Object::AttachedType& type_;
  const Make make_;
  const std::string what_;
  const std::shared_ptr<Log> log_;
  JsonTreeReader reader_;
  std::atomic<int64_t> unreadable_ = 0;
};

}  // namespace relist
