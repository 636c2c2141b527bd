// The streaming list: one watch that begins with all there is, gathered aside until the bookmark
// that ends it, and then goes on as the watch.
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "reflector/parity_switch.h"
#include "reflector/reflector.h"

namespace relist {
namespace {

// WLM-06: only the value "true" counts.
bool EndsInitialEvents(const Object& bookmark) {
  if (bookmark.bytes().find(kInitialEventsEnd) == std::string::npos) return false;
  const nlohmann::json& value = bookmark.json();
  const auto metadata = value.find("metadata");
  if (metadata == value.end() || !metadata->is_object()) return false;
  const auto annotations = metadata->find("annotations");
  if (annotations == metadata->end() || !annotations->is_object()) return false;
  const auto mark = annotations->find(std::string(kInitialEventsEnd));
  return mark != annotations->end() && (*mark == "true" || !Behaves("WLM-06"));
}

}  // namespace

ListOptions Reflector::StreamingListRequest() {
  ListOptions options = WatchRequest();
  // Never "0": the first streaming list is a consistent read (WLM-02).
  options.resource_version = unavailable_ ? "" : last_sync_;
  if (!Behaves("WLM-02")) options.resource_version = RelistVersion();
  options.resource_version_match = "NotOlderThan";
  options.send_initial_events = true;
  return options;
}

Task<Result<std::unique_ptr<WatchStream>>> Reflector::WatchList(Trace* trace, Signal& stop) {
  using Stream = std::unique_ptr<WatchStream>;
  while (!stop.Ready()) {
    phase_ = Phase::kStreamingList;
    const TimePoint started = loop_.Now();
    Task<Result<Stream>> request = lister_.Watch(StreamingListRequest(), stop);
    Result<Stream> opened = co_await request;
    if (stop.Ready()) break;
    Error error;
    WatchAction action;
    if (opened.ok()) {
      Staging staging;
      Task<Outcome> reading = HandleAnyWatch(**opened, /*synthetic=*/true, &staging, started, stop);
      Outcome outcome = co_await reading;
      if (outcome.kind == Outcome::Kind::kStopped) break;
      if (outcome.kind == Outcome::Kind::kComplete) {
        Task<Result<void>> syncing = SyncWithStream(std::move(staging), trace, stop);
        Result<void> synced = co_await syncing;
        if (stop.Ready()) break;
        if (!synced.ok()) co_return synced.error();
        co_return std::move(*opened);
      }
      action = AfterStreamingList(&outcome, started);
      error = std::move(outcome.error);
    } else {
      error = opened.error();
      action = AfterError(error, WatchPlace::kOpenStreamingList);
    }
    if (action == WatchAction::kFallBackToList) co_return error;
    if (action != WatchAction::kReopen) Report(error);
    if (action == WatchAction::kReopenFromScratch) unavailable_ = true;
    if (action == WatchAction::kBackOffAndReopen) {
      log_.Say(LogLevel::kInfo, "watch-list failed - backing off", error);
    }
    Task<void> pause =
        action == WatchAction::kBackOffAndReopen ? BackOff(stop) : PaceReopening(started, stop);
    co_await pause;
  }
  co_return Stream();
}

Task<Result<void>> Reflector::SyncWithStream(Staging staging, Trace* trace, Signal& stop) {
  std::vector<ObjectRef> objects = std::move(staging.objects).Take();
  trace->Step("Objects streamed", loop_.Now(), fmt::format("count:{}", objects.size()));
  if (Behaves("WLM-10")) unavailable_ = false;
  if (options_.detect_inconsistency && Behaves("AUX-02")) {
    Task<void> check = CheckConsistency(loop_, lister_, objects, staging.resource_version,
                                        store_.transform(), log_, stop);
    co_await check;
    if (stop.Ready()) co_return Result<void>();
  }
  Result<void> synced = SyncWith(std::move(objects), staging.resource_version, "streaming list");
  trace->Step("SyncWith done", loop_.Now());
  if (synced.ok()) co_return synced;
  Error error = synced.error();
  error.status.message = "unable to sync watch-list result: " + error.message();
  co_return error;
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
  outcome->error = VeryShortWatch(options_.name);
  return AfterEnd(lasted, outcome->events, WatchPlace::kInStreamingList);
}

void Reflector::Stage(const WatchEvent& event, Staging* staging) {
  const ObjectRef& object = event.object;
  const bool ordered = event.type != EventType::kAdded;
  if (ordered == Behaves("WLM-07")) staging->resource_version = object->resource_version();
  if (event.type == EventType::kBookmark) {
    staging->complete = EndsInitialEvents(*object);
  } else if (event.type == EventType::kDeleted) {
    if (Behaves("WLM-03")) staging->objects.Erase(object->key());
  } else if (!store_.transform() || !Behaves("WLM-04")) {
    staging->objects.Set(object);
  } else {
    // The object is missing then, and nobody is told but the log (WLM-05).
    Result<ObjectRef> changed = store_.transform()(object);
    if (changed.ok() || !Behaves("WLM-05")) {
      staging->objects.Set(changed.ok() ? *changed : object);
    } else {
      SayRefused(event, changed.error());
    }
  }
}

}  // namespace relist
