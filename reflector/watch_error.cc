#include "reflector/watch_error.h"

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
  const bool position_lost = IsExpired(error) || IsTooLargeResourceVersion(error);
  const bool busy = IsTooManyRequests(error) || IsConnectionRefused(error);
  switch (place) {
    case WatchPlace::kList:
      return position_lost ? WatchAction::kListFromScratch : WatchAction::kReportAndRelist;
    case WatchPlace::kOpenStreamingList:
    case WatchPlace::kInStreamingList:
      if (busy) return WatchAction::kBackOffAndReopen;
      return position_lost ? WatchAction::kReopenFromScratch : WatchAction::kFallBackToList;
    case WatchPlace::kOpenWatch:
      return busy ? WatchAction::kBackOffAndReopen : WatchAction::kReportAndRelist;
    case WatchPlace::kInWatch:
      // The position of an expired watch is still good for "not older than": no list from scratch
      // (WCH-06). A stream cannot be refused any more.
      return IsTooManyRequests(error) ? WatchAction::kBackOffAndReopen
                                      : WatchAction::kBackOffAndRelist;
  }
  return WatchAction::kReportAndRelist;
}

bool IsVeryShortWatch(Duration lasted, int events) {
  return lasted < Seconds(1) && events == 0;
}

Error VeryShortWatch() {
  return Error::Net(
      Transport::kOther,
      "very short watch: Unexpected watch close - watch lasted less than a second and "
      "no items received");
}

WatchAction AfterEnd(Duration lasted, int events, WatchPlace place) {
  if (!IsVeryShortWatch(lasted, events)) {
    return WatchAction::kReopen;
  }
  return place == WatchPlace::kInStreamingList ? WatchAction::kFallBackToList
                                               : WatchAction::kBackOffAndRelist;
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
  if (window_ <= Duration{} || !running_) return false;
  if (now - first_ <= window_) return true;
  running_ = false;
  return false;
}

}  // namespace relist
