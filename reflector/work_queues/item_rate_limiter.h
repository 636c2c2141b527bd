// How long an item that failed waits before it is tried again (client-go's TypedRateLimiter;
// catalogue WKQ-07).
//
//   std::unique_ptr<ItemRateLimiter<ObjectKey>> limiter =
//   DefaultControllerRateLimiter<ObjectKey>(); limiter->When(key, now);      // 5 ms; next time 10
//   ms, ... limiter->Forget(key);         // it went well: from the start again
//
// T is ordered and copyable. Time is an argument. Not thread-safe: a queue calls its limiter under
// its lock. Whatever is not forgotten is remembered for ever, as in client-go.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "core/time.h"
#include "reflector/parity_switch.h"
#include "reflector/rest/rate_limiter.h"

namespace relist {

template <class T>
class ItemRateLimiter {
 public:
  virtual ~ItemRateLimiter() = default;
  // How long the item is to wait from `now` on; counts as one failure.
  virtual Duration When(const T& item, TimePoint now) = 0;
  // The item is done with, for better or worse.
  virtual void Forget(const T& item) = 0;
  virtual int NumRequeues(const T& item) const = 0;
};

namespace internal {
// base * 2^failures, at most `most`; no overflow, however many failures.
Duration ExponentialDelay(Duration base, Duration most, int failures);

template <class T>
class FailureCounts {
 public:
  int Count(const T& item) { return ++counts_[item]; }
  void Forget(const T& item) { counts_.erase(item); }
  int Of(const T& item) const {
    const auto found = counts_.find(item);
    return found == counts_.end() ? 0 : found->second;
  }

 private:
  std::map<T, int> counts_;
};
}  // namespace internal

// Each item by itself: base, twice that, four times that ... up to `most`.
template <class T>
class ExponentialItemLimiter : public ItemRateLimiter<T> {
 public:
  ExponentialItemLimiter(Duration base, Duration most) : base_(base), most_(most) {}
  Duration When(const T& item, TimePoint) override {
    return internal::ExponentialDelay(base_, most_, failures_.Count(item) - 1);
  }
  void Forget(const T& item) override { failures_.Forget(item); }
  int NumRequeues(const T& item) const override { return failures_.Of(item); }

 private:
  Duration base_, most_;
  internal::FailureCounts<T> failures_;
};

// Each item by itself: quickly a few times, slowly ever after.
template <class T>
class FastSlowItemLimiter : public ItemRateLimiter<T> {
 public:
  FastSlowItemLimiter(Duration fast, Duration slow, int max_fast_attempts)
      : fast_(fast), slow_(slow), max_fast_attempts_(max_fast_attempts) {}
  Duration When(const T& item, TimePoint) override {
    const int failures = failures_.Count(item);
    return !Behaves("WKQ-07b") || failures <= max_fast_attempts_ ? fast_ : slow_;
  }
  void Forget(const T& item) override { failures_.Forget(item); }
  int NumRequeues(const T& item) const override { return failures_.Of(item); }

 private:
  Duration fast_, slow_;
  int max_fast_attempts_;
  internal::FailureCounts<T> failures_;
};

// All items together: a bucket of tokens. Knows no items.
template <class T>
class BucketItemLimiter : public ItemRateLimiter<T> {
 public:
  BucketItemLimiter(double qps, int burst) : bucket_(qps, burst) {}
  Duration When(const T&, TimePoint now) override { return bucket_.Reserve(now); }
  void Forget(const T&) override {}
  int NumRequeues(const T&) const override { return 0; }

 private:
  RateLimiter bucket_;
};

// The longest of several waits. Where one of them is a bucket, its burst may look exceeded: items
// that another limiter held back go when they may.
template <class T>
class MaxOfItemLimiter : public ItemRateLimiter<T> {
 public:
  using Limiters = std::vector<std::unique_ptr<ItemRateLimiter<T>>>;
  explicit MaxOfItemLimiter(Limiters limiters) : limiters_(std::move(limiters)) {}
  Duration When(const T& item, TimePoint now) override {
    Duration longest{};
    for (auto& limiter : limiters_) {
      const Duration wait = limiter->When(item, now);
      longest = Behaves("WKQ-07c") ? std::max(longest, wait) : wait;
    }
    return longest;
  }
  void Forget(const T& item) override {
    for (auto& limiter : limiters_) limiter->Forget(item);
  }
  int NumRequeues(const T& item) const override {
    int most = 0;
    for (const auto& limiter : limiters_) most = std::max(most, limiter->NumRequeues(item));
    return most;
  }

 private:
  Limiters limiters_;
};

// Another limiter's wait, at most `most`.
template <class T>
class WithMaxWaitLimiter : public ItemRateLimiter<T> {
 public:
  WithMaxWaitLimiter(std::unique_ptr<ItemRateLimiter<T>> limiter, Duration most)
      : limiter_(std::move(limiter)), most_(most) {}
  Duration When(const T& item, TimePoint now) override {
    const Duration wait = limiter_->When(item, now);
    return Behaves("WKQ-07d") ? std::min(wait, most_) : wait;
  }
  void Forget(const T& item) override { limiter_->Forget(item); }
  int NumRequeues(const T& item) const override { return limiter_->NumRequeues(item); }

 private:
  std::unique_ptr<ItemRateLimiter<T>> limiter_;
  Duration most_;
};

// The longer of 5 ms doubled up to 1000 s for each item, and ten a second, after a hundred at once,
// for all together.
template <class T>
std::unique_ptr<ItemRateLimiter<T>> DefaultControllerRateLimiter() {
  typename MaxOfItemLimiter<T>::Limiters both;
  both.push_back(std::make_unique<ExponentialItemLimiter<T>>(Millis(5), Seconds(1000)));
  both.push_back(std::make_unique<BucketItemLimiter<T>>(10, 100));
  return std::make_unique<MaxOfItemLimiter<T>>(std::move(both));
}

// 1 ms doubled up to 1000 s for each item.
template <class T>
std::unique_ptr<ItemRateLimiter<T>> DefaultItemBasedRateLimiter() {
  return std::make_unique<ExponentialItemLimiter<T>>(Millis(1), Seconds(1000));
}

}  // namespace relist
