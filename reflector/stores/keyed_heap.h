// A priority queue whose items have keys, so that one can be changed or taken out while it waits
// (client-go's Heap; catalogue AUX-06).
//
//   KeyedHeap<Job> heap({.key = [](const Job& job) -> Result<std::string> { return job.name; },
//                        .less = [](const Job& a, const Job& b) { return a.due < b.due; }});
//   heap.Add({"backup", due});           // again, with another time: moves it
//   std::optional<Job> first = heap.TryPop();
//
// Any thread. Pop blocks the thread that calls it until there is something, or the heap is closed:
// it is for threads of one's own, the loop's uses TryPop. Which of two equal items comes first is
// not said, but the same operations give the same order.
#pragma once

#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/result.h"
#include "reflector/parity_switch.h"

namespace relist {

template <class T>
class KeyedHeap {
 public:
  struct Options {
    std::function<Result<std::string>(const T&)> key;  // an Error refuses the item
    std::function<bool(const T&, const T&)> less;      // true: the first one goes first
  };

  explicit KeyedHeap(Options options) : options_(std::move(options)) {
    CHECK(options_.key && options_.less, "a KeyedHeap needs a key and an order");
  }

  // Puts it in, or in the place of what has its key. An Error once closed ("heap is closed").
  Result<void> Add(T item) { return Put(std::move(item), /*replace=*/true); }
  // Leaves what has its key as it is: for who puts back what failed.
  Result<void> AddIfNotPresent(T item) { return Put(std::move(item), /*replace=*/false); }
  // All before anybody pops; an Error for a key comes midway.
  Result<void> BulkAdd(std::vector<T> items) {
    const std::lock_guard lock(mutex_);
    if (closed_) return Closed();
    Result<void> result;
    for (T& item : items) {
      Result<std::string> key = options_.key(item);
      if (!key.ok()) {
        result = key.error();
        break;
      }
      PutLocked(std::move(*key), std::move(item), /*replace=*/true);
    }
    changed_.notify_all();
    return result;
  }
  // By the item's key alone. An Error where there is none ("object not found").
  Result<void> Delete(const T& item) {
    const Result<std::string> key = options_.key(item);
    if (!key.ok()) return key.error();
    const std::lock_guard lock(mutex_);
    const auto at = items_.find(*key);
    if (at == items_.end()) return Error::Net(Transport::kOther, "object not found");
    Remove(at->second.place);
    return {};
  }

  // The first; nothing where there is none now.
  std::optional<T> TryPop() {
    const std::lock_guard lock(mutex_);
    if (queue_.empty()) return std::nullopt;
    return Remove(0);
  }
  // Waits for it; an Error(kStopped) once closed and empty.
  Result<T> Pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return closed_ || !queue_.empty(); });
    if (queue_.empty()) return Closed();
    return Remove(0);
  }

  std::optional<T> Get(const T& item) const {
    const Result<std::string> key = options_.key(item);
    return key.ok() ? GetByKey(*key) : std::nullopt;
  }
  std::optional<T> GetByKey(const std::string& key) const {
    const std::lock_guard lock(mutex_);
    const auto at = items_.find(key);
    if (at == items_.end()) return std::nullopt;
    return at->second.item;
  }
  std::vector<T> List() const {  // in key order
    const std::lock_guard lock(mutex_);
    std::vector<T> out;
    for (const auto& [key, waiting] : items_) out.push_back(waiting.item);
    return out;
  }
  std::vector<std::string> ListKeys() const {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> out;
    for (const auto& [key, waiting] : items_) out.push_back(key);
    return out;
  }

  // Wakes who waits in Pop. Nothing more comes in; what is there can still be popped.
  void Close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    changed_.notify_all();
  }
  bool closed() const {
    const std::lock_guard lock(mutex_);
    return closed_;
  }

 private:
  struct Waiting {
    T item;
    size_t place;  // in queue_
  };
  using Place = typename std::map<std::string, Waiting>::iterator;

  static Error Closed() { return Error::Net(Transport::kStopped, "heap is closed"); }

  Result<void> Put(T item, bool replace) {
    Result<std::string> key = options_.key(item);
    if (!key.ok()) return key.error();
    const std::lock_guard lock(mutex_);
    if (closed_) return Closed();
    PutLocked(std::move(*key), std::move(item), replace);
    changed_.notify_all();
    return {};
  }

  void PutLocked(std::string key, T item, bool replace) {
    const auto at = items_.find(key);
    if (at == items_.end()) {
      queue_.push_back(
          items_.emplace(std::move(key), Waiting{std::move(item), queue_.size()}).first);
      Up(queue_.size() - 1);
    } else if (replace) {
      at->second.item = std::move(item);
      if (Behaves("AUX-06")) Down(Up(at->second.place));
    }
  }

  T Remove(size_t place) {
    Exchange(place, queue_.size() - 1);
    const Place gone = queue_.back();
    queue_.pop_back();
    if (place < queue_.size()) Down(Up(place));
    T item = std::move(gone->second.item);
    items_.erase(gone);
    return item;
  }

  bool Before(size_t a, size_t b) const {
    return options_.less(queue_[a]->second.item, queue_[b]->second.item);
  }
  void Exchange(size_t a, size_t b) {
    std::swap(queue_[a], queue_[b]);
    queue_[a]->second.place = a;
    queue_[b]->second.place = b;
  }
  // Both: the item at `place` to where it belongs; where that is.
  size_t Up(size_t place) {
    while (place > 0 && Before(place, (place - 1) / 2)) {
      Exchange(place, (place - 1) / 2);
      place = (place - 1) / 2;
    }
    return place;
  }
  size_t Down(size_t place) {
    for (;;) {
      size_t first = place;
      for (size_t child = 2 * place + 1; child <= 2 * place + 2 && child < queue_.size(); ++child) {
        if (Before(child, first)) first = child;
      }
      if (first == place) return place;
      Exchange(place, first);
      place = first;
    }
  }

  const Options options_;
  mutable std::mutex mutex_;  // for all below
  std::condition_variable changed_;
  std::map<std::string, Waiting> items_;
  std::vector<Place> queue_;  // a heap of all that is in items_
  bool closed_ = false;
};

}  // namespace relist
