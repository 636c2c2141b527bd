#include <algorithm>

#include "fakeapi/answer/representation.h"
#include "fakeapi/api/resources.h"
#include "fakeapi/read/read_errors.h"
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

// The kinds for which the real server keeps its watches by the one field that most of them select
// by.
WatchIndex IndexOf(const ResourceType& resource, const Selection& selection,
                   const ReadOptions& options) {
  const std::string& plural = resource.resource.plural;
  if (!resource.resource.group.empty()) return WatchIndex::kNone;
  if (plural == "pods") {
    return options.fields.node() ? WatchIndex::kTriggered : WatchIndex::kUnused;
  }
  if (plural != "configmaps" && plural != "secrets" && plural != "nodes") return WatchIndex::kNone;
  return selection.single().name.empty() ? WatchIndex::kUnused : WatchIndex::kTriggered;
}

// Where it starts (SRV-1).
uint64_t RevisionOf(const ReadOptions& options, uint64_t given, const StreamStart& start,
                    const Replica& replica, TimePoint received) {
  const bool newest = options.resource_version.empty() && options.send_initial_events.has_value();
  if (newest && start.initial_events) return replica.MissedBy(received);  // what it waited for
  if (newest) return replica.etcd().revision();
  const bool any = given == 0 && !start.initial_events;
  return any ? replica.revision() : given;
}

}  // namespace

Reply HandleWatch(const std::shared_ptr<Replica>& replica, const ReadRequest& read,
                  const ReadOptions& options, const WatchKnobs& knobs, Choices& choices) {
  const Result<uint64_t> revision = ParseRevision(options.resource_version);
  if (!revision.ok()) return RenderStatus(revision.error().status, read.form);
  if (read.form.refusal != nullptr) return RenderStatus(*read.form.refusal, read.form);
  if (!replica->ready()) {
    return RenderStatus(NotReady(replica->RetryAfterSeconds(read.now)).status, read.form);
  }
  StreamStart start;
  // A legacy path's query is not defaulted (SRV-6): no start there means the initial events, too.
  start.initial_events = options.send_initial_events.value_or(*revision == 0);
  start.revision = RevisionOf(options, *revision, start, *replica, read.received);
  // What is newer than the replica is not answered at all before it has caught up, or the wait is
  // over.
  const TimePoint until = read.received + knobs.fresh_wait;
  const bool is_newer = start.initial_events && start.revision > replica->revision();
  if (is_newer && read.now < until) return Wait{until};
  start.end_bookmark = options.send_initial_events.value_or(false) && options.allow_watch_bookmarks;
  if (replica->etcd().Has(ServerBug::kEndBookmarkAlways)) start.end_bookmark = start.initial_events;
  start.bookmarks = options.allow_watch_bookmarks;
  start.opened = read.now;
  start.deadline = DeadlineOf(options, read.now, knobs, choices);
  start.bookmark_period = knobs.bookmark_period;
  Selection selection(*read.resource, read.key, options);
  start.index = IndexOf(*read.resource, selection, options);
  return std::make_unique<WatchStream>(replica, *read.resource, std::move(selection), read.form,
                                       start);
}

}  // namespace relist::fakeapi
