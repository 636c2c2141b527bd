// client-go's Reflector: lists a collection, then watches it, for ever, and keeps a store in step.
//
//   Reflector reflector(loop, lister, fifo, {.choices = &choices});
//   scope.Spawn(reflector.Run(stop));
//
// The methods have client-go's names, in its order, so that the two can be read side by side; what
// happens after an error is in watch_error.h. Belongs to the loop's thread, but for the position.
#pragma once

#include <functional>
#include <memory>
#include <mutex>  // tidy: other threads may ask for the position (RFL-16)
#include <optional>
#include <string>

#include "core/choices.h"
#include "core/runtime/loop.h"
#include "reflector/backoff.h"
#include "reflector/consistency_detector.h"
#include "reflector/initial_events_ticker.h"
#include "reflector/lister_watcher.h"
#include "reflector/pager.h"
#include "reflector/planted_bugs.h"
#include "reflector/recorder.h"
#include "reflector/reflector_log.h"
#include "reflector/reflector_store.h"
#include "reflector/staged_objects.h"
#include "reflector/trace.h"
#include "reflector/watch_error.h"

namespace relist {

struct ReflectorOptions {
  // Draws jitter ("backoff") and watch time-outs ("watch timeout"). Required; outlives the
  // reflector.
  Choices* choices = nullptr;
  std::shared_ptr<Recorder> recorder;  // may be null
  std::shared_ptr<Log> log;            // may be null

  std::string name;              // in the log and in errors; empty: its type's (RFL-01)
  std::string type_description;  // empty: of what is expected, see TypeDescription()
  // Events of another kind are skipped (EVT-03); empty: any. ExpectTypeOf fills both in.
  std::string expected_kind;
  std::string expected_api_version;

  int64_t page_size = 0;                      // WatchListPageSize; 0: the rule of RFL-09
  bool streaming_list = true;                 // on by default, as since 1.35
  Duration min_watch_timeout = Seconds(300);  // smaller is raised (RFL-02); the most is twice it
  Duration max_internal_error_retry = Seconds(0);  // WCH-08; 0: off
  BackoffOptions backoff;
  Duration resync_period = Seconds(0);  // 0: never
  std::function<bool()> should_resync;  // empty: always
  // Called where a round failed (RFL-03, RFL-06), on the loop's thread. Cannot change what follows.
  // Empty: the error goes to the log, see ReflectorLog::DefaultWatchError.
  std::function<void(const Error&)> watch_error_handler;
  // After a streaming list: a list of the same version, and a failed CHECK where the two differ
  // (AUX-02). For tests of servers: it doubles what a first list costs.
  bool detect_inconsistency = InconsistencyDetectorWanted();

  // Better than client-go, which waits for ever on a server that never ends its initial events
  // (one before 1.27 ignores sendInitialEvents; WLM-12 only warns): a streaming list in which so
  // long nothing came, or that its own timeoutSeconds ended, is followed by a list. Nothing: as
  // client-go.
  std::optional<Duration> streaming_list_patience = Seconds(30);

  // Better than client-go: a reopening that client-go does at once, after less than a second, costs
  // one step of the delay (its hot loops: WCH-05, WLM-08, WLM-09). Off: faithful.
  bool pace_reopening = false;
  // Better than client-go: a paged relist asks for a state not older than its version. Off: for
  // that version exactly (the server's rule for limit and version, SRV-2), so that a watch that
  // expired there expires again and again, until the version is compacted away.
  bool fresh_relists = false;
  PlantedBugs bugs;
};

// Events must be of this example's kind and version, where it says either; otherwise of any.
void ExpectTypeOf(const Object& example, ReflectorOptions* options);

class Reflector {
 public:
  // Where it is, for people and tests.
  enum class Phase { kIdle, kStreamingList, kList, kOpenWatch, kWatch, kBackOff, kStopped };

  // `lister` and `store` must outlive the reflector.
  Reflector(Loop& loop, ListerWatcher& lister, ReflectorStore& store, ReflectorOptions options);

  // Until `stop`; `stop` and the reflector must outlive the task.
  Task<void> Run(Signal& stop);
  // One round: a list, or a streaming list, then watches until one of them fails.
  Task<Result<void>> ListAndWatch(Signal& stop);

  // Before Run only.
  void set_resync_period(Duration period) { options_.resync_period = period; }
  Phase phase() const { return phase_; }
  // Moves when an event is queued, not when it is processed. Any thread (RFL-16).
  std::string last_sync_resource_version() const;
  const std::string& type_description() const { return log_.type(); }

