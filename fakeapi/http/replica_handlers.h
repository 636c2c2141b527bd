// Which replica a new connection leads to, the same in both worlds.
//
//   ReplicaHandlers handlers(first, {&second}, /*balance=*/{1, 0});
//   const size_t replica = handlers.Next(/*door=*/0);   // 1, then 0, then 1 again
//   handlers.Of(replica).Handle(...);
//
// Without a balance it is the one whose door was knocked at. One thread.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "fakeapi/api/request_handler.h"

namespace relist::fakeapi {

class ReplicaHandlers {
 public:
  // All outlive it. `first` is number 0, `others` are those after it.
  ReplicaHandlers(RequestHandler& first, std::vector<RequestHandler*> others,
                  std::vector<size_t> balance)
      : handlers_(std::move(others)), balance_(std::move(balance)) {
    handlers_.insert(handlers_.begin(), &first);
  }

  size_t Next(size_t door) { return balance_.empty() ? door : balance_[next_++ % balance_.size()]; }
  RequestHandler& Of(size_t replica) const { return *handlers_.at(replica); }
  // Moves when any of them restarts.
  uint64_t incarnations() const {
    uint64_t sum = 0;
    for (const RequestHandler* handler : handlers_) sum += handler->incarnation();
    return sum;
  }

 private:
  std::vector<RequestHandler*> handlers_;
  std::vector<size_t> balance_;
  size_t next_ = 0;
};

}  // namespace relist::fakeapi
