#include "reflector/watches/retry_watcher.h"

#include <fmt/core.h>

#include <algorithm>

#include "reflector/parity_switch.h"
#include "reflector/watch_error.h"

namespace relist {
namespace {

// As many as a reflector's stream holds: then the server is made to wait.
constexpr size_t kUnreadMax = 1000;

ObjectRef StatusObject(const Status& status) {
  Object::Head head;
  head.kind = "Status";
  head.api_version = "v1";
  return std::make_shared<Object>(status.ToJson(), std::move(head));
}

Status RetryFailure(const std::string& why) {
  Status status = Error::Api(500, "InternalError", "Internal error occurred: " + why).status;
  status.details = StatusDetails{};
  status.details->causes.push_back({"", why, ""});
  return status;
}

}  // namespace

Result<std::unique_ptr<RetryWatcher>> RetryWatcher::Make(Loop& loop, ListerWatcher& lister,
                                                         std::string resource_version,
                                                         RetryWatcherOptions options) {
  if ((resource_version.empty() || resource_version == "0") && Behaves("RTW-01")) {
    return Error::Net(
        Transport::kOther,
        fmt::format("initial RV \"{}\" is not supported due to issues with underlying WATCH",
                    resource_version));
  }
  return std::unique_ptr<RetryWatcher>(
      new RetryWatcher(loop, lister, std::move(resource_version), std::move(options)));
}

RetryWatcher::RetryWatcher(Loop& loop, ListerWatcher& lister, std::string resource_version,
                           RetryWatcherOptions options)
    : loop_(loop),
      lister_(lister),
      last_(std::move(resource_version)),
      options_(std::move(options)),
      ready_(*this),
      scope_(loop) {
  scope_.Spawn(Receive());
}

std::optional<WatchEvent> RetryWatcher::TryNext() {
  if (events_.empty()) return std::nullopt;
  WatchEvent event = std::move(events_.front());
  events_.pop_front();
  room_.Raise();
  return event;
}

void RetryWatcher::Stop() {
  stop_.Set();
  if (Behaves("RTW-06")) events_.clear();
  over_ = true;
  ready_.Raise();
}

void RetryWatcher::Send(WatchEvent event) {
  if (over_) return;
  events_.push_back(std::move(event));
  ready_.Raise();
}

// The delay counts from the start of the pass (client-go's non-sliding loop, RTW-02).
Task<void> RetryWatcher::Receive() {
  while (!stop_.Ready()) {
    const TimePoint restart = loop_.Now() + options_.min_restart_delay;
    Task<Pass> once = DoReceive();
    const Pass pass = co_await once;
    if (pass.over) break;
    TimePoint next = std::max(restart, loop_.Now() + pass.wait);
    if (!Behaves("RTW-02")) next = loop_.Now() + options_.min_restart_delay;
    if (!Behaves("RTW-02b")) next = restart;
    if (next <= loop_.Now()) continue;
    Task<bool> pause = SleepUnless(loop_, next - loop_.Now(), stop_);
    co_await pause;
  }
  over_ = true;
  ready_.Raise();
}

Task<RetryWatcher::Pass> RetryWatcher::DoReceive() {
  ListOptions options;
  options.resource_version = last_;
  options.allow_watch_bookmarks = true;
  if (options_.watch_timeout) options.timeout_seconds = *options_.watch_timeout / Seconds(1);
  Task<Result<std::unique_ptr<WatchStream>>> open = lister_.Watch(options, stop_);
  Result<std::unique_ptr<WatchStream>> opened = co_await open;
  if (!opened.ok()) co_return AfterOpening(opened.error());
  const std::unique_ptr<WatchStream> stream = std::move(*opened);
  if (!stream) {
    Say(options_.log, LogLevel::kError, "retry watcher: Watch returned nil watcher");
    co_return Pass{};
  }
  Timer deadline(loop_, stream->deadline());
  for (;;) {
    while (events_.size() < kUnreadMax) {
      std::optional<WatchEvent> event = stream->TryNext();
      if (!event) break;
      if (const std::optional<Pass> end = Take(*event)) co_return *end;
    }
    if (stop_.Ready()) co_return Pass{.over = true};
    if (events_.size() >= kUnreadMax) {
      Select which(loop_, stop_, room_);
      co_await which;
      room_.Take();
      continue;
    }
    if (stream->ended()) co_return Pass{};
    Select which(loop_, stop_, stream->source(), deadline);
    co_await which;
  }
}

// Credentials do not mend by themselves; whatever else it is, the server may be back in a moment
// (RTW-03).
RetryWatcher::Pass RetryWatcher::AfterOpening(const Error& error) {
  if (error.transport == Transport::kStopped) return {.over = true};
  const bool denied = IsForbidden(error) || IsUnauthorized(error);
  Say(options_.log, denied ? LogLevel::kError : LogLevel::kWarning,
      fmt::format("retry watcher: Watch failed: {}{}", error.message(),
                  denied ? ": ensure the client has valid credentials and watch permissions on the "
                           "resource"
                         : ""));
  if (!denied || !Behaves("RTW-03")) return {};
  Send({EventType::kError, StatusObject(error.status)});
  return {.over = true};
}

std::optional<RetryWatcher::Pass> RetryWatcher::Take(const WatchEvent& event) {
  switch (event.type) {
    case EventType::kAdded:
    case EventType::kModified:
    case EventType::kDeleted:
    case EventType::kBookmark:
      break;
    case EventType::kError:
      return AfterErrorEvent(event);
    default:
      return FailWith(fmt::format("retryWatcher failed to recognize Event type \"{}\"",
                                  static_cast<int>(event.type)));
  }
  if (!event.object) return FailWith("retryWatcher: doesn't support resourceVersion");
  const std::string& version = event.object->resource_version();
  if (version.empty() && Behaves("RTW-05")) {
    return FailWith(fmt::format("retryWatcher: object {} doesn't support resourceVersion",
                                event.object->key().ToString()));
  }
  if (event.type != EventType::kBookmark || !Behaves("RTW-05b")) Send(event);
  last_ = version;
  return std::nullopt;
}

// RTW-04.
RetryWatcher::Pass RetryWatcher::AfterErrorEvent(const WatchEvent& event) {
  const Error error = ErrorOfEvent(event.object);
  if (error.transport != Transport::kNone) {
    Say(options_.log, LogLevel::kError,
        "retry watcher: received an error which is not a Status: " + error.message());
    return {};
  }
  if (error.status.code == 410 && Behaves("RTW-04")) {
    Send(event);
    return {.over = true};
  }
  Pass pass;
  if (error.status.details) pass.wait = Seconds(error.status.details->retry_after_seconds);
  return pass;
}

// Skipping it could skip a version with good data: the end.
RetryWatcher::Pass RetryWatcher::FailWith(const std::string& why) {
  Send({EventType::kError, StatusObject(RetryFailure(why))});
  return {.over = true};
}

}  // namespace relist
