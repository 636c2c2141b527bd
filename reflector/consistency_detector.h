// Whether a streaming list gave what a list of the same version gives (client-go's consistency
// detector, for tests of servers; catalogue AUX-02).
//
//   Task<void> check = CheckConsistency(loop, lister, staged, "42", transform, log, stop);
//   co_await check;     // a failed CHECK where the two differ
//
// Asked for by KUBE_WATCHLIST_INCONSISTENCY_DETECTOR=true in the environment, as client-go has it,
// or by ReflectorOptions::detect_inconsistency. Belongs to the loop's thread.
#pragma once

#include <string>
#include <vector>

#include "core/runtime/loop.h"
#include "reflector/lister_watcher.h"
#include "reflector/reflector_log.h"
#include "reflector/reflector_store.h"

namespace relist {

// What the environment says; it is read once.
bool InconsistencyDetectorWanted();

// In what the two differ, in a sentence; empty if in nothing. Objects are paired by uid; kind and
// apiVersion, which items of lists lack, do not count.
std::string DifferenceOf(std::vector<ObjectRef> streamed, std::vector<ObjectRef> listed);

// Lists `resource_version` exactly, once a second until the list succeeds or `stop` is set, and
// compares. Not where there is no version, or "0", of which no such list can be. `streamed` went
// through `transform` (may be empty) already; the list's items do so here. All but `streamed` must
// outlive the task.
Task<void> CheckConsistency(Loop& loop, ListerWatcher& lister, std::vector<ObjectRef> streamed,
                            std::string resource_version, const Transform& transform,
                            const ReflectorLog& log, Signal& stop);

}  // namespace relist
