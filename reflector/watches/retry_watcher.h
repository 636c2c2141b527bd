// A watch that goes on where it left off when it ends: client-go's RetryWatcher (catalogue RTW-01
// to RTW-06). It has no store and never lists; so an event that it cannot go on from is its end.
//
//   Result<std::unique_ptr<RetryWatcher>> watch = RetryWatcher::Make(loop, lister, "1234");
//   while (auto event = (*watch)->TryNext()) Use(*event);      // as any WatchStream
//
// What it hands out: ADDED, MODIFIED, DELETED as they come, whatever their version; no bookmarks.
// An ERROR is the last event: 410 in the stream, 401 or 403 when opening, or an object whose
// version is not known. Everything else is retried, for ever, at most once a second: also 410 when
// opening, as in client-go. Belongs to the loop's thread; `lister` outlives it.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>

#include "core/runtime/loop.h"
#include "reflector/lister_watcher.h"
#include "reflector/log.h"

namespace relist {

struct RetryWatcherOptions {
  // From the start of one watch to the start of the next, at least: a watch that lived longer is
  // opened again at once.
  Duration min_restart_delay = Seconds(1);
  // Better than client-go, which sends no timeoutSeconds: the server then ends a watch after 30 to
  // 60 minutes, and a connection that is half open hangs for ever. With it, a RestListerWatcher's
  // own deadline notices that. Nothing: as client-go.
  std::optional<Duration> watch_timeout;
  std::shared_ptr<Log> log;  // may be null
};

class RetryWatcher : public WatchStream {
 public:
  // An Error for the versions "" and "0": those watches begin with what exists, in no order.
  static Result<std::unique_ptr<RetryWatcher>> Make(Loop& loop, ListerWatcher& lister,
                                                    std::string resource_version,
                                                    RetryWatcherOptions options = {});

  std::optional<WatchEvent> TryNext() override;
  bool ended() const override { return over_ && events_.empty(); }
  Source& source() override { return ready_; }
  // At once; what was not taken is dropped. May be called again.
  void Stop() override;
  // The version from which the next watch would start.
  const std::string& last_resource_version() const { return last_; }

 private:
  // How one watch came to an end.
  struct Pass {
    bool over = false;  // for good
    Duration wait{};    // what the server asked for
  };
  class Readiness : public Source {
   public:
    explicit Readiness(const RetryWatcher& watcher) : watcher_(watcher) {}
    bool Ready() const override { return watcher_.over_ || !watcher_.events_.empty(); }
    void Raise() { Notify(); }

   private:
    const RetryWatcher& watcher_;
  };

  RetryWatcher(Loop& loop, ListerWatcher& lister, std::string resource_version,
               RetryWatcherOptions options);
  Task<void> Receive();
  Task<Pass> DoReceive();
  Pass AfterOpening(const Error& error);
  // Something where the event ends the watch.
  std::optional<Pass> Take(const WatchEvent& event);
  Pass AfterErrorEvent(const WatchEvent& event);
  Pass FailWith(const std::string& why);
  void Send(WatchEvent event);

  Loop& loop_;
  ListerWatcher& lister_;
  std::string last_;
  RetryWatcherOptions options_;
  std::deque<WatchEvent> events_;
  bool over_ = false;
  Readiness ready_;
  Event room_;  // an event was taken
  Signal stop_;
  TaskScope scope_;
};

}  // namespace relist
