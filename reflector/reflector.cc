// The run loop and the two ways to list; the watch loop is in reflector_watch.cc.
#include "reflector/reflector.h"

#include <fmt/core.h>

#include <algorithm>

namespace relist {
namespace {

constexpr int64_t kPageSize = 500;
constexpr Duration kMinWatchTimeoutLeast = Seconds(300);

Error Wrap(const char* what, const Error& error) {
  Error out = error;
  out.status.message = fmt::format("{}: {}", what, error.message());
  return out;
}

}  // namespace

std::string_view Name(Reflector::Phase phase) {
  switch (phase) {
    case Reflector::Phase::kIdle:
      return "idle";
    case Reflector::Phase::kStreamingList:
      return "streaming list";
    case Reflector::Phase::kList:
      return "list";
    case Reflector::Phase::kOpenWatch:
      return "open watch";
    case Reflector::Phase::kWatch:
      return "watch";
    case Reflector::Phase::kBackOff:
      return "back off";
    case Reflector::Phase::kStopped:
      return "stopped";
  }
  return "?";
}

Reflector::Reflector(Loop& loop, ListerWatcher& lister, ReflectorStore& store,
                     ReflectorOptions options)
    : loop_(loop),
      lister_(lister),
      store_(store),
      options_(std::move(options)),
      backoff_(options_.backoff, options_.choices, loop.Now()) {
  options_.min_watch_timeout = std::max(options_.min_watch_timeout, kMinWatchTimeoutLeast);
}

// One step of the delay after every round, good or bad (RFL-03).
Task<void> Reflector::Run(Signal& stop) {
  while (!stop.Ready()) {
    Task<Result<void>> round = ListAndWatch(stop);
    const Result<void> result = co_await round;
    if (stop.Ready()) break;
    if (!result.ok()) {
      why_ = result.error().message();
      Report(result.error(), /*handler_called=*/true);
    }
    Task<void> pause = BackOff(stop);
    co_await pause;
  }
  phase_ = Phase::kStopped;
}

Task<Result<void>> Reflector::ListAndWatch(Signal& stop) {
  std::unique_ptr<WatchStream> stream;
  if (options_.streaming_list && lister_.SupportsStreamingList()) {
    Task<Result<std::unique_ptr<WatchStream>>> streaming = WatchList(stop);
    Result<std::unique_ptr<WatchStream>> opened = co_await streaming;
    if (stop.Ready()) co_return Result<void>();
    if (opened.ok()) {
      stream = std::move(*opened);
    } else {
      // For this round only (WLM-09): the next one tries again.
      Report(opened.error(), /*handler_called=*/false);
    }
  }
  if (!stream) {
    Task<Result<void>> listing = List(stop);
    Result<void> listed = co_await listing;
    if (stop.Ready()) co_return Result<void>();
    if (!listed.ok()) co_return listed;
  }
  Task<Result<void>> watching = WatchWithResync(std::move(stream), stop);
  co_return co_await watching;
}

// RFL-08.
std::string Reflector::RelistVersion() const {
  if (unavailable_) return "";
  return last_sync_.empty() ? "0" : last_sync_;
}

// RFL-09: a limit together with a version would make the server read exactly, past its cache.
int64_t Reflector::PageSize(const std::string& resource_version) const {
  if (options_.page_size != 0) return options_.page_size;
  if (paginated_) return kPageSize;
  return resource_version.empty() || resource_version == "0" ? kPageSize : 0;
}

Task<Result<void>> Reflector::List(Signal& stop) {
  phase_ = Phase::kList;
  ListOptions options;
  options.resource_version = RelistVersion();
  const std::string asked = options.resource_version;
  const int64_t page_size = PageSize(asked);
  if (options_.fresh_relists && page_size != 0 && !asked.empty() && asked != "0") {
    options.resource_version_match = "NotOlderThan";
  }
  Pager pager(lister_, page_size);
  Task<Result<PagedList>> pages = pager.List(options, stop);
  Result<PagedList> listed = co_await pages;
  if (stop.Ready()) co_return Result<void>();
  if (!listed.ok() &&
      AfterError(listed.error(), WatchPlace::kList) == WatchAction::kListFromScratch) {
    Report(listed.error(), /*handler_called=*/false);
    unavailable_ = true;
    options.resource_version = RelistVersion();
    options.resource_version_match.clear();
    Task<Result<PagedList>> from_scratch = pager.List(options, stop);
    listed = co_await from_scratch;
    if (stop.Ready()) co_return Result<void>();
  }
  if (!listed.ok()) co_return Wrap("failed to list", listed.error());
  if (asked == "0" && listed->paginated) paginated_ = true;
  Result<void> synced =
      SyncWith(std::move(listed->list.items), listed->list.resource_version, "list");
  if (!synced.ok()) co_return Wrap("unable to sync list result", synced.error());
  co_return Result<void>();
}

Result<void> Reflector::SyncWith(std::vector<ObjectRef> objects,
                                 const std::string& resource_version, const char* how) {
  unavailable_ = false;
  Result<void> replaced = store_.Replace(std::move(objects), resource_version);
  if (!replaced.ok()) return replaced;
  if (options_.recorder) options_.recorder->Relist(fmt::format("{}: {}", how, why_));
  MovePosition(resource_version);
  return {};
}

Task<Result<std::unique_ptr<WatchStream>>> Reflector::WatchList(Signal& stop) {
  using Stream = std::unique_ptr<WatchStream>;
  while (!stop.Ready()) {
    phase_ = Phase::kStreamingList;
    const TimePoint started = loop_.Now();
    ListOptions options = WatchRequest();
    // Never "0": the first streaming list is a consistent read (WLM-02).
    options.resource_version = unavailable_ ? "" : last_sync_;
    options.resource_version_match = "NotOlderThan";
    options.send_initial_events = true;
    Task<Result<Stream>> request = lister_.Watch(std::move(options), stop);
    Result<Stream> opened = co_await request;
    if (stop.Ready()) break;
    Error error;
    WatchAction action;
    if (opened.ok()) {
      Staging staging;
      Task<Outcome> reading = HandleAnyWatch(**opened, /*synthetic=*/true, &staging, stop);
      Outcome outcome = co_await reading;
      if (outcome.kind == Outcome::Kind::kStopped) break;
      if (outcome.kind == Outcome::Kind::kComplete) {
        std::vector<ObjectRef> objects;
        objects.reserve(staging.objects.size());
        for (auto& [key, object] : staging.objects) objects.push_back(std::move(object));
        Result<void> synced =
            SyncWith(std::move(objects), staging.resource_version, "streaming list");
        if (!synced.ok()) co_return Wrap("unable to sync watch-list result", synced.error());
        co_return std::move(*opened);
      }
      action = AfterStreamingList(&outcome, started);
      error = std::move(outcome.error);
    } else {
      error = opened.error();
      action = AfterError(error, WatchPlace::kOpenStreamingList);
    }
    if (action == WatchAction::kFallBackToList) co_return error;
    if (action != WatchAction::kReopen) Report(error, /*handler_called=*/false);
    if (action == WatchAction::kReopenFromScratch) unavailable_ = true;
    Task<void> pause =
        action == WatchAction::kBackOffAndReopen ? BackOff(stop) : PaceReopening(started, stop);
    co_await pause;
  }
  co_return Stream();
}

WatchAction Reflector::AfterStreamingList(Outcome* outcome, TimePoint started) const {
  if (outcome->kind == Outcome::Kind::kError) {
    return AfterError(outcome->error, WatchPlace::kInStreamingList);
  }
  const Duration lasted = loop_.Now() - started;
  const bool outlived =
      options_.streaming_list_patience.has_value() && lasted >= options_.min_watch_timeout;
  if (outcome->kind == Outcome::Kind::kSilent || outlived) {
    outcome->error =
        Error::Net(Transport::kTimeout,
                   fmt::format("no end of the initial events in {} s", FormatSeconds(lasted)));
    return WatchAction::kFallBackToList;
  }
  outcome->error = VeryShortWatch();
  return AfterEnd(lasted, outcome->events, WatchPlace::kInStreamingList);
}

// timeoutSeconds is drawn anew for each request, from [min, 2 min) (RFL-02).
ListOptions Reflector::WatchRequest() {
  ListOptions options;
  options.watch = true;
  options.allow_watch_bookmarks = true;
  const double least = static_cast<double>(options_.min_watch_timeout / Seconds(1));
  const double unit = options_.choices->Unit("watch timeout");
  options.timeout_seconds = static_cast<int64_t>(least * (unit + 1.0));
  return options;
}

void Reflector::MovePosition(const std::string& resource_version) {
  if (resource_version == last_sync_) return;
  last_sync_ = resource_version;
  if (options_.recorder) options_.recorder->Position(last_sync_);
}

void Reflector::Report(const Error& error, bool handler_called) {
  if (options_.recorder) options_.recorder->ErrorSeen(error, handler_called);
  if (handler_called && options_.watch_error_handler) options_.watch_error_handler(error);
}

Task<void> Reflector::BackOff(Signal& stop) {
  phase_ = Phase::kBackOff;
  const Duration delay = backoff_.Next(loop_.Now());
  if (options_.recorder) options_.recorder->BackOff(delay);
  Task<bool> sleep = SleepUnless(loop_, delay, stop);
  co_await sleep;
}

Task<void> Reflector::PaceReopening(TimePoint started, Signal& stop) {
  if (!options_.pace_reopening || loop_.Now() - started >= Seconds(1)) co_return;
  Task<void> pause = BackOff(stop);
  co_await pause;
}

}  // namespace relist
