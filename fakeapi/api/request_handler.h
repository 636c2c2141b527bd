// What a connection asks of the server behind it.
#pragma once

#include <memory>
#include <variant>

#include "core/time.h"
#include "fakeapi/api/http_types.h"
#include "fakeapi/api/watch_session.h"

namespace relist::fakeapi {

// "Not yet": call Handle again with the same request and the same `received` when the store's
// revision has moved, or at `until` at the latest. (A list newer than the world waits up to 3 s,
// SRV-14.)
struct Wait {
  TimePoint until;
};

using Reply = std::variant<Response, std::unique_ptr<WatchSession>, Wait>;

class RequestHandler {
 public:
  virtual ~RequestHandler() = default;
  // Never throws, never blocks. `received` is when the request was complete, `now` is now.
  virtual Reply Handle(const Request& request, TimePoint received, TimePoint now) = 0;
  // Moves with every commit and control action: a front compares it to know whether waiters may
  // have an answer.
  virtual uint64_t change_count() const = 0;
  // Moves with every restart of what is behind it: connections from before it are to be closed.
  virtual uint64_t incarnation() const { return 0; }
  // When it has something to do without being asked: whoever pumps calls Tick() then, or soon
  // after. Asked again after every call of it, and after whatever else may have written.
  virtual TimePoint NextDeadline() const { return kNever; }
  virtual void Tick(TimePoint /*now*/) {}
};

}  // namespace relist::fakeapi
