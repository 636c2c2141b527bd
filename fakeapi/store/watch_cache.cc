#include "fakeapi/store/watch_cache.h"

#include <algorithm>

#include "core/check.h"

namespace relist::fakeapi {
namespace {

// Of the real server's cache (catalogue 1.2).
constexpr size_t kLeastWindow = 100, kMostWindow = 100 * 1024;
constexpr Duration kFresh = Seconds(75);  // an event younger than this should not be evicted
constexpr size_t kLeastChannel = 10;
constexpr uint64_t kChannels = 2;  // of a watch: what comes in, and what was turned into its events

size_t MostInChannel(WatchIndex index) {
  switch (index) {
    case WatchIndex::kTriggered:
      return 10;
    case WatchIndex::kNone:
      return 100;
    case WatchIndex::kUnused:
      return 1000;
  }
  return 0;
}

}  // namespace

WatchCache::WatchCache(std::shared_ptr<EventLog> log, const WatchCacheOptions& options,
                       uint64_t end, uint64_t list_revision, uint64_t snapshots_from, TimePoint now)
    : log_(std::move(log)),
      options_(options),
      capacity_(options.window == 0 ? kLeastWindow : options.window),
      end_(end),
      window_begin_(end_),
      list_revision_(list_revision),
      snapshot_floor_(snapshots_from),
      budget_(options.budget, now) {}

void WatchCache::Apply(TimePoint now) {
  CHECK(end_ < log_->end(), "a replica is ahead of etcd");
  if (options_.window == 0) Resize(now);
  ++end_;
  if (end_ - window_begin_ > capacity_) {
    window_begin_ = end_ - capacity_;
    evicted_ = true;
  }
  // What falls out of the window takes its snapshot along.
  if (evicted_) ForgetSnapshots(Event(window_begin_)->commit.revision);
  const EventRef held = Event(end_ - 1);
  const uint64_t sequence = end_ - 1;
  TellReaders([&](LogReader* reader) { reader->OnAppend(sequence, *held, now); });
}

// Before an event goes into a full window: what is in there is too young to go, or so old that half
// the window would do.
void WatchCache::Resize(TimePoint now) {
  if (end_ - window_begin_ < capacity_) return;
  if (now - Event(window_begin_)->when < kFresh) {
    capacity_ = std::min(capacity_ * 2, kMostWindow);
  } else if (now - Event(end_ - capacity_ / 4)->when > kFresh) {
    capacity_ = std::max(capacity_ / 2, kLeastWindow);
  }
}

uint64_t WatchCache::OldestStart() const {
  return evicted_ ? Event(window_begin_)->commit.revision - 1 : list_revision_;
}

uint64_t WatchCache::BufferOf(WatchIndex index) const {
  if (options_.watcher_buffer != 0) return options_.watcher_buffer;
  constexpr size_t kFreshSeconds = kFresh / Seconds(1);
  const size_t second = (capacity_ + kFreshSeconds - 1) / kFreshSeconds;
  return kChannels * std::max(kLeastChannel, std::min(second, MostInChannel(index)));
}

TimePoint WatchCache::GiveUpAt(TimePoint now) {
  if (full_ == 0 || now > give_up_) {
    full_ = 0;
    give_up_ = now + budget_.Take(now);
  }
  ++full_;
  return give_up_;
}

// Where all have room in time, what is left of the budget is there for the next.
void WatchCache::HasRoom(TimePoint now) {
  if (full_ == 0) return;
  --full_;
  if (full_ == 0) budget_.Return(give_up_ - now);
}

uint64_t WatchCache::NeededFrom() const {
  const uint64_t behind = std::max<uint64_t>(capacity_, BufferOf(WatchIndex::kUnused));
  return std::min(window_begin_, end_ > behind ? end_ - behind : 0);
}

void WatchCache::Relist(uint64_t revision, uint64_t end) {
  list_revision_ = revision;
  end_ = window_begin_ = end;
  evicted_ = false;
}

void WatchCache::AddReader(LogReader* reader) {
  readers_.push_back(reader);
}

void WatchCache::RemoveReader(LogReader* reader) {
  const auto at = std::find(readers_.begin(), readers_.end(), reader);
  if (at == readers_.end()) return;
  if (telling_) {
    *at = nullptr;
    some_left_ = true;
  } else {
    readers_.erase(at);
  }
}

void WatchCache::Notice() {
  TellReaders([](LogReader* reader) { reader->OnNotice(); });
}

int WatchCache::Readers() const {
  return static_cast<int>(readers_.size()) -
         static_cast<int>(std::count(readers_.begin(), readers_.end(), nullptr));
}

int WatchCache::BookmarkReaders() const {
  return static_cast<int>(std::count_if(
      readers_.begin(), readers_.end(),
      [](const LogReader* reader) { return reader != nullptr && reader->TakesBookmarks(); }));
}

template <class Tell>
void WatchCache::TellReaders(Tell tell) {
  CHECK(!telling_, "a reader wrote while it was told of a write");
  telling_ = true;
  // By index, and no further than now: who comes in the meantime has read the log already.
  const size_t count = readers_.size();
  for (size_t i = 0; i < count; ++i) {
    if (readers_[i] != nullptr) tell(readers_[i]);
  }
  telling_ = false;
  if (std::exchange(some_left_, false)) std::erase(readers_, nullptr);
}

}  // namespace relist::fakeapi
