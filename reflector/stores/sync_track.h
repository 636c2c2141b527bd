// Whether all of an informer's initial list has been dealt with, not only told (client-go's
// synctrack trackers; catalogue AUX-08).
//
//   SingleFileTracker tracker;
//   OnAdd:    if (is_in_initial_list) tracker.Start();  ...  tracker.Finished();
//   elsewhere, once the informer has synced:  tracker.UpstreamHasSynced();
//   tracker.HasSynced();    // both
//
// The single-file one counts: for a handler, or one queue with one worker. The asynchronous one
// knows keys: for several workers behind a work queue, who may finish what was never started.
//
// Any thread. `on_synced`, if there is one, is called once, by the thread that completes it, with
// no lock held: client-go's Done channel.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <set>
#include <utility>

#include "core/check.h"
#include "reflector/parity_switch.h"

namespace relist {

class SingleFileTracker {
 public:
  explicit SingleFileTracker(std::function<void()> on_synced = {})
      : on_synced_(std::move(on_synced)) {}

  // Before each item of the initial list is dealt with.
  void Start() { count_.fetch_add(1); }
  // After it. More of them than of Start is a failed CHECK.
  void Finished();
  // The initial list was handed over to Start completely; more than once is fine.
  void UpstreamHasSynced();
  bool HasSynced() const { return synced_.load(); }

 private:
  void Sync();

  const std::function<void()> on_synced_;
  std::atomic<int64_t> count_ = 0;
  std::atomic<bool> upstream_ = false;
  std::atomic<bool> synced_ = false;
};

template <class Key>
class AsyncTracker {
 public:
  explicit AsyncTracker(std::function<void()> on_synced = {}) : on_synced_(std::move(on_synced)) {}

  void Start(const Key& key) {
    const std::lock_guard lock(mutex_);
    waiting_.insert(key);
  }
  // Harmless for a key that was not started.
  void Finished(const Key& key) {
    std::unique_lock lock(mutex_);
    waiting_.erase(key);
    Sync(std::move(lock));
  }
  void UpstreamHasSynced() {
    std::unique_lock lock(mutex_);
    upstream_ = true;
    Sync(std::move(lock));
  }
  bool HasSynced() const {
    const std::lock_guard lock(mutex_);
    return synced_;
  }

 private:
  void Sync(std::unique_lock<std::mutex> lock) {
    if (synced_ || !upstream_ || (!waiting_.empty() && Behaves("AUX-08b"))) return;
    synced_ = true;
    lock.unlock();
    if (on_synced_) on_synced_();
  }

  const std::function<void()> on_synced_;
  mutable std::mutex mutex_;  // for all below
  std::set<Key> waiting_;
  bool upstream_ = false;
  bool synced_ = false;
};

}  // namespace relist
