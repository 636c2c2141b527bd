// What a controller still has to look at, and when: client-go's delaying, rate-limited work queue,
// with time as an argument.
//
//   WorkQueue<std::string> queue(Seconds(60));
//   queue.Add("team", now + Seconds(5));
//   while (std::optional<std::string> name = queue.Take(now)) ...
//   queue.Retry("team", now);   // 5 ms later, then 10 ms, 20 ms ... at most a minute
//
// An item is in it once, at the earliest of the times asked for. Items of one time come in the
// order in which they got it. `Key` is ordered, and never by an address. One thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "core/time.h"

namespace relist::fakeapi {

template <class Key>
class WorkQueue {
 public:
  explicit WorkQueue(Duration retry_max) : retry_max_(retry_max) {}

  void Add(const Key& key, TimePoint due) {
    const auto known = due_.find(key);
    if (known != due_.end()) {
      if (known->second.first <= due) return;
      by_time_.erase(known->second);
    }
    const Place place{due, ++sequence_};
    by_time_.emplace(place, key);
    due_.insert_or_assign(key, place);
  }

  // It failed: once more, each time after twice as long.
  void Retry(const Key& key, TimePoint now) {
    int& failures = failures_[key];
    const Duration wait = kRetryFirst * (int64_t{1} << std::min(failures, kDoublingsMax));
    ++failures;
    Add(key, now + std::min(wait, retry_max_));
  }
  // It succeeded, or is not worth another try.
  void Forget(const Key& key) { failures_.erase(key); }

  // The next item that is due; it is out of the queue.
  std::optional<Key> Take(TimePoint now) {
    if (NextDue() > now) return std::nullopt;
    Key key = std::move(by_time_.begin()->second);
    by_time_.erase(by_time_.begin());
    due_.erase(key);
    return key;
  }

  TimePoint NextDue() const { return by_time_.empty() ? kNever : by_time_.begin()->first.first; }

  void Clear() {
    by_time_.clear();
    due_.clear();
    failures_.clear();
  }

 private:
  using Place = std::pair<TimePoint, uint64_t>;
  static constexpr Duration kRetryFirst = Millis(5);
  static constexpr int kDoublingsMax = 30;

  const Duration retry_max_;
  std::map<Place, Key> by_time_;
  std::map<Key, Place> due_;
  std::map<Key, int> failures_;
  uint64_t sequence_ = 0;
};

}  // namespace relist::fakeapi
