// A lease in memory, and locks of several candidates on it, for tests of leader election.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/runtime/loop.h"
#include "reflector/election/resource_lock.h"

namespace relist::testing {

struct MemoryLease {
  std::optional<LeaderElectionRecord> record;
  int version = 0;

  void Put(const LeaderElectionRecord& to) {
    record = to;
    ++version;
  }
};

// Writes only what it has seen, as a server would have it.
class MemoryLock : public ResourceLock {
 public:
  MemoryLock(Loop& loop, MemoryLease& lease, std::string identity)
      : loop_(loop), lease_(lease), identity_(std::move(identity)) {}

  Task<Result<LeaderElectionRecord>> Get(Signal& stop) override {
    Task<Result<void>> begin = Begin("get", stop);
    const Result<void> begun = co_await begin;
    if (!begun.ok()) co_return begun.error();
    if (!lease_.record) co_return Error::Api(404, "NotFound", "no such lease");
    seen_ = lease_.version;
    co_return *lease_.record;
  }
  Task<Result<void>> Create(LeaderElectionRecord record, Signal& stop) override {
    Task<Result<void>> begin = Begin("create", stop);
    const Result<void> begun = co_await begin;
    if (!begun.ok()) co_return begun.error();
    if (lease_.record) co_return Error::Api(409, "AlreadyExists", "there is one");
    lease_.Put(record);
    seen_ = lease_.version;
    co_return Result<void>();
  }
  Task<Result<void>> Update(LeaderElectionRecord record, Signal& stop) override {
    Task<Result<void>> begin = Begin("update", stop);
    const Result<void> begun = co_await begin;
    if (!begun.ok()) co_return begun.error();
    if (conflicts > 0) {
      --conflicts;
      co_return Error::Api(409, "Conflict", "from the test");
    }
    if (seen_ != lease_.version) co_return Error::Api(409, "Conflict", "not the latest version");
    lease_.Put(record);
    seen_ = lease_.version;
    co_return Result<void>();
  }
  void RecordEvent(const std::string& what) override { events.push_back(what); }
  const std::string& identity() const override { return identity_; }
  std::string Describe() const override { return "default/memory"; }

  std::string broken;  // "get", "create", "update", "all": fails
  bool hangs = false;  // until its stop signal
  int conflicts = 0;   // updates that fail so
  std::vector<std::string> calls, events;

 private:
  Task<Result<void>> Begin(const char* call, Signal& stop) {
    calls.push_back(call);
    if (hangs) {
      Select which(loop_, stop);
      co_await which;
    }
    if (stop.Ready()) co_return Error::Net(Transport::kStopped, "stopped");
    if (broken == call || broken == "all") co_return Error::Api(500, "InternalError", "broken");
    co_return Result<void>();
  }

  Loop& loop_;
  MemoryLease& lease_;
  const std::string identity_;
  int seen_ = 0;
};

}  // namespace relist::testing
