// One open watch on a WatchCache: initial events, then the log, with bookmarks and deadlines
// between. It keeps no queue: a place in a shared snapshot, later a place in the shared log.
//
//   auto stream = std::make_unique<WatchStream>(world, configmaps, selection, form, start);
//
// Behaviour: SRV-17 to SRV-30 and chapters watch, watchlist, expired. One thread.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "fakeapi/api/negotiation.h"
#include "fakeapi/api/watch_session.h"
#include "fakeapi/read/read_world.h"
#include "fakeapi/read/selection.h"

namespace relist::fakeapi {

struct StreamStart {
  bool initial_events = false;  // what is there as ADDED first
  bool bookmarks = false;       // allowWatchBookmarks
  bool end_bookmark = false;    // the initial events end with an annotated bookmark
  bool from_now = false;        // neither initial events nor a place to start
  // With initial events: not older than; without: only what is later.
  uint64_t revision = 0;
  TimePoint opened;
  TimePoint deadline;  // the stream ends; not after `opened`: at once
  Duration bookmark_period{};
  Duration fresh_wait{};  // for the world to reach `revision`
};

class WatchStream : public WatchSession, private LogReader {
 public:
  WatchStream(std::shared_ptr<ReadWorld> world, const ResourceType& resource, Selection selection,
              Negotiated form, const StreamStart& start);
  ~WatchStream() override;

  Step Next(TimePoint now, WatchLine* line) override;
  TimePoint NextDeadline() const override;
  void OnReady(std::function<void()> wake) override { wake_ = std::move(wake); }
  const std::string& content_type() const override { return form_.content_type(); }

 private:
  enum class Phase { kExpired, kWaiting, kInitial, kLive, kOver };

  void OnAppend(uint64_t sequence, const CachedEvent& event) override;
  void OnNotice() override;
  bool TakesBookmarks() const override;
  void Wake();

  void BeginInitial();
  Step End();
  Step Idle();
  Step NextWaiting(TimePoint now, WatchLine* line);
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

  const std::shared_ptr<ReadWorld> world_;
  const std::shared_ptr<WatchCache> cache_;
  const Selection selection_;
  const Negotiated form_;
  const bool is_plain_;
  const StreamStart start_;
  const uint64_t life_;  // of the world: another one means that the stream is over
  Phase phase_ = Phase::kLive;
  bool idle_ = false;
  bool said_something_ = false;
  std::function<void()> wake_;

  SnapshotRef snapshot_;
  size_t index_ = 0, last_ = 0;  // in the snapshot
  uint64_t position_ = 0;        // the revision after which events are read
  uint64_t cursor_ = 0;          // in the log
  uint64_t bookmarks_;           // of the world's, seen
  TimePoint next_bookmark_ = kNever;
};

}  // namespace relist::fakeapi
