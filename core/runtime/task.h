// Task<T>: a coroutine that runs on a Loop.
//
//   Task<int> Answer(Loop& loop) {
//     Timer timer(loop, loop.Now() + Seconds(1));
//     Select which(loop, timer);
//     co_await which;
//     co_return 42;
//   }
//   Task<int> answer = Answer(loop);   // name first ...
//   int n = co_await answer;           // ... then await: it starts here
//
// Rules (g++ 12 miscompiles some spellings; tidy_test looks for them): no lambda and no braces in a
// statement that awaits; a capturing lambda is never a coroutine; parameters by value, or
// references to what outlives the task. A child runs inline until it first waits; if it finishes
// later its caller goes on in the loop's next slot, so stacks do not grow and finishing is no
// scheduling point. A failed CHECK travels up through the awaits. Destroying a Task destroys its
// frames.
#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <utility>

#include "core/check.h"

namespace relist {

class Loop;

namespace internal {

class PromiseBase {
 public:
  PromiseBase() = default;
  PromiseBase(const PromiseBase&) = delete;
  PromiseBase& operator=(const PromiseBase&) = delete;
  ~PromiseBase();

  std::suspend_always initial_suspend() noexcept { return {}; }
  struct Final {
    bool await_ready() noexcept { return false; }
    template <class P>
    void await_suspend(std::coroutine_handle<P> handle) noexcept {
      handle.promise().OnFinished();
    }
    void await_resume() noexcept {}
  };
  Final final_suspend() noexcept { return {}; }
  void unhandled_exception() { failure_ = std::current_exception(); }

  void OnFinished() noexcept;
  // Runs `self`, this promise's coroutine, up to its first wait; false if that was its end.
  bool Start(PromiseBase& caller, std::coroutine_handle<> caller_handle,
             std::coroutine_handle<> self);
  std::exception_ptr failure_;
  PromiseBase* caller_ = nullptr;  // who awaits us
  std::coroutine_handle<> caller_handle_;
  bool inline_ = false;           // our caller is on the stack below us
  Loop* next_on_ = nullptr;       // we are in that loop's next slot
  std::coroutine_handle<> self_;  // what to resume then
  bool* finished_ = nullptr;      // set when a root task ends
};

}  // namespace internal

template <class T>
class [[nodiscard]] Task {
 public:
  struct promise_type : internal::PromiseBase {
    Task get_return_object() {
      return Task(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    template <class U>
    void return_value(U&& value) {
      value_.emplace(std::forward<U>(value));
    }
    std::optional<T> value_;
  };

  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Task() {
    if (handle_) handle_.destroy();
  }

  bool await_ready() const noexcept { return false; }
  template <class P>
  bool await_suspend(std::coroutine_handle<P> caller) {
    return handle_.promise().Start(caller.promise(), caller, handle_);
  }
  T await_resume() {
    promise_type& promise = handle_.promise();
    if (promise.failure_) std::rethrow_exception(promise.failure_);
    CHECK(promise.value_.has_value(), "a task ended without a value");
    return std::move(*promise.value_);
  }

 private:
  explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  std::coroutine_handle<promise_type> handle_;
};

template <>
class [[nodiscard]] Task<void> {
 public:
  struct promise_type : internal::PromiseBase {
    Task get_return_object() {
      return Task(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    void return_void() {}
  };

  Task(Task&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Task& operator=(Task&& other) noexcept {
    std::swap(handle_, other.handle_);
    return *this;
  }
  ~Task() {
    if (handle_) handle_.destroy();
  }

  bool await_ready() const noexcept { return false; }
  template <class P>
  bool await_suspend(std::coroutine_handle<P> caller) {
    return handle_.promise().Start(caller.promise(), caller, handle_);
  }
  void await_resume() {
    if (handle_.promise().failure_) std::rethrow_exception(handle_.promise().failure_);
  }

 private:
  friend class TaskScope;
  explicit Task(std::coroutine_handle<promise_type> handle) : handle_(handle) {}
  std::coroutine_handle<promise_type> handle_;
};

}  // namespace relist
