// Faults that a legal server, and the network before it, may show at any time (properties.md's
// list): drawn from a tape.
//
//   LegalFaults faults(choices, server);
//   SimNetwork network(port, server, &faults, &history);
//   faults.Calm();            // from here on nothing strikes
//
// 0 on the tape is no fault, so a tape of zeros is a quiet life. One thread.
#pragma once

#include "core/choices.h"
#include "fakeapi/api_server.h"
#include "fakeapi/http/fault_hook.h"

namespace relist {

class LegalFaults : public fakeapi::FaultHook {
 public:
  // Both outlive it. An expiry that is told by HTTP 410, or silently, is real: the window is
  // emptied first.
  LegalFaults(Choices& choices, fakeapi::ApiServer& server) : choices_(choices), server_(server) {}

  fakeapi::Verdict At(const fakeapi::FaultPlace& place) override;
  bool AcceptsConnections(TimePoint now) override;

  void Calm() { calm_ = true; }
  // Something that moves a floor, or nothing: called by the workload now and then.
  void Disturb(TimePoint now);
  int struck() const { return struck_; }
  // A connection was stalled for good: the calm has to outlast the client's deadline.
  bool stalled() const { return stalled_; }

 private:
  fakeapi::Verdict AtRequest(const fakeapi::FaultPlace& place);
  fakeapi::Verdict AtList(const fakeapi::FaultPlace& place);
  fakeapi::Verdict AtWatch(const fakeapi::FaultPlace& place);
  bool IsSilentlyExpired(const fakeapi::FaultPlace& place) const;
  fakeapi::Verdict OnBytes(uint64_t reach);

  Choices& choices_;
  fakeapi::ApiServer& server_;
  TimePoint refused_until_ = TimePoint::min();
  // Watches from below it are closed without a word, for good: a server that does not tell.
  uint64_t silent_below_ = 0;
  int struck_ = 0;
  bool calm_ = false;
  bool stalled_ = false;
};

}  // namespace relist
