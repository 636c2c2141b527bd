// Tells of what goes wrong between a client and its server, once for each kind of failure: a server
// that is away for an hour is one line, the next failure after it came back is another.
//
//   WatchProblems problems({.on_problem = ..., .on_refusal = ...});
//   ToldLister told(loop, lister, problems);  // what the reflector is given
//   options.watch_error_handler = [&](const Error& error) { problems.Failed(error); };
//
// client-go's error handler alone is not enough: it hears nothing of connections that are refused.
// Belongs to the loop's thread.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/runtime/loop.h"
#include "reflector/lister_watcher.h"

namespace relist::command {

class WatchProblems {
 public:
  struct Callbacks {
    std::function<void(const Error&)> on_problem;
    // The server says 400, and has never said anything else: the same request will never do. Once
    // something succeeded, a 400 is a failure like any other, and is tried again.
    std::function<void(const Error&)> on_refusal;
  };
  explicit WatchProblems(Callbacks callbacks) : callbacks_(std::move(callbacks)) {}

  void Failed(const Error& error);
  void Refused(const Error& error);
  // The REST client has such an answer, and tries again after the pause.
  void Retried(int status, TimePoint now, Duration pause);
  // Until when that is why there is no answer.
  TimePoint retry_at() const { return retry_at_; }
  void Succeeded() {
    ever_succeeded_ = true;
    last_.reset();
  }

 private:
  struct Kind {
    Transport transport;
    int code;
    std::string reason;
    bool operator==(const Kind&) const = default;
  };
  Callbacks callbacks_;
  std::optional<Kind> last_;  // since the last success
  TimePoint retry_at_;
  bool ever_succeeded_ = false;
};

class ToldLister : public ListerWatcher {
 public:
  // All outlive it.
  ToldLister(Loop& loop, ListerWatcher& inner, WatchProblems& problems)
      : loop_(loop), inner_(inner), problems_(problems) {}

  Task<Result<ListPage>> List(ListOptions options, Signal& stop) override;
  Task<Result<std::unique_ptr<WatchStream>>> Watch(ListOptions options, Signal& stop) override;
  bool SupportsStreamingList() const override { return inner_.SupportsStreamingList(); }

 private:
  // The REST client tries again for minutes before an error comes out.
  Task<void> TellIfSlow();

  Loop& loop_;
  ListerWatcher& inner_;
  WatchProblems& problems_;
};

}  // namespace relist::command
