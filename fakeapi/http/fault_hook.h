// The named places where a fault may strike, and the Verdict: what happens there.
//
//   class NoWatches : public FaultHook {
//     Verdict At(const FaultPlace& place) override {
//       if (place.point == FaultPoint::kRequestRead && place.is_watch) return Verdict::Answer(503,
//       {}, ""); return Verdict::Pass();
//     }
//   };
//
// The server asks; a scenario, a property test's tape, or a control endpoint answers. Faults on
// bytes are done where the connection's queue meets the socket, or the simulated wire, so that they
// fall on exactly the same byte in both worlds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/time.h"
#include "core/wire/watch_event.h"
#include "fakeapi/api/http_types.h"

namespace relist::fakeapi {

enum class FaultPoint {
  kConnectionAccepted,  // before a byte was read: Cut, Stall, Delay
  kRequestRead,   // a whole request is there, nothing was done: Answer, Cut, Stall, Delay, Split,
                  // Hold
  kBeforeAnswer,  // the answer (not a watch) is made, not sent; `status` is set
  kWatchOpened,   // the watch exists, its header is queued: Error, Cut (clean, too), Stall, Delay,
                  // Split, Hold
  kBeforeEvent,   // a line is about to be queued; `event_type`, `event_key`, `nth_event` are set
};

struct FaultPlace {
  FaultPoint point = FaultPoint::kRequestRead;
  TimePoint now;
  int connection = 0;       // from 1
  uint64_t request_id = 0;  // from 1, over all connections; 0 at kConnectionAccepted
  const Request* request = nullptr;
  // Read off the request; empty or false where it is not an API read.
  bool is_watch = false;
  bool is_list = false;
  bool is_continue = false;        // a list with a continue token
  bool is_streaming_list = false;  // sendInitialEvents=true
  std::string resource;            // "configmaps", "deployments.apps"
  std::string resource_version;    // the parameter
  int status = 0;
  EventType event_type = EventType::kAdded;
  std::string event_key;
  int nth_event = 0;  // lines queued on this watch before this one
};

enum class CutHow {
  kClean,  // the body ends as it should (last chunk), early
  kFin,    // the connection is closed without the end of the body
  kReset,  // RST
};

struct Verdict {
  enum class Kind {
    kPass,
    kDelay,
    kAnswer,
    kError,
    kCut,
    kStall,
    kSplit,
    kDuplicate,
    kHold
  } kind = Kind::kPass;
  Duration delay{};  // kDelay: this much later, then go on; kHold: bytes held for so long (zero:
                     // for ever)
  Response answer;   // kAnswer: instead of the server's
  std::string error_line;     // kError: JSON of the Status, sent as an ERROR line, then a clean end
  CutHow how = CutHow::kFin;  // kCut
  uint64_t after_bytes = 0;   // kCut, kStall, kSplit, kHold: counted on the wire from this answer's
                              // first byte; of kBeforeEvent from here
  uint64_t split_every =
      0;        // kSplit: then in pieces of this size, each its own write (0: one split only)
  int tag = 0;  // the hook's own, not 0: it hears of it when after_bytes came to pass (ByteReached)

  static Verdict Pass() { return {}; }
  static Verdict Delay(Duration d);
  // Without a Content-Type among the headers: JSON if the body looks like it, else plain text.
  static Verdict Answer(int status, HeaderList headers, std::string body);
  static Verdict ErrorLine(std::string status_json);
  static Verdict Cut(CutHow how, uint64_t after_bytes = 0);
  static Verdict Stall(
      uint64_t after_bytes = 0);  // nothing more is ever sent; the connection stays open
  static Verdict Split(uint64_t at, uint64_t every = 0);
  static Verdict Duplicate();  // the line is sent twice: no legal server does this
  static Verdict Hold(uint64_t after_bytes, Duration for_how_long);
};

// "accepted", "request", "answer", "open", "event": the words of histories.
std::string_view Name(FaultPoint point);
// "cut FIN after 120", "delay 0.250", "answer 503": for histories and messages.
std::string Describe(const Verdict& verdict);
// The fields of a FaultPlace that are read off the request: is_watch ... resource_version, and
// `request` itself, which must outlive the place.
FaultPlace PlaceOf(const Request& request);

class FaultHook {
 public:
  virtual ~FaultHook() = default;
  virtual Verdict At(const FaultPlace& place) = 0;
  // False while it has nothing but Pass to say, so that nobody need ask.
  virtual bool MayStrike() const { return true; }
  // So many bytes were queued that a verdict with this tag struck, if after_bytes is not 0. An
  // answer that is shorter never gets there.
  virtual void ByteReached(int tag, TimePoint now) { (void)tag, (void)now; }
  // False while new connections are to be refused (the listener is closed).
  virtual bool AcceptsConnections(TimePoint now) = 0;
  // When AcceptsConnections may change by itself; kNever without.
  virtual TimePoint NextChange() const { return kNever; }
};

}  // namespace relist::fakeapi
