// The run loop and the list; streaming lists are in reflector_watch_list.cc, the watch loop is in
// reflector_watch.cc.
#include "reflector/reflector.h"

#include <fmt/core.h>

#include <algorithm>

#include "reflector/parity_switch.h"
#include "reflector/trace.h"

namespace relist {
namespace {

constexpr int64_t kPageSize = 500;
constexpr Duration kMinWatchTimeoutLeast = Seconds(300);

Error Wrap(const std::string& what, const Error& error) {
  Error out = error;
  out.status.message = fmt::format("{}: {}", what, error.message());
  return out;
}

}  // namespace

void ExpectTypeOf(const Object& example, ReflectorOptions* options) {
  options->expected_kind = example.kind();
  options->expected_api_version = example.api_version();
}

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
      log_(options_.log, options_.name,
           Behaves("RFL-01") && options_.type_description.empty()
               ? TypeDescription(options_.expected_api_version, options_.expected_kind)
               : options_.type_description),
      backoff_(options_.backoff, options_.choices, loop.Now()) {
  if (Behaves("RFL-02")) {
    options_.min_watch_timeout = std::max(options_.min_watch_timeout, kMinWatchTimeoutLeast);
  }
}

// One step of the delay after every round, good or bad (RFL-03).
Task<void> Reflector::Run(Signal& stop) {
  while (!stop.Ready()) {
    Task<Result<void>> round = ListAndWatch(stop);
    const Result<void> result = co_await round;
    if (stop.Ready()) break;
    if (!result.ok()) {
      why_ = result.error().message();
      Handle(result.error());
    }
    if (result.ok() && !Behaves("RFL-03")) continue;
    Task<void> pause = BackOff(stop);
    co_await pause;
  }
  phase_ = Phase::kStopped;
}

Task<Result<void>> Reflector::ListAndWatch(Signal& stop) {
  std::unique_ptr<WatchStream> stream;
  const bool declined = Behaves("WLM-01") && !lister_.SupportsStreamingList();
  if (options_.streaming_list && !declined) {
    Trace trace("Reflector WatchList", loop_.Now());
    Task<Result<std::unique_ptr<WatchStream>>> streaming = WatchList(&trace, stop);
    Result<std::unique_ptr<WatchStream>> opened = co_await streaming;
    SayIfLong(trace);
    if (stop.Ready()) co_return Result<void>();
    if (opened.ok()) {
      stream = std::move(*opened);
    } else {
      // For this round only (RFL-07): the next one tries again.
      log_.Say(LogLevel::kInfo, "Falling back to regular list", opened.error());
      Report(opened.error());
      if (!Behaves("RFL-07")) options_.streaming_list = false;
    }
  }
  if (!stream) {
    Trace trace("Reflector ListAndWatch", loop_.Now());
    Task<Result<void>> listing = List(&trace, stop);
    Result<void> listed = co_await listing;
    SayIfLong(trace);
    if (stop.Ready()) co_return Result<void>();
    if (!listed.ok()) co_return listed;
  }
  if (!Behaves("RFL-07b")) stream.reset();
  Task<Result<void>> watching = WatchWithResync(std::move(stream), stop);
  co_return co_await watching;
}

// RFL-08.
std::string Reflector::RelistVersion() const {
  if (unavailable_) return "";
  if (last_sync_.empty()) return Behaves("RFL-08") ? "0" : "";
  return Behaves("RFL-08b") ? last_sync_ : "0";
}

// RFL-09: a limit together with a version would make the server read exactly, past its cache.
int64_t Reflector::PageSize(const std::string& resource_version) const {
  if (Behaves("RFL-09") && options_.page_size != 0) return options_.page_size;
  if (paginated_) return kPageSize;
  if (!Behaves("RFL-09b")) return kPageSize;
  return resource_version.empty() || resource_version == "0" ? kPageSize : 0;
}

Task<Result<void>> Reflector::List(Trace* trace, Signal& stop) {
  phase_ = Phase::kList;
  ListOptions options;
  options.resource_version = RelistVersion();
  const std::string asked = options.resource_version;
  const int64_t page_size = PageSize(asked);
  if (options_.fresh_relists && page_size != 0 && !asked.empty() && asked != "0") {
    options.resource_version_match = "NotOlderThan";
  }
  Signal never;
  Signal& list_stop = Behaves("RFL-14") ? stop : never;
  Pager pager(lister_, page_size);
  Task<Result<PagedList>> pages = pager.List(options, list_stop);
  Result<PagedList> listed = co_await pages;
  if (stop.Ready()) co_return Result<void>();
  if (!listed.ok() && Behaves("RFL-11") &&
      AfterError(listed.error(), WatchPlace::kList) == WatchAction::kListFromScratch) {
    Report(listed.error());
    unavailable_ = true;
    options.resource_version = RelistVersion();
    options.resource_version_match.clear();
    Task<Result<PagedList>> from_scratch = pager.List(options, list_stop);
    listed = co_await from_scratch;
    if (stop.Ready()) co_return Result<void>();
    if (!listed.ok() && !Behaves("RFL-11b")) unavailable_ = false;
  }
  co_return SyncWithList(std::move(listed), asked, trace);
}

Result<void> Reflector::SyncWithList(Result<PagedList> listed, const std::string& asked,
                                     Trace* trace) {
  trace->Step("Objects listed", loop_.Now(),
              listed.ok() ? fmt::format("count:{}", listed->list.items.size())
                          : fmt::format("error:{}", listed.error().message()));
  if (!listed.ok()) return Wrap("failed to list " + log_.type(), listed.error());
  SayWhatWasOdd(listed->list);
  if (Behaves("RFL-10") && asked == "0" && listed->paginated) paginated_ = true;
  if (Behaves("RFL-15")) unavailable_ = false;
  Result<void> synced =
      SyncWith(std::move(listed->list.items), listed->list.resource_version, "list");
  trace->Step("SyncWith done", loop_.Now());
  if (!synced.ok()) return Wrap("unable to sync list result", synced.error());
  return {};
}

// An item that is null is no object, and was left out; one without a name is an object, of which a
// store keeps one at most.
void Reflector::SayWhatWasOdd(const ListPage& list) const {
  const auto nameless =
      std::count_if(list.items.begin(), list.items.end(),
                    [](const ObjectRef& item) { return item->key().name.empty(); });
  if (list.null_items == 0 && nameless == 0) return;
  log_.Say(LogLevel::kWarning, "odd items in a list",
           fmt::format("null=\"{}\" nameless=\"{}\"", list.null_items, nameless));
}

Result<void> Reflector::SyncWith(std::vector<ObjectRef> objects,
                                 const std::string& resource_version, const char* how) {
  Result<void> replaced = store_.Replace(std::move(objects), resource_version);
  if (!replaced.ok() && Behaves("RFL-15d")) return replaced;
  if (options_.recorder) options_.recorder->Relist(fmt::format("{}: {}", how, why_));
  if (Behaves("RFL-15c")) MovePosition(resource_version);
  return {};
}

// timeoutSeconds is drawn anew for each request, from [min, 2 min) (RFL-02).
ListOptions Reflector::WatchRequest() {
  ListOptions options;
  options.watch = true;
  options.allow_watch_bookmarks = Behaves("WCH-01");
  const double least = static_cast<double>(options_.min_watch_timeout / Seconds(1));
  const double unit = options_.choices->Unit("watch timeout");
  options.timeout_seconds = static_cast<int64_t>(least * (unit + 1.0));
  return options;
}

std::string Reflector::last_sync_resource_version() const {
  const std::lock_guard lock(last_sync_mutex_);
  return last_sync_;
}

void Reflector::MovePosition(const std::string& resource_version) {
  if (resource_version == last_sync_) return;
  {
    const std::lock_guard lock(last_sync_mutex_);
    last_sync_ = resource_version;
  }
  if (options_.recorder) options_.recorder->Position(last_sync_);
}

void Reflector::SayIfLong(const Trace& trace) const {
  const std::string line = trace.LineIfLong(kLongList, loop_.Now());
  if (!line.empty()) log_.Say(LogLevel::kInfo, line);
}

void Reflector::Report(const Error& error) {
  if (options_.recorder) options_.recorder->ErrorSeen(error, /*handler_called=*/false);
}

void Reflector::Handle(const Error& error) {
  if (options_.recorder) options_.recorder->ErrorSeen(error, /*handler_called=*/true);
  if (options_.watch_error_handler) {
    options_.watch_error_handler(error);
  } else {
    log_.DefaultWatchError(error, /*opening_watch=*/phase_ == Phase::kOpenWatch);
  }
}

Task<void> Reflector::BackOff(Signal& stop) {
  phase_ = Phase::kBackOff;
  const TimePoint now = loop_.Now();
  // All waits share one state (RFL-04).
  const Duration delay = Behaves("RFL-04")
                             ? backoff_.Next(now)
                             : Backoff(options_.backoff, options_.choices, now).Next(now);
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
