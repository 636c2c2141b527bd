#include "fakeapi/http/output_queue.h"

#include <algorithm>

#include "core/check.h"

namespace relist::fakeapi {
namespace {

// A drained queue keeps its memory only if that is little: thousands of idle connections wait.
constexpr size_t kKeepSlices = 16;

constexpr uint64_t kTicksASecond = 10;  // of a pace

}  // namespace

// Cuts what lies past a seal or a stall, and counts the rest.
void OutputQueue::Account(Slice* slice) {
  const uint64_t limit = std::min(seal_, stall_);
  const uint64_t room = limit > end_ ? limit - end_ : 0;
  pushed_ += slice->bytes.size();
  if (slice->bytes.size() > room) slice->bytes = slice->bytes.substr(0, room);
  end_ += slice->bytes.size();
}

void OutputQueue::Push(Slices slices, TimePoint now) {
  if (slices_.empty()) {
    for (Slice& slice : slices) Account(&slice);
    std::erase_if(slices, [](const Slice& slice) { return slice.bytes.empty(); });
    slices_ = std::move(slices);
  } else {
    for (Slice& slice : slices) {
      Account(&slice);
      if (!slice.bytes.empty()) slices_.push_back(std::move(slice));
    }
  }
  StartWaiting(now);
}

void OutputQueue::Push(Slice slice, TimePoint now) {
  Account(&slice);
  if (!slice.bytes.empty()) slices_.push_back(std::move(slice));
  StartWaiting(now);
}

void OutputQueue::Seal(uint64_t at) {
  CHECK(at >= end_, "a seal at {}, behind what is queued ({})", at, end_);
  seal_ = std::min(seal_, at);
}

void OutputQueue::Stall(uint64_t at) {
  CHECK(at >= end_, "a stall at {}, behind what is queued ({})", at, end_);
  stall_ = std::min(stall_, at);
}

OutputQueue::ByteFaults& OutputQueue::Faults() {
  if (faults_ == nullptr) faults_ = std::make_unique<ByteFaults>();
  return *faults_;
}

void OutputQueue::Hold(uint64_t at, Duration d) {
  std::vector<Held>& holds = Faults().holds;
  const Held held{at, d, false, kNever};
  holds.insert(std::upper_bound(holds.begin(), holds.end(), held,
                                [](const Held& a, const Held& b) { return a.at < b.at; }),
               held);
}

void OutputQueue::Split(uint64_t at, uint64_t every) {
  Faults().split_at = at;
  Faults().split_every = every;
}

void OutputQueue::Pace(uint64_t at, uint64_t per_second) {
  CHECK(per_second > 0, "what never goes out is a stall");
  ByteFaults& faults = Faults();
  const uint64_t ticks = std::min(per_second, kTicksASecond);
  faults.paced_to = at;
  faults.pace_step = per_second / ticks;
  faults.pace_tick = Seconds(1) / static_cast<Duration::rep>(ticks);
}

void OutputQueue::ClearFaults() {
  seal_ = stall_ = kNowhere;
  pushed_ = end_;
  faults_.reset();
}

void OutputQueue::StartWaiting(TimePoint now) {
  if (faults_ == nullptr) return;
  for (Held& held : faults_->holds) {
    if (held.running || held.at >= end_) continue;
    held.running = true;
    held.until = held.length == Duration::zero() ? kNever : now + held.length;
  }
  if (faults_->paced_to < end_ && faults_->next_tick == kNever)
    faults_->next_tick = now + faults_->pace_tick;
}

void OutputQueue::Release(TimePoint now) {
  if (faults_ == nullptr) return;
  std::erase_if(faults_->holds,
                [&](const Held& held) { return held.running && held.until <= now; });
  while (faults_->next_tick <= now && faults_->paced_to < end_) {
    faults_->paced_to = std::min(faults_->paced_to + faults_->pace_step, end_);
    faults_->next_tick += faults_->pace_tick;
  }
  if (faults_->paced_to >= end_) faults_->next_tick = kNever;
}

TimePoint OutputQueue::NextRelease() const {
  if (faults_ == nullptr) return kNever;
  TimePoint next = faults_->next_tick;
  for (const Held& held : faults_->holds) {
    if (held.running) next = std::min(next, held.until);
  }
  return next;
}

uint64_t OutputQueue::NextSplit() const {
  if (faults_ == nullptr || faults_->split_at == kNowhere) return kNowhere;
  if (faults_->split_at > sent_) return faults_->split_at;
  if (faults_->split_every == 0) return kNowhere;
  const uint64_t past = sent_ - faults_->split_at;
  return faults_->split_at + (past / faults_->split_every + 1) * faults_->split_every;
}

uint64_t OutputQueue::SendLimit() const {
  if (faults_ == nullptr) return end_;
  uint64_t limit = std::min({end_, NextSplit(), std::max(faults_->paced_to, sent_)});
  if (!faults_->holds.empty()) {
    limit = std::min(limit, std::max(faults_->holds.front().at, sent_));
  }
  return limit;
}

int OutputQueue::Gather(iovec* pieces, int max) const {
  uint64_t room = SendLimit() - sent_;
  size_t offset = first_offset_;
  int n = 0;
  for (size_t i = first_; i < slices_.size() && n < max && room > 0; ++i, offset = 0) {
    const std::string_view bytes = slices_[i].bytes.substr(offset, room);
    room -= bytes.size();
    pieces[n++] = {const_cast<char*>(bytes.data()), bytes.size()};
  }
  return n;
}

void OutputQueue::Drop() {
  slices_ = {};
  first_ = first_offset_ = 0;
  sent_ = end_;
}

void OutputQueue::Consume(uint64_t bytes) {
  CHECK(bytes <= size(), "{} bytes were sent of {}", bytes, size());
  sent_ += bytes;
  while (bytes > 0) {
    Slice& slice = slices_[first_];
    const uint64_t left = slice.bytes.size() - first_offset_;
    if (bytes < left) {
      first_offset_ += bytes;
      break;
    }
    bytes -= left;
    slice.owner.reset();
    ++first_;
    first_offset_ = 0;
  }
  if (!empty() && (first_ < kKeepSlices || first_ * 2 < slices_.size())) return;
  slices_.erase(slices_.begin(), slices_.begin() + static_cast<std::ptrdiff_t>(first_));
  first_ = 0;
  if (slices_.empty() && slices_.capacity() > kKeepSlices) slices_ = {};
}

}  // namespace relist::fakeapi
