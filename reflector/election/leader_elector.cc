#include "reflector/election/leader_elector.h"

#include <fmt/core.h>

#include "reflector/election/lease_lock.h"
#include "reflector/election/stop_or_deadline.h"

namespace relist {
namespace {

constexpr double kElectionJitter = 1.2;  // client-go's JitterFactor

Duration Times(Duration d, double factor) {
  return Duration(static_cast<int64_t>(static_cast<double>(d.count()) * factor));
}

// Null: nothing is wrong.
const char* WrongIn(const LeaderElectionOptions& options, const ResourceLock& lock) {
  if (options.lease_duration <= options.renew_deadline) {
    return "leaseDuration must be greater than renewDeadline";
  }
  if (options.renew_deadline <= Times(options.retry_period, kElectionJitter)) {
    return "renewDeadline must be greater than retryPeriod*JitterFactor";
  }
  if (options.lease_duration <= Duration{}) return "leaseDuration must be greater than zero";
  if (options.renew_deadline <= Duration{}) return "renewDeadline must be greater than zero";
  if (options.retry_period <= Duration{}) return "retryPeriod must be greater than zero";
  if (!options.on_started_leading) return "OnStartedLeading callback must not be nil";
  if (!options.on_stopped_leading) return "OnStoppedLeading callback must not be nil";
  if (lock.identity().empty()) return "Lock identity is empty";
  return nullptr;
}

}  // namespace

Result<std::unique_ptr<LeaderElector>> LeaderElector::Make(Loop& loop, ResourceLock& lock,
                                                           LeaderElectionOptions options) {
  if (const char* wrong = WrongIn(options, lock)) return Error::Net(Transport::kOther, wrong);
  CHECK(options.choices, "an election draws its jitter from choices");
  return std::unique_ptr<LeaderElector>(new LeaderElector(loop, lock, std::move(options)));
}

LeaderElector::LeaderElector(Loop& loop, ResourceLock& lock, LeaderElectionOptions options)
    : loop_(loop), lock_(lock), options_(std::move(options)), terms_(loop) {}

void LeaderElector::Tell(LogLevel level, const std::string& what, const Error* error) {
  Say(options_.log, level,
      fmt::format("lease {}: {}{}{}", lock_.Describe(), what, error ? ": " : "",
                  error ? error->message() : ""));
}

Task<void> LeaderElector::Run(Signal& stop) {
  Task<bool> acquire = Acquire(stop);
  if (co_await acquire) {
    Signal& lost = lost_.emplace_back();
    terms_.Spawn(options_.on_started_leading(lost));
    Task<void> renew = Renew(stop, lost);
    co_await renew;
  }
  options_.on_stopped_leading();
}

Task<bool> LeaderElector::Acquire(Signal& stop) {
  Tell(LogLevel::kInfo, "attempting to acquire");
  while (!stop.Ready()) {
    Task<bool> once = TryAcquireOrRenew(stop);
    const bool acquired = co_await once;
    ReportTransition();
    if (acquired) {
      lock_.RecordEvent("became leader");
      Tell(LogLevel::kInfo, "acquired");
      co_return true;
    }
    const double jitter = kElectionJitter * options_.choices->Unit("election");
    Task<bool> pause = SleepUnless(loop_, Times(options_.retry_period, 1 + jitter), stop);
    co_await pause;
  }
  co_return false;
}

Task<void> LeaderElector::Renew(Signal& stop, Signal& lost) {
  while (!stop.Ready()) {
    Task<bool> once = RenewOnce(stop);
    const bool renewed = co_await once;
    ReportTransition();
    if (!renewed) {
      Tell(LogLevel::kWarning, stop.Ready() ? "stopped" : "not renewed in time: no longer leader");
      break;
    }
    Task<bool> pause = SleepUnless(loop_, options_.retry_period, stop);
    co_await pause;
  }
  lost.Set();
  if (options_.release_on_cancel) {
    Task<bool> release = Release();
    co_await release;
  }
  lock_.RecordEvent("stopped leading");
}

// A ticker's pace: tries begin whole periods after the first one, late ones at once.
Task<bool> LeaderElector::RenewOnce(Signal& stop) {
  const TimePoint start = loop_.Now();
  const TimePoint deadline = start + options_.renew_deadline;
  const Duration period = options_.retry_period;
  StopOrDeadline limit(loop_, &stop, deadline);
  for (TimePoint tick = start + period; !stop.Ready() && loop_.Now() < deadline;) {
    Task<bool> once = TryAcquireOrRenew(limit.signal());
    if (co_await once) co_return true;
    if (tick > loop_.Now()) {
      Task<bool> pause = SleepUnless(loop_, tick - loop_.Now(), limit.signal());
      co_await pause;
    }
    tick = start + period * ((loop_.Now() - start) / period + 1);
  }
  co_return false;
}

LeaderElectionRecord LeaderElector::OwnRecord(TimePoint now) const {
  LeaderElectionRecord record;
  record.holder_identity = lock_.identity();
  record.lease_duration_seconds = static_cast<int>(options_.lease_duration / Seconds(1));
  record.acquire_time = record.renew_time = FormatMicroTime(now);
  return record;
}

void LeaderElector::Observe(const LeaderElectionRecord& record) {
  observed_ = record;
  observed_time_ = loop_.Now();
}

bool LeaderElector::IsLeaseValid(TimePoint now) const {
  return observed_time_ + Seconds(observed_.lease_duration_seconds) > now;
}

Task<bool> LeaderElector::TryUpdate(LeaderElectionRecord record, const char* what, Signal& stop) {
  Task<Result<void>> update = lock_.Update(record, stop);
  const Result<void> updated = co_await update;
  if (updated.ok()) {
    Observe(record);
  } else {
    Tell(LogLevel::kWarning, what, &updated.error());
  }
  co_return updated.ok();
}

Task<bool> LeaderElector::TryAcquireOrRenew(Signal& stop) {
  const TimePoint now = loop_.Now();
  LeaderElectionRecord own = OwnRecord(now);
  // The leader writes without reading: what it wrote last should still be there.
  if (IsLeader() && IsLeaseValid(now)) {
    own.acquire_time = observed_.acquire_time;
    own.leader_transitions = observed_.leader_transitions;
    Task<bool> write = TryUpdate(own, "not updated, reading it", stop);
    if (co_await write) co_return true;
  }
  Task<Result<LeaderElectionRecord>> get = lock_.Get(stop);
  const Result<LeaderElectionRecord> read = co_await get;
  if (!read.ok()) {
    if (!IsNotFound(read.error())) {
      Tell(LogLevel::kWarning, "not read", &read.error());
      co_return false;
    }
    Task<Result<void>> create = lock_.Create(own, stop);
    const Result<void> created = co_await create;
    if (created.ok()) {
      Observe(own);
    } else {
      Tell(LogLevel::kWarning, "not created", &created.error());
    }
    co_return created.ok();
  }
  // What changed starts a new wait, by our clock, whatever times it holds.
  if (observed_raw_ != *read) {
    Observe(*read);
    observed_raw_ = *read;
  }
  if (!read->holder_identity.empty() && IsLeaseValid(now) && !IsLeader()) co_return false;
  if (IsLeader()) {
    own.acquire_time = read->acquire_time;
    own.leader_transitions = read->leader_transitions;
  } else {
    own.leader_transitions = read->leader_transitions + 1;
  }
  Task<bool> write = TryUpdate(own, "not updated", stop);
  co_return co_await write;
}

// Tries again after a conflict: an update of ours may have arrived after it was given up.
Task<bool> LeaderElector::Release() {
  StopOrDeadline limit(loop_, nullptr, loop_.Now() + options_.renew_deadline);
  for (;;) {
    Task<Result<LeaderElectionRecord>> get = lock_.Get(limit.signal());
    const Result<LeaderElectionRecord> read = co_await get;
    if (!read.ok()) {
      Tell(LogLevel::kWarning, "not read, so not released", &read.error());
      co_return false;
    }
    if (!IsLeader() || read->holder_identity != lock_.identity()) co_return true;
    LeaderElectionRecord free;
    free.leader_transitions = read->leader_transitions;
    free.lease_duration_seconds = 1;
    free.acquire_time = free.renew_time = FormatMicroTime(loop_.Now());
    Task<Result<void>> update = lock_.Update(free, limit.signal());
    const Result<void> updated = co_await update;
    if (updated.ok()) {
      Observe(free);
      co_return true;
    }
    if (IsConflict(updated.error())) continue;
    Tell(LogLevel::kWarning, "not released", &updated.error());
    co_return false;
  }
}

void LeaderElector::ReportTransition() {
  if (observed_.holder_identity == reported_leader_) return;
  reported_leader_ = observed_.holder_identity;
  if (options_.on_new_leader) options_.on_new_leader(reported_leader_);
}

Result<void> LeaderElector::Check(Duration tolerable) const {
  if (!IsLeader() || loop_.Now() - observed_time_ <= options_.lease_duration + tolerable) return {};
  return Error::Net(Transport::kOther,
                    "failed election to renew leadership on lease " + options_.name);
}

}  // namespace relist
