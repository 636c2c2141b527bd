// The client properties of a list-watch (convergence, no time travel, no lost delete ...), each a
// function over a history. A checker blames the client only for what a legal server did to it.
//
//   for (const Violation& v : CheckAll(history)) std::cout << Describe(history, v, "relist replay
//   case.yaml");
//
// All are one pass over the truth, the requests, and the callbacks; versions are compared as
// numbers, which Kubernetes promises since KEP-5504 and the fake keeps. Pure functions.
#pragma once

#include <string>
#include <vector>

#include "scenarios/checkers/history_view.h"
#include "scenarios/checkers/violation.h"

namespace relist {

struct CheckOptions {
  int within_requests = 40;  // C1: after the last fault a client needs at most so many requests
  // By a program whose log is judged, of its own time: what came to it is told so long after.
  Duration told_within = Seconds(10);
  // C1: a program whose store is judged is back so long after the last fault, of its own time: the
  // longest time-out that client-go asks for, and more.
  Duration recovery = Seconds(690);
  // C12, C16: a stream over which nothing comes is given up so long after its timeoutSeconds.
  Duration stall_margin = Seconds(60);
  // C15: requests that bring nothing, of one kind. A back-off as client-go's allows ten at most.
  int fruitless_per_minute = 30;
  WireKnobs wire;  // what the server was told to be like
};

// C1 Convergence: at the end a client's store is exactly the truth, bodies too, and getting there
// took few requests.
std::vector<Violation> CheckConvergence(const HistoryView& view, const CheckOptions& options);
// C2 Real states: whatever a handler is shown is a version that was committed, with that body, in
// its scope; and at each event all that it was shown is what was there at that version.
std::vector<Violation> CheckRealStates(const HistoryView& view, const CheckOptions& options);
// C3 No time travel of a key: the versions of one key that a handler sees never decrease.
std::vector<Violation> CheckKeyOrder(const HistoryView& view, const CheckOptions& options);
// C4 No time travel of the position: the versions in watch requests never decrease, except after a
// list.
std::vector<Violation> CheckPositionOrder(const HistoryView& view, const CheckOptions& options);
// C5 No lost delete: what is gone from the truth was told to be gone; a new uid under an old name
// is told as a delete and an add, except over a relist (where client-go shows an update).
std::vector<Violation> CheckDeletes(const HistoryView& view, const CheckOptions& options);
// C6 Grammar: for each key and handler (ADD UPDATE* DELETE)*, and an update's old version is the
// last one shown.
std::vector<Violation> CheckGrammar(const HistoryView& view, const CheckOptions& options);
// C7 No loss inside a stream: between two lists the callbacks are the events that came, in order,
// none merged, none missing. What the server never sent is its loss.
std::vector<Violation> CheckStreams(const HistoryView& view, const CheckOptions& options);
// C8 Honest resume: a watch starts at the version of the last event, bookmark or list that was
// taken in, wholly.
std::vector<Violation> CheckResume(const HistoryView& view, const CheckOptions& options);
// C9 Expired: a version that expired, in any of its three forms, is not resumed without a list in
// between.
std::vector<Violation> CheckExpiry(const HistoryView& view, const CheckOptions& options);
// C10 Bookmark: it moves the position, and is never shown as an object.
std::vector<Violation> CheckBookmarks(const HistoryView& view, const CheckOptions& options);
// C11 Sync flag: "synced" comes, and only after the initial list was applied and shown.
std::vector<Violation> CheckSync(const HistoryView& view, const CheckOptions& options);
// C12 Fallback: a streaming list that is refused, or never comes to the end of its initial events,
// is given up, and followed by a list. That nobody says "synced" meanwhile is C11's.
std::vector<Violation> CheckFallback(const HistoryView& view, const CheckOptions& options);
// C15 Politeness: who is told to wait (Retry-After) does, and who gets nowhere asks a bounded
// number of times in a minute, where client-go has no bound with an excuse.
std::vector<Violation> CheckPoliteness(const HistoryView& view, const CheckOptions& options);
// C16 Stall: a watch over which nothing comes is given up a while after its timeoutSeconds.
std::vector<Violation> CheckStalls(const HistoryView& view, const CheckOptions& options);
// C17 No silent death: who is not told to stop goes on asking, or says that it cannot.
std::vector<Violation> CheckSilence(const HistoryView& view, const CheckOptions& options);
// C18 Unknowns: beside a line of an unknown type nothing is lost, and it is no object.
std::vector<Violation> CheckUnknowns(const HistoryView& view, const CheckOptions& options);
// C19 Stop: who is told to stop is still soon: no callback, no request, no connection, nothing
// left.
std::vector<Violation> CheckStops(const HistoryView& view, const CheckOptions& options);
// C20 Own writes, of who says for which versions it waited: what it holds then is not older.
std::vector<Violation> CheckOwnWrites(const HistoryView& view, const CheckOptions& options);

// C13 and C14 compare two runs: same_callbacks.h.

// What each checker says when its property does not hold.
struct Checker {
  const char* property;
  std::vector<Violation> (*check)(const HistoryView& view, const CheckOptions& options);
};
// All of them, in the order of their numbers.
const std::vector<Checker>& Checkers();
// What a scenario may expect to be said: the properties, the server's too, and the excuses for what
// client-go does.
std::vector<std::string> KnownVerdicts();

// By these, and by the server's own (wire_checkers.h).
std::vector<Violation> CheckAll(const History& history, const CheckOptions& options = {});

// Equal but for kind and apiVersion, which an object from a list of a built-in kind lacks. A
// missing object equals any.
bool SameBody(const ObjectRef& a, const ObjectRef& b);

}  // namespace relist
