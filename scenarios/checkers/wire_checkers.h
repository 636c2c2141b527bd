// The server properties of a list-watch, W1 to W20, each a function over what went over the wire.
// They blame a server for what no legal one may do, and for nothing that a fault did on purpose.
//
//   for (const Violation& v : CheckWire(WireOf(HistoryView(history), knobs))) ...
//
// One history that is bad in one way is told by one property: which one is what the comments say. A
// server as of v1.37 is meant: an older one may ignore sendInitialEvents, which W9 would tell.
// All are one pass over the requests, but for W6 without a truth. Pure functions.
#pragma once

#include <vector>

#include "scenarios/checkers/violation.h"
#include "scenarios/checkers/wire_view.h"

namespace relist {

// wire_streams.cc
// W1 Filter: whatever is sent is an event that the scope saw: its key, type, uid and body, too.
std::vector<Violation> CheckFilter(const WireView& wire);
// W2 Order: versions rise, once the initial objects are through. What is sent twice is W3's.
std::vector<Violation> CheckOrder(const WireView& wire);
// W3 Unique: a version of a key is sent once.
std::vector<Violation> CheckUnique(const WireView& wire);
// W4 Reliable: of all that the scope saw between the start and the last event or bookmark nothing
// lacks. A tail that never came shows only if something comes after it.
std::vector<Violation> CheckReliable(const WireView& wire);
// W5 Exclusive start: nothing at or below the version that a watch names, a future one included.
// That the first event is the first one due is W4's.
std::vector<Violation> CheckExclusiveStart(const WireView& wire);

// wire_expiry.cc
// W6 Resume: a watch from a version that the window surely holds is not told that it expired. That
// what follows joins what was before follows from W1 to W5, since both are held against the truth;
// where there is none, streams of one scope are held against each other.
std::vector<Violation> CheckResumable(const WireView& wire);
// W10 Expired: from below the window, as far as control actions or its size tell where that begins,
// the stream is one ERROR of code 410 and reason Expired, and its end. After any ERROR nothing
// comes. HTTP 410 is the wrong form, and initial events never expire.
std::vector<Violation> CheckExpired(const WireView& wire);
// W20 Too large on a streaming list: ERROR 504 with its cause and retryAfterSeconds, no sooner than
// after the wait, no later than seconds after it, and only there: a plain watch waits silently.
std::vector<Violation> CheckTooLarge(const WireView& wire);

// wire_bookmarks.cc
// W7 Bookmark: only where asked for, not below what was sent before or the start, never going back,
// nothing at or below it afterwards; an object of the kind with nothing but its version (and the
// annotation). An event that never comes is W4's. That bookmarks come is promised by nobody.
std::vector<Violation> CheckBookmarkLines(const WireView& wire);

// wire_initial.cc
// W8 Synthetic start: a watch without a start begins with all objects of one version, in key order,
// as ADDED; without resourceVersion one that is not older than the request. A bookmark that ends
// them may lack, as it does with older servers.
std::vector<Violation> CheckSyntheticStart(const WireView& wire);
// W9 Streaming list: the same for sendInitialEvents, from the version that was named or later, then
// one annotated bookmark (if any were asked for) before anything else; without resourceVersionMatch
// and on lists it is refused; false is no initial events.
std::vector<Violation> CheckStreamingList(const WireView& wire);

// wire_framing.cc
// W11 Framing, as far as a history shows it: one head before all lines, nothing after the end, one
// end, as a body should end; nothing after the deadline, and a stream that has nothing to say ends
// there. One that was told much may be waiting for its reader. Bytes are the decoder's business.
std::vector<Violation> CheckFraming(const WireView& wire);
// W16 Format: versions are decimal without leading zeros.
std::vector<Violation> CheckVersionFormat(const WireView& wire);
// W17 Busy: a 429 comes before a stream and says Retry-After; no request hangs.
std::vector<Violation> CheckBusy(const WireView& wire);
// W18 Slow reader: W4, where the reader is known to be slow. Whether a server closes for it is its
// own affair.
std::vector<Violation> CheckSlowReader(const WireView& wire);
// W19 Legal instant close: nothing is wrong with a stream that ends at once, if it ends as it
// should. Whether its version was good is not asked.
std::vector<Violation> CheckInstantClose(const WireView& wire);

// wire_lists.cc
// W12 Pages: each has its token's version, and the objects of that version from where the page
// before ended; its own token leads to the first that it lacks.
std::vector<Violation> CheckPages(const WireView& wire);
// W13 Broken page: a token from below the floor is a 410 with a token that goes on at the newest
// version; one from above it is none.
std::vector<Violation> CheckBrokenPages(const WireView& wire);
// W14 List: not older than what was asked for (every earlier write, where nothing was), or exactly
// that; all of its objects; 410 below the floor and not above it, 504 only for what is to come,
// after the wait, both in the right form.
std::vector<Violation> CheckLists(const WireView& wire);
// W15 Replicas: of one replica, lists at 0 and initial events never go back. Between two replicas,
// and between two streams, there is no order, and none is asked for.
std::vector<Violation> CheckReplicas(const WireView& wire);

struct WireChecker {
  const char* property;
  std::vector<Violation> (*check)(const WireView& wire);
};
// All of them, in the order of their numbers.
const std::vector<WireChecker>& WireCheckers();

std::vector<Violation> CheckWire(const WireView& wire);

}  // namespace relist
