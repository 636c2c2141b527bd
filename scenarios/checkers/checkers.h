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
  WireKnobs wire;            // what the server was told to be like
};

// C1 Convergence: at the end a client's store is exactly the truth, bodies too, and getting there
// took few requests.
std::vector<Violation> CheckConvergence(const HistoryView& view, const CheckOptions& options);
// C2 Real states, the part that needs no clock: whatever a handler is shown is a version that was
// committed.
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
// C7 No loss inside a stream: between two lists the callbacks are the events, in order, none
// merged, none missing.
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
