// The record of a leader election in a coordination.k8s.io/v1 Lease (client-go's LeaseLock).
//
//   LeaseLock lock(rest, {.ns = "default", .name = "my-controller", .identity = "pod-1"});
//
// A Lease that somebody made otherwise keeps its metadata, and labels that are not named here.
// Belongs to the loop's thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>

#include "core/time.h"
#include "core/wire/object.h"
#include "reflector/election/resource_lock.h"
#include "reflector/recorder.h"
#include "reflector/rest/rest_client.h"

namespace relist {

struct LeaseLockOptions {
  std::string ns, name;
  std::string identity;                       // unique among all who stand for election
  std::map<std::string, std::string> labels;  // of who holds it
  // Of each request: one that hangs must not cost the lease. client-go's half of the renew
  // deadline.
  Duration request_timeout = Seconds(5);
  // "pod-1 became leader", "pod-1 stopped leading": client-go posts these as Events. Empty:
  // nothing.
  std::function<void(const std::string&)> on_event;
  std::shared_ptr<Recorder> recorder;  // may be null
};

class LeaseLock : public ResourceLock {
 public:
  // `rest` must outlive it.
  LeaseLock(RestClient& rest, LeaseLockOptions options);

  Task<Result<LeaderElectionRecord>> Get(Signal& stop) override;
  Task<Result<void>> Create(LeaderElectionRecord record, Signal& stop) override;
  Task<Result<void>> Update(LeaderElectionRecord record, Signal& stop) override;
  void RecordEvent(const std::string& what) override;
  const std::string& identity() const override { return options_.identity; }
  std::string Describe() const override { return options_.ns + "/" + options_.name; }

 private:
  RestRequest Request(const std::string& method, bool collection, std::string body) const;
  Task<Result<void>> Write(RestRequest request, Signal& stop);

  RestClient& rest_;
  LeaseLockOptions options_;
  ObjectRef lease_;  // as it was got or written last; null before
};

// Fields of a Lease's spec; what is missing, or of another type, is empty.
LeaderElectionRecord RecordOfLease(const Object& lease);

// A time as Leases write it: UTC, with six digits of a second.
std::string FormatMicroTime(TimePoint t);

}  // namespace relist
