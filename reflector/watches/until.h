// Waiting until something was seen in a watch (client-go's tools/watch Until*; catalogue UNT-01,
// UNT-02).
//
//   WatchCondition gone = [](const WatchEvent& e) { return e.type == EventType::kDeleted; };
//   Task<UntilOutcome> until = UntilWithSync(loop, lister, {.reflector = reflector_options},
//                                            {gone}, stop, loop.Now() + Seconds(30));
//   UntilOutcome outcome = co_await until;
//   if (outcome.result.ok()) Use(*outcome.last_event);
//
// Conditions are met one after another; the event that met one is shown to the next one first. They
// see ERROR events like any other. A condition's Error ends the wait and is the outcome's. What
// else ends it: `stop` (Transport::kStopped) and `deadline` (kTimeout), both "timed out waiting for
// the condition", and the end of the stream (kEof). All belongs to the loop's thread, and what is
// passed by reference outlives the task.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/runtime/loop.h"
#include "reflector/lister_watcher.h"
#include "reflector/reflector.h"
#include "reflector/stores/indexer.h"
#include "reflector/watches/retry_watcher.h"

namespace relist {

// True: met. Called on the loop.
using WatchCondition = std::function<Result<bool>(const WatchEvent&)>;

struct UntilOutcome {
  std::optional<WatchEvent> last_event;  // the last one that was looked at, in any case
  Result<void> result;                   // good: all conditions were met
};

// Over a stream that somebody opened; stops it. Without conditions it is done at once.
Task<UntilOutcome> UntilWithoutRetry(Loop& loop, WatchStream& stream,
                                     std::vector<WatchCondition> conditions, Signal& stop,
                                     TimePoint deadline = kNever);

// Over a RetryWatcher that starts at `resource_version`, with its errors.
Task<UntilOutcome> Until(Loop& loop, ListerWatcher& lister, std::string resource_version,
                         std::vector<WatchCondition> conditions, Signal& stop,
                         TimePoint deadline = kNever, RetryWatcherOptions options = {});

struct UntilWithSyncOptions {
  ReflectorOptions reflector;  // choices are required
  // Asked once, when the store holds what there was at first; true: done, without an event. Empty:
  // nobody waits for that.
  std::function<Result<bool>(const Indexer&)> precondition;
};

// Over an informer of its own (InformerWatcher): what exists comes as ADDED, and an expired watch
// is no error. Returns when the informer has ended. Where it cannot sync, for the precondition,
// "UntilWithSync: unable to sync caches: context canceled" (or "... deadline exceeded").
Task<UntilOutcome> UntilWithSync(Loop& loop, ListerWatcher& lister, UntilWithSyncOptions options,
                                 std::vector<WatchCondition> conditions, Signal& stop,
                                 TimePoint deadline = kNever);

}  // namespace relist
