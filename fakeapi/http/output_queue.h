// What a connection has to say, in shared slices, and the faults that strike at a byte of it: a
// seal (cut), a stall, holds, splits and a pace, each at an absolute offset on the wire.
//
//   queue.Push(std::move(slices));
//   queue.Hold(queue.end() + 100, Seconds(2));   // the 101st byte from here waits two seconds
//   int n = queue.Gather(iov, 64);               // never past a fault
//   queue.Consume(written);
//
// Offsets count from the connection's first byte. Sans-IO, one thread, no allocation while empty.
#pragma once

#include <sys/uio.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "core/time.h"
#include "fakeapi/api/http_types.h"

namespace relist::fakeapi {

class OutputQueue {
 public:
  static constexpr uint64_t kNowhere = UINT64_MAX;

  // Bytes at and past a seal or stall are dropped. `now` starts the clock of a hold that the bytes
  // reach.
  void Push(Slices slices, TimePoint now);
  void Push(Slice slice, TimePoint now);

  uint64_t end() const { return end_; }        // offset of the next byte pushed
  uint64_t pushed() const { return pushed_; }  // as end(), with what a seal or a stall dropped
  uint64_t sent() const { return sent_; }      // offset of the next byte to go out
  uint64_t size() const { return end_ - sent_; }
  bool empty() const { return end_ == sent_; }

  // Nothing at or past `at` is ever queued. The earlier of two wins.
  void Seal(uint64_t at);
  bool sealed() const { return end_ >= seal_; }  // every byte before the seal is queued
  // Bytes at and past `at` vanish, and nobody is told.
  void Stall(uint64_t at);
  bool stalled() const { return pushed_ > stall_ || (pushed_ == stall_ && stall_ != kNowhere); }
  // Bytes at and past `at` wait for `d` from when the first of them is queued; zero: for ever.
  void Hold(uint64_t at, Duration d);
  // A gather ends at `at`, then at every `every` bytes after it (0: only once).
  void Split(uint64_t at, uint64_t every);
  // From `at` on no more than `per_second` bytes a second, from when they are queued: every tenth
  // of a second a tenth of them, or one byte at a time where they are fewer than ten.
  void Pace(uint64_t at, uint64_t per_second);
  // Forgets faults; for the next answer, once all is sent.
  void ClearFaults();

  // The next pieces that may go out; no more than `max`, no further than the next split or the
  // first hold.
  int Gather(iovec* pieces, int max) const;
  bool HasOutput() const { return SendLimit() > sent_; }
  void Consume(uint64_t bytes);
  // Throws away what was not sent: the reader is gone.
  void Drop();

  // Lifts holds that are due, and lets through what the pace allows by now. NextRelease is kNever
  // without one that runs.
  void Release(TimePoint now);
  TimePoint NextRelease() const;

 private:
  struct Held {
    uint64_t at;
    Duration length;
    bool running;
    TimePoint until;  // once running
  };
  struct ByteFaults {
    std::vector<Held> holds;
    uint64_t split_at = kNowhere;
    uint64_t split_every = 0;
    uint64_t paced_to = kNowhere;  // what lies beyond waits for its tick
    uint64_t pace_step = 0;
    Duration pace_tick{};
    TimePoint next_tick = kNever;
  };

  void Account(Slice* slice);
  // Of what was just queued.
  void StartWaiting(TimePoint now);
  uint64_t SendLimit() const;
  uint64_t NextSplit() const;
  ByteFaults& Faults();

  std::vector<Slice> slices_;
  size_t first_ = 0;         // slices before it are sent
  size_t first_offset_ = 0;  // bytes of the first one that are sent
  uint64_t end_ = 0, sent_ = 0;
  uint64_t pushed_ = 0;  // as end_, dropped bytes included
  uint64_t seal_ = kNowhere, stall_ = kNowhere;
  std::unique_ptr<ByteFaults> faults_;  // rare
};

}  // namespace relist::fakeapi
