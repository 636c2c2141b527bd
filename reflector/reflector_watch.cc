// The watch loop of the reflector, and what it does with events.
#include <fmt/core.h>

#include "reflector/parity_switch.h"
#include "reflector/reflector.h"

namespace relist {
namespace {

constexpr Duration kInternalErrorReset = Seconds(60);

bool IsTable(const Object& object) {
  return object.kind() == "Table" && (object.api_version() == "meta.k8s.io/v1" ||
                                      object.api_version() == "meta.k8s.io/v1beta1");
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
  Duration period = Behaves("RSY-02") ? options_.resync_period : Duration(1);
  for (;; period = options_.resync_period) {
    Task<bool> wait = SleepUnless(loop_, period, stop);
    if (co_await wait) co_return;
    const bool wanted = !options_.should_resync || options_.should_resync();
    if (!wanted && Behaves("RSY-03")) continue;
    Result<void> resynced = store_.Resync();
    if (!resynced.ok()) {
      resync_error_ = resynced.error();
      resync_failed_.Raise();
    }
    if (!resynced.ok() || !Behaves("RSY-01")) co_return;
  }
}

Task<Result<void>> Reflector::Watch(std::unique_ptr<WatchStream> stream, Signal& stop) {
  RetryWithDeadline retry(options_.max_internal_error_retry, kInternalErrorReset);
  while (!stop.Ready()) {
    // Before the request: a proxy that holds back the head is no very short watch (WCH-02). With a
    // stream that is there already, from here (WLM-11).
    TimePoint started = loop_.Now();
    if (stream && !Behaves("WLM-11")) started = TimePoint();
    bool synthetic = false;
    if (!stream) {
      phase_ = Phase::kOpenWatch;
      ListOptions options = WatchRequest();
      options.resource_version = last_sync_;
      synthetic = Behaves("WCH-03") && (last_sync_.empty() || last_sync_ == "0");
      Task<Result<std::unique_ptr<WatchStream>>> request = lister_.Watch(std::move(options), stop);
      Result<std::unique_ptr<WatchStream>> opened = co_await request;
      if (stop.Ready()) break;
      if (!opened.ok()) {
        if (AfterError(opened.error(), WatchPlace::kOpenWatch) != WatchAction::kBackOffAndReopen) {
          co_return opened.error();
        }
        log_.Say(LogLevel::kInfo, "Watch failed - backing off", opened.error());
        Report(opened.error());
        Task<void> pause = BackOff(stop);
        co_await pause;
        continue;
      }
      stream = std::move(*opened);
      if (!Behaves("WCH-02")) started = loop_.Now();
    }
    phase_ = Phase::kWatch;
    Task<Outcome> reading = HandleAnyWatch(*stream, synthetic, nullptr, started, stop);
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
    log_.Say(LogLevel::kInfo, "Retrying watch after internal error", outcome.error);
    co_return true;
  }
  if (action == WatchAction::kReopen) {
    Task<void> pause = PaceReopening(started, stop);
    co_await pause;
    co_return true;
  }
  const Error error = failed ? std::move(outcome.error) : VeryShortWatch(options_.name);
  Report(error);
  if (action == WatchAction::kBackOffAndReopen) {
    log_.Say(LogLevel::kInfo, "Watch returned 429 - backing off", error);
    Task<void> pause = BackOff(stop);
    co_await pause;
    co_return true;
  }
  if (IsExpired(error)) {
    log_.Say(LogLevel::kInfo, "Watch closed", error);
    if (!Behaves("WCH-06")) unavailable_ = true;
  } else {
    log_.Say(LogLevel::kWarning, "watch ended with error", error);
  }
  why_ = error.message();
  co_return false;
}

Task<Reflector::Outcome> Reflector::HandleAnyWatch(WatchStream& stream, bool synthetic,
                                                   Staging* staging, TimePoint started,
                                                   Signal& stop) {
  // What an earlier round left would end nothing, and wake the select below for ever.
  if (staging) resync_failed_.Take();
  Reading reading{synthetic, staging, InitialEventsTicker(started, loop_.Now()), {}};
  Timer deadline(loop_, stream.deadline());
  Timer patience(loop_, kNever);
  Timer tick(loop_, staging ? reading.ticker.next() : kNever);
  for (bool ticked = false; !TakeEvents(stream, &reading, stop);) {
    if (!staging && resync_failed_.Take() && Behaves("WCH-11")) {
      reading.outcome.kind = Outcome::Kind::kError;
      reading.outcome.error = resync_error_;
      break;
    }
    if (reading.more) {
      Task<void> others = Sleep(loop_, Duration(1));
      co_await others;
      continue;
    }
    if (staging && options_.streaming_list_patience && !ticked) {
      patience.Reset(loop_.Now() + *options_.streaming_list_patience);
    }
    Select which(loop_, stop, stream.source(), deadline, resync_failed_, patience, tick);
    const int woke = co_await which;
    ticked = woke == 5;
    if (woke == 4 && !stop.Ready() && !stream.source().Ready()) {
      reading.outcome.kind = Outcome::Kind::kSilent;
      break;
    }
    if (!ticked) continue;
    const std::string warning = reading.ticker.Tick(loop_.Now());
    if (!warning.empty() && Behaves("WLM-12")) {
      log_.Say(LogLevel::kWarning, "event bookmark expired", fmt::format("err=\"{}\"", warning));
    }
    tick.Reset(reading.ticker.next());
  }
  SayWhatWasOdd(reading);
  co_return std::move(reading.outcome);
}

bool Reflector::TakeEvents(WatchStream& stream, Reading* reading, Signal& stop) {
  Outcome& outcome = reading->outcome;
  outcome.kind = Outcome::Kind::kStopped;
  reading->more = false;
  for (int in_one_go = 0; !reading->more;) {
    const std::optional<WatchEvent> event = stream.TryNext();
    if (!event) break;
    if (stop.Ready() && Behaves("WCH-10")) return true;
    if (event->type == EventType::kError && Behaves("EVT-02")) {
      outcome.kind = Outcome::Kind::kError;
      outcome.error = ErrorOfEvent(event->object);
      return true;
    }
    reading->more = !reading->staging && ++in_one_go == kEventsInOneGo && Behaves("RFF-11");
    if (!Counts(*event, reading)) continue;
    ++outcome.events;
    if (event->type != EventType::kAdded) reading->synthetic = false;
    if (!reading->staging) {
      Apply(*event, reading->synthetic);
      continue;
    }
    Stage(*event, reading->staging);
    outcome.kind = Outcome::Kind::kComplete;
    if (reading->staging->complete) return true;
    reading->ticker.Observe(loop_.Now());
    outcome.kind = Outcome::Kind::kStopped;
  }
  if (stop.Ready()) return true;
  if (reading->more) return false;
  outcome.kind = Outcome::Kind::kEnded;
  return stream.ended();
}

// Of another kind, or a Table: skipped, without a trace in position or count (EVT-03). The first of
// a stream is told at once, the others at its end, so that a flood of them is two lines.
bool Reflector::Counts(const WatchEvent& event, Reading* reading) const {
  const Object& object = *event.object;
  const std::string_view why = WhyUnexpected(object);
  if (!why.empty()) {
    if (++reading->skipped > 1) return false;
    log_.Say(LogLevel::kError, why,
             fmt::format("expectedGVK=\"{}\" actualGVK=\"{}\"",
                         TypeDescription(options_.expected_api_version, options_.expected_kind),
                         TypeDescription(object.api_version(), object.kind())));
    return false;
  }
  if (object.key().name.empty() && event.type != EventType::kBookmark && ++reading->nameless == 1) {
    log_.Say(LogLevel::kWarning, "watch event object without a name",
             fmt::format("event=\"{}\"", Name(event.type)));
  }
  return true;
}

void Reflector::SayWhatWasOdd(const Reading& reading) const {
  if (reading.skipped <= 1 && reading.nameless <= 1) return;
  log_.Say(LogLevel::kWarning, "odd events in a watch",
           fmt::format("skipped=\"{}\" nameless=\"{}\"", reading.skipped, reading.nameless));
}

std::string_view Reflector::WhyUnexpected(const Object& object) const {
  if (object.kind().empty()) return "";
  const bool other_kind =
      !options_.expected_kind.empty() && object.kind() != options_.expected_kind;
  const bool other_version = !options_.expected_api_version.empty() &&
                             object.api_version() != options_.expected_api_version;
  if (Behaves("EVT-03") && (other_kind || other_version)) {
    return "Unexpected watch event object gvk";
  }
  if (Behaves("EVT-03b") && IsTable(object)) return "Unsupported watch event object gvk";
  return "";
}

void Reflector::Apply(const WatchEvent& event, bool synthetic) {
  const Result<void> stored = Store(event);
  if (!stored.ok()) {
    SayRefused(event, stored.error());
    if (!Behaves("EVT-04")) return;
  }
  if (event.type == EventType::kDeleted && options_.bugs.delete_keeps_position) return;
  if (event.type == EventType::kBookmark && !Behaves("EVT-05b")) return;
  if (synthetic) return;
  // Verbatim, whichever way, to nothing even (EVT-07).
  const std::string& version = event.object->resource_version();
  if (version.empty() && !Behaves("EVT-07")) return;
  MovePosition(version);
  if (Behaves("EVT-08")) store_.UpdateResourceVersion(version);
}

Result<void> Reflector::Store(const WatchEvent& event) {
  switch (event.type) {
    case EventType::kAdded:
      return store_.Add(event.object);
    case EventType::kModified:
      return store_.Update(event.object);
    case EventType::kDeleted:
      return store_.Delete(event.object);
    case EventType::kBookmark:
      if (Behaves("EVT-05")) store_.Bookmark(event.object->resource_version());
      return options_.bugs.bookmark_is_object ? store_.Update(event.object) : Result<void>();
    case EventType::kError:
      break;
  }
  return {};
}

// The position moves all the same (EVT-04).
void Reflector::SayRefused(const WatchEvent& event, const Error& error) {
  Report(error);
  const char* what = event.type == EventType::kAdded ? "Unable to add watch event object to store"
                     : event.type == EventType::kDeleted
                         ? "Unable to delete watch event object from store"
                         : "Unable to update watch event object to store";
  log_.Say(
      LogLevel::kError, what,
      fmt::format("object=\"{}\" err=\"{}\"", event.object->key().ToString(), error.message()));
}

}  // namespace relist
