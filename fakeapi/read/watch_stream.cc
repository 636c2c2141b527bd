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

WatchStream::WatchStream(std::shared_ptr<ReadWorld> world, const ResourceType& resource,
                         Selection selection, Negotiated form, const StreamStart& start)
    : world_(std::move(world)),
      cache_(world_->CacheOf(resource)),
      selection_(std::move(selection)),
      form_(std::move(form)),
      is_plain_(IsPlain(form_)),
      start_(start),
      life_(world_->lives()),
      bookmarks_(world_->bookmarks()) {
  cache_->AddReader(this);
  if (start_.bookmarks) ScheduleBookmark(start_.opened);
  if (start_.initial_events) {
    if (start_.revision <= world_->revision()) {
      BeginInitial();
    } else {
      phase_ = Phase::kWaiting;
      world_->AddWaiter(this);
    }
    return;
  }
  position_ = start_.from_now ? world_->revision() : start_.revision;
  if (position_ < cache_->OldestStart()) {
    phase_ = Phase::kExpired;
  } else {
    cursor_ = cache_->After(position_);
  }
}

WatchStream::~WatchStream() {
  cache_->RemoveReader(this);
  world_->RemoveWaiter(this);
}

WatchSession::Step WatchStream::Next(TimePoint now, WatchLine* line) {
  if (life_ != world_->lives() || now >= start_.deadline) phase_ = Phase::kOver;
  switch (phase_) {
    case Phase::kOver:
      return End();
    case Phase::kExpired:
      return ErrorLine(ExpiredWatch(position_, cache_->OldestStart()), line);
    case Phase::kWaiting:
      return NextWaiting(now, line);
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
  world_->RemoveWaiter(this);
  return Step::kEnd;
}

WatchSession::Step WatchStream::Idle() {
  idle_ = true;
  return Step::kIdle;
}

WatchSession::Step WatchStream::NextWaiting(TimePoint now, WatchLine* line) {
  if (start_.revision <= world_->revision()) {
    world_->RemoveWaiter(this);
    BeginInitial();
    return NextInitial(now, line);
  }
  if (now < start_.opened + start_.fresh_wait) return Idle();
  return ErrorLine(TooLargeRevision(start_.revision, world_->revision(), true).status, line);
}

void WatchStream::BeginInitial() {
  phase_ = Phase::kInitial;
  position_ = world_->revision();
  cursor_ = cache_->end();
  snapshot_ = cache_->At(position_);
  std::tie(index_, last_) = snapshot_->InNamespace(selection_.ns());
  if (const ObjectKey& one = selection_.single(); !one.name.empty()) {
    index_ = snapshot_->LowerBound(one);
    last_ = std::min(last_, index_ + 1);
  }
}

WatchSession::Step WatchStream::NextInitial(TimePoint now, WatchLine* line) {
  while (index_ < last_) {
    const StoredRef& object = snapshot_->objects[index_++];
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
  // Too slow, or overtaken by the window while it read old events: a clean end, no ERROR (SRV-29).
  if (cursor_ < cache_->first() || cache_->end() - cursor_ > cache_->backlog()) return End();
  while (cursor_ < cache_->end()) {
    const CachedEvent& event = *cache_->Event(cursor_++);
    const std::optional<EventType> type = TypeOf(event.commit);
    if (!type) continue;
    // An update that leads out of the selection shows the object as it was.
    const bool is_lost = *type == EventType::kDeleted && event.commit.type != EventType::kDeleted;
    Slice* head = &event.heads[static_cast<size_t>(*type)];
    return ObjectLine(now, *type, is_lost ? event.Lost() : event.commit.object, head, line);
  }
  return NextBookmark(now, line);
}

WatchSession::Step WatchStream::NextBookmark(TimePoint now, WatchLine* line) {
  if (!start_.bookmarks) return Idle();
  const uint64_t revision = world_->revision();
  if (bookmarks_ != world_->bookmarks()) {
    bookmarks_ = world_->bookmarks();
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
  TimePoint next = start_.deadline;
  if (phase_ == Phase::kWaiting) next = std::min(next, start_.opened + start_.fresh_wait);
  return phase_ == Phase::kLive ? std::min(next, next_bookmark_) : next;
}

void WatchStream::OnAppend(uint64_t sequence, const CachedEvent& event) {
  if (!idle_ || phase_ != Phase::kLive) return;
  if (cursor_ == sequence && !TypeOf(event.commit)) {
    ++cursor_;
    return;
  }
  Wake();
}

void WatchStream::OnNotice() {
  if (!idle_) return;
  if (phase_ == Phase::kWaiting && start_.revision > world_->revision() &&
      life_ == world_->lives()) {
    return;
  }
  Wake();
}

bool WatchStream::TakesBookmarks() const {
  const bool is_open = phase_ != Phase::kOver && phase_ != Phase::kExpired;
  return start_.bookmarks && is_open && life_ == world_->lives();
}

void WatchStream::Wake() {
  idle_ = false;
  if (wake_) wake_();
}

std::optional<EventType> WatchStream::TypeOf(const Commit& commit) const {
  if (commit.revision <= position_) return std::nullopt;  // a watch from the future (SRV-19)
  const bool was = commit.previous != nullptr && selection_.Matches(*commit.previous);
  if (commit.type == EventType::kDeleted) {
    return was ? std::optional(EventType::kDeleted) : std::nullopt;
  }
  const bool is = selection_.Matches(*commit.object);
  if (is) return was ? EventType::kModified : EventType::kAdded;
  return was ? std::optional(EventType::kDeleted) : std::nullopt;
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
  line->chunk = TextLine(EventType::kBookmark,
                         BookmarkJson(cache_->resource(), revision, initial_events_end, form_));
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
