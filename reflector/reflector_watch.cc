// The watch loop of the reflector, and what it does with events.
#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "reflector/reflector.h"

namespace relist {
namespace {

constexpr Duration kInternalErrorReset = Seconds(60);
// After so many events in one go the other tasks get a turn: the back-pressure of client-go's
// unbuffered channels.
constexpr int kEventsInOneGo = 1000;

bool IsTable(const Object& object) {
  return object.kind() == "Table" && (object.api_version() == "meta.k8s.io/v1" ||
                                      object.api_version() == "meta.k8s.io/v1beta1");
}

// WLM-06: only the value "true" counts.
bool EndsInitialEvents(const Object& bookmark) {
  if (bookmark.bytes().find(kInitialEventsEnd) == std::string::npos) return false;
  const nlohmann::json& value = bookmark.json();
  const auto metadata = value.find("metadata");
  if (metadata == value.end() || !metadata->is_object()) return false;
  const auto annotations = metadata->find("annotations");
  if (annotations == metadata->end() || !annotations->is_object()) return false;
  const auto mark = annotations->find(std::string(kInitialEventsEnd));
  return mark != annotations->end() && *mark == "true";
}

}  // namespace

Task<Result<void>> Reflector::WatchWithResync(std::unique_ptr<WatchStream> stream, Signal& stop) {
  // One ticker for each round (RSY-02); it dies with the scope.
  TaskScope ticker(loop_);
  resync_failed_.Take();
  if (options_.resync_period > Duration{}) ticker.Spawn(StartResync(stop));
  Task<Result<void>> watching = Watch(std::move(stream), stop);
  co_return co_await watching;
}

Task<void> Reflector::StartResync(Signal& stop) {
  for (;;) {
    Task<bool> wait = SleepUnless(loop_, options_.resync_period, stop);
    if (co_await wait) co_return;
    if (options_.should_resync && !options_.should_resync()) continue;
    Result<void> resynced = store_.Resync();
    if (resynced.ok()) continue;
    resync_error_ = resynced.error();
    resync_failed_.Raise();
    co_return;
  }
}

Task<Result<void>> Reflector::Watch(std::unique_ptr<WatchStream> stream, Signal& stop) {
  RetryWithDeadline retry(options_.max_internal_error_retry, kInternalErrorReset);
  while (!stop.Ready()) {
    // Before the request: a proxy that holds back the head is no very short watch (WCH-02).
    const TimePoint started = loop_.Now();
    bool synthetic = false;
    if (!stream) {
      phase_ = Phase::kOpenWatch;
      ListOptions options = WatchRequest();
      options.resource_version = last_sync_;
      synthetic = last_sync_.empty() || last_sync_ == "0";
      Task<Result<std::unique_ptr<WatchStream>>> request = lister_.Watch(std::move(options), stop);
      Result<std::unique_ptr<WatchStream>> opened = co_await request;
      if (stop.Ready()) break;
      if (!opened.ok()) {
        if (AfterError(opened.error(), WatchPlace::kOpenWatch) != WatchAction::kBackOffAndReopen) {
          co_return opened.error();
        }
        Report(opened.error(), /*handler_called=*/false);
        Task<void> pause = BackOff(stop);
        co_await pause;
        continue;
      }
      stream = std::move(*opened);
    }
    phase_ = Phase::kWatch;
    Task<Outcome> reading = HandleAnyWatch(*stream, synthetic, nullptr, stop);
    Outcome outcome = co_await reading;
    stream.reset();
    Task<bool> next = Continue(std::move(outcome), started, retry, stop);
    if (!co_await next) break;
  }
  co_return Result<void>();
}

Task<bool> Reflector::Continue(Outcome outcome, TimePoint started, RetryWithDeadline& retry,
                               Signal& stop) {
  if (outcome.kind == Outcome::Kind::kStopped) co_return false;
  const bool failed = outcome.kind == Outcome::Kind::kError;
  const Duration lasted = loop_.Now() - started;
  retry.After(failed ? &outcome.error : nullptr, loop_.Now());
  WatchAction action = failed ? AfterError(outcome.error, WatchPlace::kInWatch)
                              : AfterEnd(lasted, outcome.events, WatchPlace::kInWatch);
  if (!failed && options_.bugs.ignore_silent_expiry) action = WatchAction::kBackOffAndReopen;
  if (failed && IsInternalError(outcome.error) && retry.ShouldRetry(loop_.Now())) {
    co_return true;
  }
  if (action == WatchAction::kReopen) {
    Task<void> pause = PaceReopening(started, stop);
    co_await pause;
    co_return true;
  }
  const Error error = failed ? std::move(outcome.error) : VeryShortWatch();
  Report(error, /*handler_called=*/false);
  if (action == WatchAction::kBackOffAndReopen) {
    Task<void> pause = BackOff(stop);
    co_await pause;
    co_return true;
  }
  why_ = error.message();
  co_return false;
}

Task<Reflector::Outcome> Reflector::HandleAnyWatch(WatchStream& stream, bool synthetic,
                                                   Staging* staging, Signal& stop) {
  Outcome outcome;
  Timer deadline(loop_, stream.deadline());
  Timer patience(loop_, kNever);
  int in_one_go = 0;
  for (;;) {
    outcome.kind = Outcome::Kind::kStopped;
    while (std::optional<WatchEvent> event = stream.TryNext()) {
      if (stop.Ready()) co_return outcome;
      if (event->type == EventType::kError) {
        outcome.kind = Outcome::Kind::kError;
        outcome.error = ErrorOfEvent(event->object);
        co_return outcome;
      }
      if (!IsExpected(*event->object)) continue;
      ++outcome.events;
      if (event->type != EventType::kAdded) synthetic = false;
      if (staging) {
        Stage(*event, staging);
        if (!staging->complete) continue;
        outcome.kind = Outcome::Kind::kComplete;
        co_return outcome;
      }
      Apply(*event, synthetic);
      if (++in_one_go >= kEventsInOneGo) break;
    }
    if (stop.Ready()) co_return outcome;
    if (in_one_go >= kEventsInOneGo) {
      in_one_go = 0;
      Task<void> others = Sleep(loop_, Duration(1));
      co_await others;
      continue;
    }
    outcome.kind = Outcome::Kind::kEnded;
    if (stream.ended()) co_return outcome;
    if (staging && options_.streaming_list_patience) {
      patience.Reset(loop_.Now() + *options_.streaming_list_patience);
    }
    Select which(loop_, stop, stream.source(), deadline, resync_failed_, patience);
    const int woke = co_await which;
    in_one_go = 0;
    if (woke == 4 && !stop.Ready() && !stream.source().Ready()) {
      outcome.kind = Outcome::Kind::kSilent;
      co_return outcome;
    }
    if (woke == 3 && resync_failed_.Take()) {
      outcome.kind = Outcome::Kind::kError;
      outcome.error = resync_error_;
      co_return outcome;
    }
  }
}

// Of another kind, or a Table: skipped, without a trace in position or count (EVT-03).
bool Reflector::IsExpected(const Object& object) const {
  if (object.kind().empty()) return true;
  if (!options_.expected_kind.empty() && object.kind() != options_.expected_kind) return false;
  if (!options_.expected_api_version.empty() &&
      object.api_version() != options_.expected_api_version) {
    return false;
  }
  return !IsTable(object);
}

void Reflector::Apply(const WatchEvent& event, bool synthetic) {
  Result<void> stored;
  switch (event.type) {
    case EventType::kAdded:
      stored = store_.Add(event.object);
      break;
    case EventType::kModified:
      stored = store_.Update(event.object);
      break;
    case EventType::kDeleted:
      stored = store_.Delete(event.object);
      break;
    case EventType::kBookmark:
      store_.Bookmark(event.object->resource_version());
      if (options_.bugs.bookmark_is_object) stored = store_.Update(event.object);
      break;
    case EventType::kError:
      break;
  }
  // The position moves all the same (EVT-04), verbatim, whichever way (EVT-07).
  if (!stored.ok()) Report(stored.error(), /*handler_called=*/false);
  if (event.type == EventType::kDeleted && options_.bugs.delete_keeps_position) return;
  if (!synthetic) MovePosition(event.object->resource_version());
}

void Reflector::Stage(const WatchEvent& event, Staging* staging) {
  const ObjectRef& object = event.object;
  if (event.type != EventType::kAdded) staging->resource_version = object->resource_version();
  if (event.type == EventType::kBookmark) {
    staging->complete = EndsInitialEvents(*object);
  } else if (event.type == EventType::kDeleted) {
    staging->objects.erase(object->key());
  } else if (!store_.transform()) {
    staging->objects[object->key()] = object;
  } else {
    // The object is missing then, and nobody is told but the history (WLM-05).
    Result<ObjectRef> changed = store_.transform()(object);
    if (changed.ok()) {
      staging->objects[object->key()] = std::move(*changed);
    } else {
      Report(changed.error(), /*handler_called=*/false);
    }
  }
}

}  // namespace relist
