// One leader among many who stand for it: client-go's tools/leaderelection, on any ResourceLock.
//
//   LeaseLock lock(rest, {.ns = "default", .name = "my-controller", .identity = "pod-1"});
//   auto elector = LeaderElector::Make(loop, lock, {
//       .choices = &choices,
//       .on_started_leading = [&](Signal& lost) { return RunController(world, lost); },
//       .on_stopped_leading = [&] { loop.Stop(); }});
//   scope.Spawn((*elector)->Run(stop));
//
// Everybody reads the record every 2 to 4.4 s; who sees it unchanged for its whole duration, by the
// own clock, writes it. The holder writes it every 2 s, and gives up where it could not for 10 s:
// its lease would still last 5 s more then, in which it has to stop what it does. What is done is
// guarded only as far as clocks run at the same rate: no lock, no fencing.
//
// As in client-go, on_started_leading's task is told by `lost` and not waited for: its process is
// expected to end. Two things are better here, and harm nobody: `lost` is set before the lease is
// given back, and a lease that meanwhile is somebody else's is not given back for him. Not here:
// coordinated elections (alpha there). Belongs to the loop's thread.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <optional>
#include <string>

#include "core/choices.h"
#include "core/runtime/loop.h"
#include "reflector/election/resource_lock.h"
#include "reflector/log.h"

namespace relist {

struct LeaderElectionOptions {
  // How long others wait, counted from when they last saw the record change.
  Duration lease_duration = Seconds(15);
  Duration renew_deadline = Seconds(10);  // how long the holder tries before it gives up
  Duration retry_period = Seconds(2);  // between tries; who does not hold it adds up to 1.2 times
  // Gives the lease back when Run ends, so that the next leader need not wait. What it guards must
  // have ended before `stop` is set.
  bool release_on_cancel = false;
  std::string name;            // in Check's error
  Choices* choices = nullptr;  // draws jitter ("election"); required, outlives the elector
  std::shared_ptr<Log> log;    // may be null

  // Runs while this one leads, as a task of the elector: it should end soon after `lost` is set.
  // Required. Not a lambda that is a coroutine: let it call one.
  std::function<Task<void>(Signal& lost)> on_started_leading;
  // Whenever Run ends, also where it never led. Required.
  std::function<void()> on_stopped_leading;
  // Another leader was seen, this one among them, or nobody (""). May be empty.
  std::function<void(const std::string& identity)> on_new_leader;
};

class LeaderElector {
 public:
  // An Error where the durations do not go together, or something that is required is missing.
  // `lock` must outlive it.
  static Result<std::unique_ptr<LeaderElector>> Make(Loop& loop, ResourceLock& lock,
                                                     LeaderElectionOptions options);

  // Stands for election until it has led and lost, or `stop`. May be run again afterwards.
  Task<void> Run(Signal& stop);

  // What was seen last: it may have changed since.
  const std::string& leader() const { return observed_.holder_identity; }
  bool IsLeader() const { return leader() == lock_.identity(); }
  // An Error where this one thinks that it leads, and its lease ended longer than `tolerable` ago:
  // for a health check, should the loop have been stuck.
  Result<void> Check(Duration tolerable) const;

  // One try, as Run makes them; public for tests.
  Task<bool> TryAcquireOrRenew(Signal& stop);
  Task<bool> Release();
  void ReportTransition();

 private:
  LeaderElector(Loop& loop, ResourceLock& lock, LeaderElectionOptions options);
  Task<bool> Acquire(Signal& stop);
  // Until it could not be done, or `stop`; sets `lost` then, before the lease is given back.
  Task<void> Renew(Signal& stop, Signal& lost);
  // Tries until one try succeeds, or the renew deadline.
  Task<bool> RenewOnce(Signal& stop);
  Task<bool> TryUpdate(LeaderElectionRecord record, const char* what, Signal& stop);
  void Observe(const LeaderElectionRecord& record);
  bool IsLeaseValid(TimePoint now) const;
  LeaderElectionRecord OwnRecord(TimePoint now) const;
  void Tell(LogLevel level, const std::string& what, const Error* error = nullptr);

  Loop& loop_;
  ResourceLock& lock_;
  LeaderElectionOptions options_;
  LeaderElectionRecord observed_;
  std::optional<LeaderElectionRecord> observed_raw_;  // as it was read last
  TimePoint observed_time_;
  std::string reported_leader_;
  std::list<Signal> lost_;  // one for each term; the last one is of now
  TaskScope terms_;
};

}  // namespace relist