 private:
  // A streaming list under way: collected aside, so that it replaces the store as a whole.
  struct Staging {
    StagedObjects objects;
    std::string resource_version;  // of the last event that was not an ADDED (WLM-07)
    bool complete = false;         // the annotated bookmark came
  };
  // How the reading of a stream came to an end.
  struct Outcome {
    enum class Kind { kEnded, kComplete, kError, kStopped, kSilent } kind = Kind::kEnded;
    int events = 0;  // without skipped ones
    Error error;
  };
  // The reading of a stream, while it lasts.
  struct Reading {
    bool synthetic;    // ADDED events are in no order yet (WCH-03)
    Staging* staging;  // null: a watch
    InitialEventsTicker ticker;
    Outcome outcome;
    int skipped = 0, nameless = 0;
    bool more = false;  // that is there was left, for a turn of the other tasks
  };

  static constexpr Duration kLongList = Seconds(10);  // it is told with its steps
  // After so many events in one go the other tasks get a turn: the back-pressure of client-go's
  // unbuffered channels.
  static constexpr int kEventsInOneGo = 1000;

  Task<Result<void>> List(Trace* trace, Signal& stop);
  // What a list at version `asked` came to: the store is replaced, or an error.
  Result<void> SyncWithList(Result<PagedList> listed, const std::string& asked, Trace* trace);
  void SayWhatWasOdd(const ListPage& list) const;
  // An open stream whose initial events replaced the store; null if stopped.
  Task<Result<std::unique_ptr<WatchStream>>> WatchList(Trace* trace, Signal& stop);
  ListOptions StreamingListRequest();
  // Replaces the store by a complete staging.
  Task<Result<void>> SyncWithStream(Staging staging, Trace* trace, Signal& stop);
  Task<Result<void>> WatchWithResync(std::unique_ptr<WatchStream> stream, Signal& stop);
  Task<Result<void>> Watch(std::unique_ptr<WatchStream> stream, Signal& stop);
  Task<void> StartResync(Signal& stop);
  // Reads `stream` to its end, or until `staging` (null: a watch) is complete. `synthetic`: it
  // starts with ADDED events in no order (WCH-03). `started`: when it was asked for.
  Task<Outcome> HandleAnyWatch(WatchStream& stream, bool synthetic, Staging* staging,
                               TimePoint started, Signal& stop);
  // Takes what is there, up to kEventsInOneGo. True when the reading is over.
  bool TakeEvents(WatchStream& stream, Reading* reading, Signal& stop);
  // Whether it is an event for us.
  bool Counts(const WatchEvent& event, Reading* reading) const;
  void SayWhatWasOdd(const Reading& reading) const;
  void SayIfLong(const Trace& trace) const;

  // What to do about an outcome of a streaming list, and the error to tell; kComplete and kStopped
  // aside.
  WatchAction AfterStreamingList(Outcome* outcome, TimePoint started) const;
  // What to do about an outcome of a watch; true to open the next one, false to end the round.
  Task<bool> Continue(Outcome outcome, TimePoint started, RetryWithDeadline& retry, Signal& stop);
  // Why it is skipped; empty for an event that counts.
  std::string_view WhyUnexpected(const Object& object) const;
  void Apply(const WatchEvent& event, bool synthetic);
  Result<void> Store(const WatchEvent& event);
  void SayRefused(const WatchEvent& event, const Error& error);
  void Stage(const WatchEvent& event, Staging* staging);
  int64_t PageSize(const std::string& resource_version) const;
  std::string RelistVersion() const;
  ListOptions WatchRequest();
  Result<void> SyncWith(std::vector<ObjectRef> objects, const std::string& resource_version,
                        const char* how);
  void MovePosition(const std::string& resource_version);
  // An error of which the error handler hears nothing, for the history.
  void Report(const Error& error);
  // An error that ended a round.
  void Handle(const Error& error);
  // One step of the delay.
  Task<void> BackOff(Signal& stop);
  Task<void> PaceReopening(TimePoint started, Signal& stop);

  Loop& loop_;
  ListerWatcher& lister_;
  ReflectorStore& store_;
  ReflectorOptions options_;
  ReflectorLog log_;
  Backoff backoff_;
  Phase phase_ = Phase::kIdle;
  mutable std::mutex last_sync_mutex_;  // only the loop's thread writes, and may read without
  std::string last_sync_;
  bool unavailable_ = false;   // the last position cannot be served: list from scratch
  bool paginated_ = false;     // sticky (RFL-10)
  std::string why_ = "start";  // of the next relist
  Event resync_failed_;
  Error resync_error_;
};

std::string_view Name(Reflector::Phase phase);

}  // namespace relist
