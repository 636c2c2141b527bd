// Waiting for several things at once, caches that sync for instance, without asking again and again
// (catalogue INF-15, FAC-06).
//
//   Task<bool> waiting = WaitFor(loop, {informer.synced_checker(), handle->synced_checker()},
//                                {.what = "my-caches", .stop = &stop, .log = log});
//   if (!co_await waiting) ...                      // stopped, or too late
//
// From outside the loop: loop.RunUntil([&] { return informer.HasSynced(); }, deadline). Belongs to
// the loop's thread.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/runtime/loop.h"
#include "reflector/log.h"

namespace relist {

// Something that will be done, with a name for the log (client-go's DoneChecker). `done` must
// outlive whoever waits for it.
struct DoneChecker {
  std::string name;
  Source* done = nullptr;
};
inline bool IsDone(const DoneChecker& checker) {
  return checker.done->Ready();
}

// What ends a wait early. `stop` must outlive it.
struct WaitLimits {
  std::string what;  // in the log: "waiting for what"; empty: nothing is said
  Signal* stop = nullptr;
  std::string stop_cause = "context canceled";
  TimePoint deadline = kNever;
  std::shared_ptr<Log> log;  // may be null
};

// True when all are done; false when it was stopped, or the deadline came, before. What is done
// when it is stopped counts as done.
Task<bool> WaitFor(Loop& loop, std::vector<DoneChecker> checkers, WaitLimits limits);

// Why a wait with these limits ended early: client-go's words for a context's cause.
std::string CauseOf(const Loop& loop, const WaitLimits& limits);

// Which informers have synced, and why the rest have not (client-go's SyncResult).
struct SyncResult {
  std::map<std::string, bool> synced;  // by name
  std::optional<std::string> cause;    // why the waiting ended before all had
  // "failed to sync all caches: a, b: context canceled".
  Result<void> AsError() const;
};

}  // namespace relist
