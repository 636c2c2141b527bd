// Things a task can wait for. A Source is ready or it is not; Select waits until one of several is.
//
//   Signal stop;                       // set once
//   Timer timer(loop, loop.Now() + Seconds(1));
//   Select which(loop, stop, timer);   // name first ...
//   if (co_await which == 0) ...       // ... then await
//
// Which of several ready sources wins is a choice in the simulation ("select"; 0 is the first
// named), as Go's select is random. All of it belongs to one loop's thread.
#pragma once

#include <array>
#include <coroutine>
#include <deque>
#include <optional>
#include <utility>

#include "core/time.h"

namespace relist {

class Loop;
class Source;

// Somebody who waits. The loop resumes it when Poll() says that it may go on.
class Waiter {
 public:
  Waiter() = default;
  Waiter(const Waiter&) = delete;
  Waiter& operator=(const Waiter&) = delete;
  virtual ~Waiter();

  // Puts the waiter into the loop's ready queue, once.
  void Wake();
  // Called by the loop before it resumes: false means a spurious wake, go on waiting.
  virtual bool Poll() = 0;

 protected:
  Loop* loop_ = nullptr;
  std::coroutine_handle<> handle_;

 private:
  friend class Loop;
  bool queued_ = false;
};

// The link between one waiter and one source; unlinks itself.
class WaitLink {
 public:
  WaitLink() = default;
  WaitLink(const WaitLink&) = delete;
  WaitLink& operator=(const WaitLink&) = delete;
  ~WaitLink() { Unlink(); }
  void Link(Source* source, Waiter* waiter);
  void Unlink();
  bool linked() const { return source_ != nullptr; }

 private:
  friend class Source;
  Source* source_ = nullptr;
  Waiter* waiter_ = nullptr;
  WaitLink* previous_ = nullptr;
  WaitLink* next_ = nullptr;
};

class Source {
 public:
  Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;
  virtual ~Source();
  virtual bool Ready() const = 0;

 protected:
  // To be called whenever Ready() may have become true.
  void Notify();

 private:
  friend class WaitLink;
  WaitLink* first_ = nullptr;
  WaitLink* last_ = nullptr;
};

// Set once, stays set: a stop channel that is closed.
class Signal : public Source {
 public:
  void Set() {
    set_ = true;
    Notify();
  }
  bool Ready() const override { return set_; }

 private:
  bool set_ = false;
};

// Something may have changed; whoever takes it clears it.
class Event : public Source {
 public:
  void Raise() {
    raised_ = true;
    Notify();
  }
  // True if it was raised; it no longer is.
  bool Take() { return std::exchange(raised_, false); }
  bool Ready() const override { return raised_; }

 private:
  bool raised_ = false;
};

// A queue between two tasks. Unbounded: bound it where the producer can look at size().
template <class T>
class Channel : public Source {
 public:
  void Push(T value) {
    values_.push_back(std::move(value));
    Notify();
  }
  // After Close() what is queued can still be taken.
  void Close() {
    closed_ = true;
    Notify();
  }
  std::optional<T> TryPop() {
    if (values_.empty()) return std::nullopt;
    std::optional<T> value(std::move(values_.front()));
    values_.pop_front();
    return value;
  }
  bool closed() const { return closed_; }
  size_t size() const { return values_.size(); }
  bool Ready() const override { return closed_ || !values_.empty(); }

 private:
  std::deque<T> values_;
  bool closed_ = false;
};

// Ready from a point in time on.
class Timer : public Source {
 public:
  Timer(Loop& loop, TimePoint when);
  ~Timer() override;
  // Moves it; kNever disarms.
  void Reset(TimePoint when);
  TimePoint when() const { return when_; }
  bool Ready() const override;

 private:
  friend class Loop;
  void Arm();
  void Disarm();
  Loop& loop_;
  TimePoint when_;
  uint64_t sequence_ = 0;  // ties go in the order of arming
  bool armed_ = false;
};

namespace internal {
// The index of a ready source among `count` (null: gone), by choice; -1 if none is.
int PickReady(Loop& loop, Source* const* sources, size_t count);
}  // namespace internal

template <size_t N>
class [[nodiscard]] Select final : public Waiter {
 public:
  template <class... S>
  explicit Select(Loop& loop, S&... sources) : sources_{static_cast<Source*>(&sources)...} {
    loop_ = &loop;
  }

  bool await_ready() {
    picked_ = internal::PickReady(*loop_, sources_.data(), N);
    return picked_ >= 0;
  }
  void await_suspend(std::coroutine_handle<> handle) {
    handle_ = handle;
    for (size_t i = 0; i < N; ++i) links_[i].Link(sources_[i], this);
  }
  // The index of the source that won.
  int await_resume() {
    for (WaitLink& link : links_) link.Unlink();
    return picked_;
  }
  bool Poll() override {
    for (size_t i = 0; i < N; ++i) {
      if (!links_[i].linked()) sources_[i] = nullptr;  // destroyed while we waited
    }
    picked_ = internal::PickReady(*loop_, sources_.data(), N);
    return picked_ >= 0;
  }

 private:
  std::array<Source*, N> sources_;
  std::array<WaitLink, N> links_;
  int picked_ = -1;
};
template <class... S>
Select(Loop&, S&...) -> Select<sizeof...(S)>;

}  // namespace relist
