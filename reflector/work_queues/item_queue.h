// The order in which a work queue gives its items out; first come, first served by default.
//
//   struct Urgent : ItemQueue<ObjectKey> { ... };     // a priority queue of somebody's own
//   WorkQueue<ObjectKey> queue(loop, {.order = std::make_unique<Urgent>()});
//
// The work queue sees to it that an item is here once at most. Called under its lock.
#pragma once

#include <cstddef>
#include <deque>
#include <utility>

namespace relist {

template <class T>
class ItemQueue {
 public:
  virtual ~ItemQueue() = default;
  // An item that waits here was added again (WKQ-01): a chance to change its priority.
  virtual void Touch(const T&) {}
  virtual void Push(T item) = 0;
  virtual size_t size() const = 0;
  // The next one; not to be called when empty. Keeps nothing of it (WKQ-04).
  virtual T Pop() = 0;
};

template <class T>
class FifoItemQueue : public ItemQueue<T> {
 public:
  void Push(T item) override { items_.push_back(std::move(item)); }
  size_t size() const override { return items_.size(); }
  T Pop() override {
    T item = std::move(items_.front());
    items_.pop_front();
    return item;
  }

 private:
  std::deque<T> items_;
};

}  // namespace relist
