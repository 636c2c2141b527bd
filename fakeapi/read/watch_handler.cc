#include <algorithm>

#include "fakeapi/answer/representation.h"
#include "fakeapi/api/resources.h"
#include "fakeapi/read/read_handlers.h"
#include "fakeapi/read/watch_stream.h"

namespace relist::fakeapi {
namespace {

// Go's nanoseconds of an int64 of seconds: too many of them are another number, often a negative
// one.
Duration GoSeconds(int64_t seconds) {
  return Duration(static_cast<int64_t>(static_cast<uint64_t>(seconds) * 1'000'000'000));
}

// Longer than anybody watches, and short enough to be added to any time.
constexpr Duration kLongest = Seconds(100LL * 365 * 24 * 3600);

// When the stream ends (SRV-28). Negative: it has ended already.
TimePoint DeadlineOf(const ReadOptions& options, TimePoint now, const WatchKnobs& knobs,
                     Choices& choices) {
  const Duration timeout = GoSeconds(options.timeout_seconds.value_or(0));
  if (timeout != Duration::zero()) return now + std::clamp(timeout, Duration(-1), kLongest);
  const double times = 1 + choices.Unit("watch timeout");
  return now + std::chrono::duration_cast<Duration>(knobs.timeout_min * times);
}

}  // namespace

Reply HandleWatch(const std::shared_ptr<ReadWorld>& world, const ReadRequest& read,
                  const ReadOptions& options, const WatchKnobs& knobs, Choices& choices) {
  const Result<uint64_t> revision = ParseRevision(options.resource_version);
  if (!revision.ok()) return RenderStatus(revision.error().status, read.form);
  if (read.form.refusal != nullptr) return RenderStatus(*read.form.refusal, read.form);
  StreamStart start;
  // A legacy path's query is not defaulted (SRV-6): no start there means the initial events, too.
  const bool from_any = *revision == 0;
  start.initial_events = options.send_initial_events.value_or(from_any);
  start.end_bookmark = options.send_initial_events.value_or(false) && options.allow_watch_bookmarks;
  start.from_now = !start.initial_events && from_any;
  start.bookmarks = options.allow_watch_bookmarks;
  start.revision = *revision;
  start.opened = read.now;
  start.deadline = DeadlineOf(options, read.now, knobs, choices);
  start.bookmark_period = knobs.bookmark_period;
  start.fresh_wait = knobs.fresh_wait;
  Selection selection(*read.resource, read.key, options);
  return std::make_unique<WatchStream>(world, *read.resource, std::move(selection), read.form,
                                       start);
}

}  // namespace relist::fakeapi
