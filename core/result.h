// Result<T>: a value, or the Error that a peer or the network caused.
//
//   Result<Object> r = Get(...);
//   if (!r.ok()) return r.error();
//   Use(*r);
//
// Bugs are CHECKs; a Result is for what is expected to happen. Reading the wrong side is a failed
// CHECK.
#pragma once

#include <utility>
#include <variant>

#include "core/check.h"
#include "core/wire/status.h"

namespace relist {

template <class T>
class [[nodiscard]] Result {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): implicit on purpose
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT

  bool ok() const { return state_.index() == 0; }
  const Error& error() const {
    CHECK(!ok(), "error() of a Result that holds a value");
    return std::get<1>(state_);
  }
  T& operator*() {
    CHECK(ok(), "value of a failed Result: {}", std::get<1>(state_).message());
    return std::get<0>(state_);
  }
  const T& operator*() const { return const_cast<Result&>(*this).operator*(); }
  T* operator->() { return &**this; }
  const T* operator->() const { return &**this; }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  Result() = default;
  Result(Error error) : error_(std::move(error)), ok_(false) {}  // NOLINT: implicit on purpose
  bool ok() const { return ok_; }
  const Error& error() const {
    CHECK(!ok_, "error() of a Result that is good");
    return error_;
  }

 private:
  Error error_;
  bool ok_ = true;
};

}  // namespace relist
