#include "reflector/watches/until.h"

#include "reflector/parity_switch.h"
#include "reflector/watches/informer_watcher.h"

namespace relist {
namespace {

struct StopAtEnd {
  WatchStream& stream;
  ~StopAtEnd() { stream.Stop(); }
};

Error UntilInterrupted(Transport how) {
  return Error::Net(how, "timed out waiting for the condition");
}

// The next event, or why there will be none.
Task<Result<WatchEvent>> NextEventUnless(Loop& loop, WatchStream& stream, Signal& stop,
                                         Timer& timer) {
  Timer stream_deadline(loop, stream.deadline());
  for (;;) {
    if (stop.Ready()) co_return UntilInterrupted(Transport::kStopped);
    if (timer.Ready()) co_return UntilInterrupted(Transport::kTimeout);
    if (std::optional<WatchEvent> event = stream.TryNext()) co_return *event;
    if (stream.ended()) {
      co_return Error::Net(Transport::kEof, "watch closed before UntilWithoutRetry timeout");
    }
    Select which(loop, stop, timer, stream.source(), stream_deadline);
    co_await which;
  }
}

UntilOutcome NotSynced(bool stopped) {
  const std::string why = stopped ? "context canceled" : "context deadline exceeded";
  return {std::nullopt, Error::Net(stopped ? Transport::kStopped : Transport::kTimeout,
                                   "UntilWithSync: unable to sync caches: " + why)};
}

Task<void> AwaitEnd(Loop& loop, InformerWatcher& watcher) {
  watcher.Stop();
  Select which(loop, watcher.done());
  co_await which;
}

}  // namespace

Task<UntilOutcome> UntilWithoutRetry(Loop& loop, WatchStream& stream,
                                     std::vector<WatchCondition> conditions, Signal& stop,
                                     TimePoint deadline) {
  const StopAtEnd guard{stream};
  Timer timer(loop, deadline);
  UntilOutcome outcome;
  for (size_t i = 0; i < conditions.size(); ++i) {
    bool look_again = outcome.last_event.has_value() && Behaves("UNT-01");
    for (bool met = false; !met;) {
      if (!look_again) {
        Task<Result<WatchEvent>> next = NextEventUnless(loop, stream, stop, timer);
        const Result<WatchEvent> event = co_await next;
        if (!event.ok()) {
          outcome.result = event.error();
          co_return outcome;
        }
        outcome.last_event = *event;
      }
      look_again = false;
      const Result<bool> looked = conditions[i](*outcome.last_event);
      if (!looked.ok()) {
        outcome.result = looked.error();
        co_return outcome;
      }
      met = *looked;
    }
  }
  co_return outcome;
}

Task<UntilOutcome> Until(Loop& loop, ListerWatcher& lister, std::string resource_version,
                         std::vector<WatchCondition> conditions, Signal& stop, TimePoint deadline,
                         RetryWatcherOptions options) {
  Result<std::unique_ptr<RetryWatcher>> watcher =
      RetryWatcher::Make(loop, lister, resource_version, options);
  if (!watcher.ok()) co_return UntilOutcome{std::nullopt, watcher.error()};
  Task<UntilOutcome> until = UntilWithoutRetry(loop, **watcher, conditions, stop, deadline);
  co_return co_await until;
}

Task<UntilOutcome> UntilWithSync(Loop& loop, ListerWatcher& lister, UntilWithSyncOptions options,
                                 std::vector<WatchCondition> conditions, Signal& stop,
                                 TimePoint deadline) {
  InformerWatcher watcher(loop, lister, options.reflector);
  UntilOutcome outcome;
  bool done = false;
  if (options.precondition && Behaves("UNT-02")) {
    Timer timer(loop, deadline);
    Select which(loop, stop, timer, watcher.synced());
    co_await which;
    if (stop.Ready() || timer.Ready()) {
      outcome = NotSynced(stop.Ready());
      done = true;
    } else {
      const Result<bool> held = options.precondition(watcher.indexer());
      if (!held.ok()) outcome.result = held.error();
      done = !held.ok() || *held;
    }
  }
  if (!done) {
    Task<UntilOutcome> until = UntilWithoutRetry(loop, watcher, conditions, stop, deadline);
    outcome = co_await until;
  }
  Task<void> end = AwaitEnd(loop, watcher);
  co_await end;
  co_return outcome;
}

}  // namespace relist
