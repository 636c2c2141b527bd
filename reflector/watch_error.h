// What the reflector does after an error or an end, as plain functions: the table of catalogue
// section 2.
//
//   switch (AfterError(error, WatchPlace::kInWatch)) { case WatchAction::kBackOffAndRelist: ... }
//
// The REST client has seen an error before this table does, and may have retried for a while
// (NET-03 to NET-05). Pure; any thread.
#pragma once

#include <string>
#include <string_view>

#include "core/result.h"
#include "core/time.h"
#include "core/wire/object.h"

namespace relist {

enum class WatchPlace {
  kList,
  kOpenStreamingList,  // the answer to the request
  kInStreamingList,    // in the stream, before the bookmark that ends the initial events
  kOpenWatch,
  kInWatch,
};

enum class WatchAction {
  kListFromScratch,    // "unavailable": list at once with resourceVersion "", same page size
  kReopenFromScratch,  // "unavailable": reopen the streaming list at once, without a version
  kReopen,             // at once, from where we are
  kBackOffAndReopen,   // one step of the delay, then reopen; no relist
  kFallBackToList,     // at once, for this round only
  kReportAndRelist,    // error handler, one step of the delay, relist from where we are
  kBackOffAndRelist,   // the same without the handler
};
std::string_view Name(WatchAction action);

WatchAction AfterError(const Error& error, WatchPlace place);

// A stream that ended without an ERROR event: cleanly, cut, reset or timed out, all alike (NET-09).
// `lasted` counts from before the request (WCH-02), `events` without the skipped ones (WCH-09).
WatchAction AfterEnd(Duration lasted, int events, WatchPlace place);
bool IsVeryShortWatch(Duration lasted, int events);
// How it is reported. `name` is the reflector's; without one the message has none.
Error VeryShortWatch(const std::string& name);

// The error in an ERROR event: its Status, or "unexpected object" for anything else (EVT-02).
Error ErrorOfEvent(const ObjectRef& object);

// The window in which InternalError is retried at once (WCH-08; off by default, length 0).
class RetryWithDeadline {
 public:
  RetryWithDeadline(Duration window, Duration min_reset) : window_(window), min_reset_(min_reset) {}
  // To be told of every outcome; null for none.
  void After(const Error* error, TimePoint now);
  // True while the window that the first InternalError opened is still open.
  bool ShouldRetry(TimePoint now);

 private:
  Duration window_, min_reset_;
  bool running_ = false;
  TimePoint first_, last_;
};

}  // namespace relist
