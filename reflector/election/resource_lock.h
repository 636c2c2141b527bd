// What a leader election is about: a record that everybody reads and one of them writes
// (client-go's tools/leaderelection/resourcelock).
//
// LeaseLock keeps it in a Lease; tests write their own. Belongs to the loop's thread.
#pragma once

#include <string>

#include "core/result.h"
#include "core/runtime/source.h"
#include "core/runtime/task.h"

namespace relist {

struct LeaderElectionRecord {
  std::string holder_identity;  // empty: nobody holds it
  int lease_duration_seconds = 0;
  // As they are on the wire, "2026-01-01T00:00:00.000000Z": nobody reckons with another's clock.
  std::string acquire_time, renew_time;
  int leader_transitions = 0;
  std::string preferred_holder, strategy;  // of coordinated elections; kept as they are
  bool operator==(const LeaderElectionRecord&) const = default;
};

class ResourceLock {
 public:
  virtual ~ResourceLock() = default;
  // `stop` ends a request at once. Create and Update are of the state that was got last: somebody
  // else's write in between is an Error (IsConflict).
  virtual Task<Result<LeaderElectionRecord>> Get(Signal& stop) = 0;
  virtual Task<Result<void>> Create(LeaderElectionRecord record, Signal& stop) = 0;
  virtual Task<Result<void>> Update(LeaderElectionRecord record, Signal& stop) = 0;
  // "became leader", "stopped leading".
  virtual void RecordEvent(const std::string&) {}
  virtual const std::string& identity() const = 0;
  virtual std::string Describe() const = 0;  // "kube-system/scheduler"
};

}  // namespace relist
