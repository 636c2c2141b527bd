#include "fakeapi/read/watch_stream.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "fakeapi/answer/representation.h"
#include "fakeapi/api/resources.h"
#include "fakeapi/read/read_errors.h"
#include "fakeapi/read/watch_lines.h"

namespace relist::fakeapi {
namespace {

// A bookmark comes this long before a watch's deadline (SRV-24).
constexpr Duration kBeforeDeadline = Seconds(2);

bool IsPlain(const Negotiated& form) {
  return form.media == Media::kJson && form.shape == Shape::kObject;
}

}  // namespace

WatchStream::WatchStream(std::shared_ptr<Replica> replica, const ResourceType& resource,
                         Selection selection, Negotiated form, const StreamStart& start)
    : replica_(std::move(replica)),
      cache_(replica_->CacheOf(resource)),
      selection_(std::move(selection)),
      form_(std::move(form)),
      is_plain_(IsPlain(form_)),
      start_(start),
      life_(replica_->lives()),
      bookmarks_(replica_->bookmarks()) {
  cache_->AddReader(this);
  if (start_.bookmarks) ScheduleBookmark(start_.opened);
  if (start_.initial_events) {
    if (start_.revision > replica_->revision()) {
      phase_ = Phase::kTooLarge;
    } else {
      BeginInitial();
    }
    return;
  }
  position_ = start_.revision - (Has(ServerBug::kStartIsInclusive) ? 1 : 0);
  const uint64_t oldest = cache_->OldestStart() - (Has(ServerBug::kExpiresTooLate) ? 1 : 0) +
                          (Has(ServerBug::kExpiresTooEarly) ? 1 : 0);
  if (position_ < oldest) {
    phase_ = Phase::kExpired;
  } else {
    cursor_ = cache_->log().After(position_);
    replayed_ = cache_->end();
    if (Has(ServerBug::kStartSkipsOne)) cursor_ = std::min(cursor_ + 1, replayed_);
  }
}

WatchStream::~WatchStream() {
  cache_->RemoveReader(this);
}

WatchSession::Step WatchStream::Next(TimePoint now, WatchLine* line) {
  if (life_ == replica_->lives()) replica_->Advance(now);
  const bool is_over = life_ != replica_->lives() && !Has(ServerBug::kRestartKeepsWatches);
  if (is_over || now >= start_.deadline || IsTooSlow(now)) {
    phase_ = Phase::kOver;
  }
  switch (phase_) {
    case Phase::kOver:
      return End();
    case Phase::kExpired:
      return ErrorLine(ExpiredWatch(position_, cache_->OldestStart()), line);
    case Phase::kTooLarge:
      return ErrorLine(TooLargeRevision(start_.revision, replica_->revision(), true).status, line);
    case Phase::kInitial:
      return NextInitial(now, line);
    case Phase::kLive:
      return NextLive(now, line);
  }
  return End();
}

WatchSession::Step WatchStream::End() {
  phase_ = Phase::kOver;
  snapshot_ = nullptr;
  cache_->RemoveReader(this);
  return Step::kEnd;
}

WatchSession::Step WatchStream::Idle() {
  idle_ = true;
  return Step::kIdle;
}

void WatchStream::BeginInitial() {
  phase_ = Phase::kInitial;
  position_ = replica_->revision();
  cursor_ = replayed_ = cache_->end();
  const bool etcds = Has(ServerBug::kInitialIsEtcds);
  snapshot_ = cache_->log().At(etcds ? replica_->etcd().revision() : position_);
  std::tie(index_, last_) = snapshot_->InNamespace(selection_.ns());
  if (const ObjectKey& one = selection_.single(); !one.name.empty()) {
    index_ = snapshot_->LowerBound(one);
    last_ = std::min(last_, index_ + 1);
  }
}

WatchSession::Step WatchStream::NextInitial(TimePoint now, WatchLine* line) {
  while (index_ < last_) {
    const bool unsorted = Has(ServerBug::kInitialIsUnsorted);
    const StoredRef& object = snapshot_->objects[unsorted ? --last_ : index_++];
    if (selection_.Matches(*object)) {
      return ObjectLine(now, EventType::kAdded, object, nullptr, line);
    }
  }
  snapshot_ = nullptr;
  phase_ = Phase::kLive;
  if (start_.end_bookmark) return BookmarkLine(position_, true, line);
  return NextLive(now, line);
}

WatchSession::Step WatchStream::NextLive(TimePoint now, WatchLine* line) {
  if (cursor_ >= drained_) return End();
  // So slow that nobody keeps what it would be told.
  if (cursor_ < cache_->log().first()) return End();
  // Overtaken by the window while it read old events: a clean end, no ERROR (SRV-30).
  if (cursor_ < replayed_ && cursor_ < cache_->window_begin()) return End();
  if (Has(ServerBug::kBookmarkOvertakes) && bookmarks_ != replica_->bookmarks()) {
    return NextBookmark(now, line);
  }
  while (cursor_ < cache_->end()) {
    const CachedEvent& event = *cache_->Event(cursor_++);
    const std::optional<EventType> type = TypeOf(event.commit);
    if (!type) continue;
    // An update that leads out of the selection shows the object as it was.
    const bool is_lost = *type == EventType::kDeleted && event.commit.type != EventType::kDeleted &&
                         !Has(ServerBug::kLeavingShowsNew);
    Slice* head = event.HeadOf(*type);
    return ObjectLine(now, *type, is_lost ? event.Lost() : event.commit.object, head, line);
  }
  return NextBookmark(now, line);
}

WatchSession::Step WatchStream::NextBookmark(TimePoint now, WatchLine* line) {
  if (!start_.bookmarks) return Idle();
  const uint64_t revision =
      Has(ServerBug::kBookmarkIsAhead) ? replica_->etcd().revision() : replica_->revision();
  if (bookmarks_ != replica_->bookmarks()) {
    bookmarks_ = replica_->bookmarks();
    if (revision >= position_) return BookmarkLine(revision, false, line);
  }
  if (now >= next_bookmark_) {
    ScheduleBookmark(now);
    if (revision > position_) return BookmarkLine(revision, false, line);
  }
  return Idle();
}

void WatchStream::ScheduleBookmark(TimePoint now) {
  next_bookmark_ = now + start_.bookmark_period;
  const TimePoint late = start_.deadline - kBeforeDeadline;
  if (late > now) next_bookmark_ = std::min(next_bookmark_, late);
  if (next_bookmark_ >= start_.deadline) next_bookmark_ = kNever;
}

TimePoint WatchStream::NextDeadline() const {
  if (phase_ == Phase::kOver) return kNever;
  return phase_ == Phase::kLive ? std::min(start_.deadline, next_bookmark_) : start_.deadline;
}

// A watch whose client reads has nothing behind it; one that doesn't has so many events in its
// channels, and then as long as the cache's budget lasts (SRV-29).
void WatchStream::OnAppend(uint64_t sequence, const CachedEvent& event, TimePoint now) {
  if (phase_ != Phase::kInitial && phase_ != Phase::kLive) return;
  if (give_up_ == kNever && BehindBy(sequence) >= cache_->BufferOf(start_.index)) {
    give_up_ = cache_->GiveUpAt(now);
  }
  if (!idle_ || phase_ != Phase::kLive) return;
  if (cursor_ == sequence && !TypeOf(event.commit)) {
    ++cursor_;
    return;
  }
  Wake();
}

void WatchStream::OnNotice() {
  if (idle_) Wake();
}

bool WatchStream::TakesBookmarks() const {
  const bool is_open = phase_ == Phase::kInitial || phase_ == Phase::kLive;
  return start_.bookmarks && is_open && life_ == replica_->lives();
}

void WatchStream::Wake() {
  idle_ = false;
  if (wake_) wake_();
}

// Asked whenever its client takes something. One that still owes the bookmark of its initial events
// gets to say that first, and what was in its channels.
bool WatchStream::IsTooSlow(TimePoint now) {
  if (give_up_ == kNever || drained_ != kNoSequence) return false;
  if (now <= give_up_) {
    if (BehindBy(cache_->end()) <= cache_->BufferOf(start_.index)) {
      give_up_ = kNever;
      cache_->HasRoom(now);
    }
    return false;
  }
  if (Has(ServerBug::kSlowSkips)) {
    cursor_ = cache_->end();
    give_up_ = kNever;
    return false;
  }
  if (phase_ != Phase::kInitial || !start_.end_bookmark) return true;
  drained_ = std::max(cursor_, replayed_) + cache_->BufferOf(start_.index);
  return false;
}

std::optional<EventType> WatchStream::TypeOf(const Commit& commit) const {
  // A watch from the future (SRV-19).
  if (commit.revision <= position_ && !Has(ServerBug::kFutureIsNow)) return std::nullopt;
  const bool was = commit.previous != nullptr && selection_.Matches(*commit.previous);
  if (commit.type == EventType::kDeleted) {
    return was ? std::optional(EventType::kDeleted) : std::nullopt;
  }
  const bool is = selection_.Matches(*commit.object);
  if (is) {
    const bool entering = !was && !(commit.previous && Has(ServerBug::kEnteringIsModified));
    return entering ? EventType::kAdded : EventType::kModified;
  }
  return was && !Has(ServerBug::kLeavingIsSilent) ? std::optional(EventType::kDeleted)
                                                  : std::nullopt;
}

WatchSession::Step WatchStream::ObjectLine(TimePoint now, EventType type, const StoredRef& object,
                                           Slice* head, WatchLine* line) {
  line->type = type;
  line->revision = object->revision;
  line->key = object->key.ns;
  if (!line->key.empty()) line->key += '/';
  line->key += object->key.name;
  line->uid = object->uid;
  line->initial_events_end = false;
  line->error_code = 0;
  line->chunk.clear();
  if (is_plain_) {
    AppendPlainLine(cache_->resource(), type, object, head, &line->chunk);
  } else {
    line->chunk =
        TextLine(type, ObjectJson(cache_->resource(), *object, form_, now, !said_something_));
  }
  said_something_ = true;
  return Step::kLine;
}

WatchSession::Step WatchStream::BookmarkLine(uint64_t revision, bool initial_events_end,
                                             WatchLine* line) {
  *line = {};
  line->type = EventType::kBookmark;
  line->revision = revision;
  line->initial_events_end = initial_events_end;
  line->chunk = TextLine(
      EventType::kBookmark,
      BookmarkJson(cache_->resource(), revision, initial_events_end, form_, !said_something_));
  said_something_ = true;
  return Step::kLine;
}

WatchSession::Step WatchStream::ErrorLine(const Status& status, WatchLine* line) {
  phase_ = Phase::kOver;
  *line = {};
  line->type = EventType::kError;
  line->error_code = status.code;
  line->chunk = TextLine(EventType::kError, status.ToJson());
  return Step::kLine;
}

}  // namespace relist::fakeapi
