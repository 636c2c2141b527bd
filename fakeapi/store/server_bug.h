// Bugs that can be planted in the server, for the suite that tests the tests: property_tests turns
// one on and must find it. Each is looked at in exactly one line of the code.
#pragma once

namespace relist::fakeapi {

enum class ServerBug {
  kNone,
  // Watches.
  kLeavingIsSilent,      // an update that leads out of a selection is not told
  kLeavingShowsNew,      // it shows the object as it is, not as it was
  kEnteringIsModified,   // an update that leads into a selection is MODIFIED
  kStartIsInclusive,     // a watch from N tells of N again
  kStartSkipsOne,        // it begins one event late
  kExpiresTooLate,       // a watch from before the window is served from the window
  kExpiresTooEarly,      // a watch from the window's edge is told that it expired
  kFutureIsNow,          // a watch of the future tells of what comes before it
  kSlowSkips,            // a slow watch goes on without what it missed
  kRestartKeepsWatches,  // open watches outlive a restart
  kInitialIsEtcds,       // the initial events of a replica that is behind are etcd's
  kInitialIsUnsorted,    // they come in the reverse order
  kEndBookmarkAlways,    // they end with a bookmark that nobody asked for
  kBookmarkIsAhead,      // a bookmark has etcd's version, where the replica is behind
  kBookmarkOvertakes,    // a bookmark comes before the events that it covers
  // Lists.
  kExactIsNewest,          // an exact list is of the newest version
  kNewestIsCaches,         // a list of the newest version does not wait for a replica behind
  kNotOlderIsOlder,        // nor does one of a version that it has yet to hear of
  kPageIsNewest,           // a later page is of the newest version
  kPageSkipsOne,           // a later page begins one object late
  kTokenIsLost,            // a full page with a selector has no token
  kRemainingWithSelector,  // remainingItemCount is told where there is a selector
  kExpiredPageIsFinal,     // an expired page comes without a token to go on with
  kExpiredListIsServed,    // an exact list from below etcd's floor is served
  kUnreadyServes,          // caches that are not ready answer lists
  kLast = kUnreadyServes,
};

}  // namespace relist::fakeapi
