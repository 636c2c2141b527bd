#include "reflector/watch_error.h"

#include "reflector/parity_switch.h"

namespace relist {

std::string_view Name(WatchAction action) {
  switch (action) {
    case WatchAction::kListFromScratch:
      return "list from scratch";
    case WatchAction::kReopenFromScratch:
      return "reopen from scratch";
    case WatchAction::kReopen:
      return "reopen";
    case WatchAction::kBackOffAndReopen:
      return "back off and reopen";
    case WatchAction::kFallBackToList:
      return "fall back to list";
    case WatchAction::kReportAndRelist:
      return "report and relist";
    case WatchAction::kBackOffAndRelist:
      return "back off and relist";
  }
  return "?";
}

WatchAction AfterError(const Error& error, WatchPlace place) {
  const bool position_lost = (IsExpired(error) && Behaves("RFL-12")) ||
                             (IsTooLargeResourceVersion(error) && Behaves("RFL-13"));
  const bool busy = IsTooManyRequests(error) || IsConnectionRefused(error);
  switch (place) {
    case WatchPlace::kList:
      return position_lost ? WatchAction::kListFromScratch : WatchAction::kReportAndRelist;
    case WatchPlace::kOpenStreamingList:
    case WatchPlace::kInStreamingList:
      if (busy && Behaves("WLM-09")) return WatchAction::kBackOffAndReopen;
      return position_lost && Behaves("WLM-09b") ? WatchAction::kReopenFromScratch
                                                 : WatchAction::kFallBackToList;
    case WatchPlace::kOpenWatch:
      if (busy && Behaves("WCH-04")) return WatchAction::kBackOffAndReopen;
      return Behaves("WCH-04b") ? WatchAction::kReportAndRelist : WatchAction::kBackOffAndReopen;
    case WatchPlace::kInWatch:
      // The position of an expired watch is still good for "not older than": no list from scratch
      // (WCH-06). A stream cannot be refused any more.
      if (IsTooManyRequests(error) && Behaves("WCH-07")) return WatchAction::kBackOffAndReopen;
      return Behaves("RFL-17") ? WatchAction::kBackOffAndRelist : WatchAction::kBackOffAndReopen;
  }
  return WatchAction::kReportAndRelist;
}

bool IsVeryShortWatch(Duration lasted, int events) {
  return Behaves("WCH-09") && lasted < Seconds(1) && events == 0;
}

Error VeryShortWatch(const std::string& name) {
  return Error::Net(Transport::kOther, "very short watch: " + name + (name.empty() ? "" : ": ") +
                                           "Unexpected watch close - watch lasted less than a "
                                           "second and no items received");
}

WatchAction AfterEnd(Duration lasted, int events, WatchPlace place) {
  const bool streaming = place == WatchPlace::kInStreamingList;
  if (IsVeryShortWatch(lasted, events)) {
    return streaming ? WatchAction::kFallBackToList : WatchAction::kBackOffAndRelist;
  }
  if (streaming) return Behaves("WLM-08") ? WatchAction::kReopen : WatchAction::kFallBackToList;
  return Behaves("WCH-05") ? WatchAction::kReopen : WatchAction::kBackOffAndReopen;
}

Error ErrorOfEvent(const ObjectRef& object) {
  if (object && object->kind() == "Status") {
    if (std::optional<Status> status = Status::Parse(object->bytes())) {
      Error error;
      error.status = std::move(*status);
      return error;
    }
  }
  return Error::Net(Transport::kOther,
                    "unexpected object in an ERROR event: " + (object ? object->kind() : "none"));
}

void RetryWithDeadline::After(const Error* error, TimePoint now) {
  if (!error || !IsInternalError(*error)) return;
  if (running_ && now - last_ >= min_reset_) running_ = false;
  if (!running_) first_ = now;
  running_ = true;
  last_ = now;
}

bool RetryWithDeadline::ShouldRetry(TimePoint now) {
  if (!Behaves("WCH-08") || window_ <= Duration{} || !running_) return false;
  if (now - first_ <= window_) return true;
  running_ = false;
  return false;
}

}  // namespace relist
