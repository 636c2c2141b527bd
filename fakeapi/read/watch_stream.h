// One open watch on a replica's WatchCache: initial events, then the log, with bookmarks and
// deadlines between. It keeps no queue: a place in a shared snapshot, later a place in the shared
// log.
//
//   auto stream = std::make_unique<WatchStream>(replica, configmaps, selection, form, start);
//
// Behaviour: SRV-17 to SRV-30 and chapters watch, watchlist, expired. One thread.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "fakeapi/api/negotiation.h"
#include "fakeapi/api/watch_session.h"
#include "fakeapi/read/replica.h"
#include "fakeapi/read/selection.h"

namespace relist::fakeapi {

struct StreamStart {
  bool initial_events = false;  // what is there as ADDED first
  bool bookmarks = false;       // allowWatchBookmarks
  bool end_bookmark = false;    // the initial events end with an annotated bookmark
  // With initial events: not older than; without: only what is later.
  uint64_t revision = 0;
  TimePoint opened;
  TimePoint deadline;  // the stream ends; not after `opened`: at once
  Duration bookmark_period{};
  WatchIndex index = WatchIndex::kNone;  // how the real server finds its events
};

class WatchStream : public WatchSession, private LogReader {
 public:
  WatchStream(std::shared_ptr<Replica> replica, const ResourceType& resource, Selection selection,
              Negotiated form, const StreamStart& start);
  ~WatchStream() override;

  Step Next(TimePoint now, WatchLine* line) override;
  TimePoint NextDeadline() const override;
  void OnReady(std::function<void()> wake) override { wake_ = std::move(wake); }
  const std::string& content_type() const override { return form_.content_type(); }
  bool may_be_gzipped() const override { return start_.end_bookmark; }

 private:
  enum class Phase { kExpired, kTooLarge, kInitial, kLive, kOver };
  static constexpr uint64_t kNoSequence = ~uint64_t{0};

  void OnAppend(uint64_t sequence, const CachedEvent& event, TimePoint now) override;
  void OnNotice() override;
  bool TakesBookmarks() const override;
  void Wake();
  bool Has(ServerBug bug) const { return replica_->etcd().Has(bug); }
  bool IsTooSlow(TimePoint now);
  // Events in its channels: what was there when it opened is replayed without them. A watch of the
  // future is ahead of a replica that lags.
  uint64_t BehindBy(uint64_t sequence) const {
    const uint64_t begin = std::max(cursor_, replayed_);
    return sequence > begin ? sequence - begin : 0;
  }

  void BeginInitial();
  Step End();
  Step Idle();
  Step NextInitial(TimePoint now, WatchLine* line);
  Step NextLive(TimePoint now, WatchLine* line);
  Step NextBookmark(TimePoint now, WatchLine* line);
  void ScheduleBookmark(TimePoint now);

  // How this watch sees a commit; nothing if not at all (SRV-25).
  std::optional<EventType> TypeOf(const Commit& commit) const;
  Step ObjectLine(TimePoint now, EventType type, const StoredRef& object, Slice* head,
                  WatchLine* line);
  Step BookmarkLine(uint64_t revision, bool initial_events_end, WatchLine* line);
  Step ErrorLine(const Status& status, WatchLine* line);

  const std::shared_ptr<Replica> replica_;
  const std::shared_ptr<WatchCache> cache_;
  const Selection selection_;
  const Negotiated form_;
  const bool is_plain_;
  const StreamStart start_;
  const uint64_t life_;  // of the replica: another one means that the stream is over
  Phase phase_ = Phase::kLive;
  bool idle_ = false;
  bool said_something_ = false;
  std::function<void()> wake_;

  SnapshotRef snapshot_;
  size_t index_ = 0, last_ = 0;  // in the snapshot
  uint64_t position_ = 0;        // the revision after which events are read
  uint64_t cursor_ = 0;          // in the log
  uint64_t replayed_ = 0;        // where the log was when it opened: before that are old events
  // Its buffer is full: if it does not read by then it is over, at `drained_`.
  TimePoint give_up_ = kNever;
  uint64_t drained_ = kNoSequence;
  uint64_t bookmarks_;  // of the replica's, seen
  TimePoint next_bookmark_ = kNever;
};

}  // namespace relist::fakeapi
