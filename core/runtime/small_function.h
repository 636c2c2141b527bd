// A move-only std::function<void()> that keeps closures of up to 56 bytes inside itself: the
// simulation makes one for every delivery, and std::function would allocate each.
//
//   SmallFunction action([state, bytes = std::move(bytes)] { ... });   // captures may be move-only
//   action();
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace relist {

class SmallFunction {
 public:
  SmallFunction() = default;
  template <class F>
    requires(!std::is_same_v<std::decay_t<F>, SmallFunction> && std::is_invocable_v<F&>)
  SmallFunction(F&& f) {  // NOLINT: implicit on purpose
    using Stored = std::decay_t<F>;
    if constexpr (kFits<Stored>) {
      new (&storage_) Stored(std::forward<F>(f));
      operations_ = &kInside<Stored>;
    } else {
      *reinterpret_cast<Stored**>(&storage_) = new Stored(std::forward<F>(f));
      operations_ = &kOutside<Stored>;
    }
  }
  SmallFunction(SmallFunction&& other) noexcept { TakeFrom(other); }
  SmallFunction& operator=(SmallFunction&& other) noexcept {
    if (this == &other) return *this;
    Clear();
    TakeFrom(other);
    return *this;
  }
  ~SmallFunction() { Clear(); }

  explicit operator bool() const { return operations_ != nullptr; }
  // Not to be called when empty.
  void operator()() { operations_->call(&storage_); }
  void Clear() {
    if (operations_) std::exchange(operations_, nullptr)->destroy(&storage_);
  }

 private:
  static constexpr size_t kSize = 56;
  struct Operations {
    void (*call)(void*);
    void (*move)(void* from, void* to);  // destroys what is left at `from`
    void (*destroy)(void*);
  };
  template <class F>
  static constexpr bool kFits =
      sizeof(F) <= kSize && alignof(F) <= alignof(void*) && std::is_nothrow_move_constructible_v<F>;
  template <class F>
  static constexpr Operations kInside = {[](void* at) { (*static_cast<F*>(at))(); },
                                         [](void* from, void* to) {
                                           new (to) F(std::move(*static_cast<F*>(from)));
                                           static_cast<F*>(from)->~F();
                                         },
                                         [](void* at) { static_cast<F*>(at)->~F(); }};
  template <class F>
  static constexpr Operations kOutside = {
      [](void* at) { (**static_cast<F**>(at))(); },
      [](void* from, void* to) { *static_cast<F**>(to) = *static_cast<F**>(from); },
      [](void* at) { delete *static_cast<F**>(at); }};

  void TakeFrom(SmallFunction& other) {
    operations_ = std::exchange(other.operations_, nullptr);
    if (operations_) operations_->move(&other.storage_, &storage_);
  }

  alignas(void*) std::byte storage_[kSize];
  const Operations* operations_ = nullptr;
};

}  // namespace relist
