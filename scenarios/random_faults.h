// Faults by chance: whatever a legal server and the network may do (README.md, "What is legal"), drawn from a stream of
// choices until a point in time. 0 is always "no fault", so that a shrunk tape is a quiet world.
//
//   RandomFaults faults(choices, start + Seconds(60));
//   SimNetwork network(port, server, &faults, &history);
//
// One thread.
#pragma once

#include "core/choices.h"
#include "fakeapi/fault_hook.h"

namespace relist {

class RandomFaults : public fakeapi::FaultHook {
 public:
  RandomFaults(Choices& choices, TimePoint until) : choices_(choices), until_(until) {}

  fakeapi::Verdict At(const fakeapi::FaultPlace& place) override;
  bool AcceptsConnections(TimePoint now) override { return now >= refused_until_; }
  TimePoint NextChange() const override { return refused_until_; }
  void Refuse(TimePoint now, Duration length) { refused_until_ = now + length; }

  int struck() const { return struck_; }
  // Something may hang until a client's deadline has passed.
  bool stalled() const { return stalled_; }

 private:
  fakeapi::Verdict OfRequest(const fakeapi::FaultPlace& place);
  fakeapi::Verdict OfOpenWatch();
  fakeapi::Verdict OfEvent();
  fakeapi::Verdict OfBytes();

  Choices& choices_;
  const TimePoint until_;
  TimePoint refused_until_ = TimePoint::min();
  int struck_ = 0;
  bool stalled_ = false;
};

}  // namespace relist
