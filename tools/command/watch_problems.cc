#include "tools/command/watch_problems.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/duration.h"
#include "reflector/rest/http_watch_stream.h"

namespace relist::command {
namespace {

constexpr Duration kSlow = Seconds(5);

bool WillNeverDo(const Error& error) {
  return error.transport == Transport::kNone && error.status.code == 400 && !IsExpired(error);
}

}  // namespace

void WatchProblems::Failed(const Error& error) {
  if (error.transport == Transport::kStopped) return;
  Kind kind{error.transport, error.status.code, error.status.reason};
  // Of a server that is busy or broken one answer is as good as another, and may have no reason.
  if (kind.code == 429 || kind.code >= 500) kind.reason.clear();
  if (last_ == kind) return;
  last_ = std::move(kind);
  callbacks_.on_problem(error);
}

void WatchProblems::Refused(const Error& error) {
  if (ever_succeeded_) return Failed(error);
  callbacks_.on_refusal(error);
}

void WatchProblems::Retried(int status, TimePoint now, Duration pause) {
  retry_at_ = now + pause;
  const char* what = status == 429 ? " (too many requests)" : "";
  Failed(Error::Api(status, "",
                    fmt::format("the server answers {}{}, trying again in {}", status, what,
                                FormatDuration(pause))));
}

Task<void> ToldLister::TellIfSlow() {
  TimePoint slow = loop_.Now() + kSlow;
  while (loop_.Now() < slow) {
    Task<void> wait = Sleep(loop_, slow - loop_.Now());
    co_await wait;
    slow = std::max(slow, problems_.retry_at() + kSlow);
  }
  problems_.Failed(Error::Net(Transport::kTimeout,
                              fmt::format("no answer in {} s, still trying", kSlow / Seconds(1))));
}

Task<Result<ListPage>> ToldLister::List(ListOptions options, Signal& stop) {
  TaskScope watchdog(loop_);
  watchdog.Spawn(TellIfSlow());
  Task<Result<ListPage>> request = inner_.List(std::move(options), stop);
  Result<ListPage> page = co_await request;
  if (page.ok()) {
    problems_.Succeeded();
  } else if (WillNeverDo(page.error())) {
    problems_.Refused(page.error());
  } else {
    problems_.Failed(page.error());
  }
  co_return page;
}

Task<Result<std::unique_ptr<WatchStream>>> ToldLister::Watch(ListOptions options, Signal& stop) {
  // A server too old for streaming lists refuses them, too; a list follows.
  const bool may_be_too_new = options.send_initial_events.has_value();
  TaskScope watchdog(loop_);
  watchdog.Spawn(TellIfSlow());
  Task<Result<std::unique_ptr<WatchStream>>> request = inner_.Watch(std::move(options), stop);
  Result<std::unique_ptr<WatchStream>> opened = co_await request;
  if (opened.ok() && dynamic_cast<EmptyWatchStream*>(opened->get()) != nullptr) {
    problems_.Failed(
        Error::Net(Transport::kEof, "connections are closed or reset before an answer"));
  } else if (opened.ok()) {
    problems_.Succeeded();
  } else if (WillNeverDo(opened.error()) && !may_be_too_new) {
    problems_.Refused(opened.error());
  } else {
    problems_.Failed(opened.error());
  }
  co_return opened;
}

}  // namespace relist::command
