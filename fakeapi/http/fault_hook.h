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
#include <vector>

#include "core/time.h"
#include "core/wire/watch_event.h"
#include "fakeapi/api/http_types.h"
#include "fakeapi/api/watch_session.h"
#include "fakeapi/http/line_framer.h"

namespace relist::fakeapi {

enum class FaultPoint {
  kConnectionAccepted,  // before a byte was read: Cut, Stall, Delay
  kRequestRead,   // a whole request is there, nothing was done: Answer, Cut, Stall, Delay, Split,
                  // Hold, Slow, Http10, CutNext
  kBeforeAnswer,  // the answer (not a watch) is made, a write is done, nothing is sent; `status`
                  // and `answer` are set: Answer, Delay, Framing, Gzip, what strikes at a byte
  kWatchOpened,   // the watch exists, its header is queued: Error, Cut (clean, too), Stall, Delay,
                  // Split, Hold, Slow, Framing, Gzip
  kBeforeEvent,   // a line is about to be queued; `nth_event` and `line` are set: the same, and
                  // Duplicate, Replace, Insert, Reorder
  kAfterEvent,    // a line was queued, `nth_event` with it; the next may be long in coming: as
                  // kWatchOpened, and Insert
  kNextRequest,   // nobody is asked: where CutNext strikes
};

struct FaultPlace {
  FaultPoint point = FaultPoint::kRequestRead;
  TimePoint now;
  int connection = 0;       // from 1
  uint64_t request_id = 0;  // from 1, over all connections; 0 at kConnectionAccepted
  const Request* request = nullptr;
  // Read off the request; empty or false where it is not one for objects.
  enum class Verb {
    kOther,
    kGet,
    kList,
    kWatch,
    kCreate,
    kUpdate,
    kPatch,
    kDelete
  } verb = Verb::kOther;
  bool is_watch = false;
  bool is_list = false;
  bool is_continue = false;        // a list with a continue token ...
  std::string continue_token;      // ... which is this
  bool is_streaming_list = false;  // sendInitialEvents=true
  std::string resource;            // "configmaps", "deployments.apps"
  std::string resource_version;    // the parameter
  int status = 0;
  const Response* answer = nullptr;
  int nth_event = 0;  // lines that the watch gave before this one; a fault's own do not count
  const WatchLine* line = nullptr;
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
    kHold,
    kReplace,  // `lines`, which may be none, instead of the line
    kInsert,   // `lines`, then the line
    kReorder,  // the line goes behind the next ones
    kFraming,  // lines, or the body of a list, are put into chunks as `framing` says
    kSlow,
    kHttp10,   // an answer of HTTP/1.0: no chunks, and it ends where the connection does
    kCutNext,  // the answer is whole; the next request on its connection is never read: `how`
    kGzip,     // the body is compressed, though nobody asked
  } kind = Kind::kPass;
  Duration delay{};  // kDelay: this much later, then go on; kHold: bytes held for so long (zero:
                     // for ever)
  Response answer;   // kAnswer: instead of the server's
  std::string error_line;     // kError: JSON of the Status, sent as an ERROR line, then a clean end
  CutHow how = CutHow::kFin;  // kCut
  uint64_t after_bytes = 0;   // kCut, kStall, kSplit, kHold: counted on the wire from this answer's
                              // first byte; of kBeforeEvent from here
  // Where that byte is, if not counted by after_bytes: behind the whole head of the answer, or
  // inside a part of the line (of kBeforeEvent only; a line without one passes).
  enum class ByteAt {
    kCounted,
    kBehindHead,
    kInChunkHeader,
    kInCharacter
  } byte_at = ByteAt::kCounted;
  uint64_t split_every =
      0;  // kSplit: then in pieces of this size, each its own write (0: one split only)
  std::vector<std::string> lines;  // kReplace, kInsert: each with its newline, as it goes out
  int behind = 1;                  // kReorder: so many lines go before it
  LineFraming framing;             // kFraming
  uint64_t per_second = 0;         // kSlow: bytes
  bool corrupt = false;            // kGzip: a byte in the middle is another one
  int tag = 0;  // the hook's own, not 0: by it the hook hears of what ComesLater (Struck)

  // It strikes when it comes to pass, if ever: at a byte, behind a line, under the next request.
  bool ComesLater() const {
    return after_bytes > 0 || byte_at != ByteAt::kCounted || kind == Kind::kReorder ||
           kind == Kind::kCutNext;
  }

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
  // No legal server does any of these three.
  static Verdict Replace(std::vector<std::string> lines);
  static Verdict Insert(std::vector<std::string> lines);
  static Verdict Reorder(int behind);
  static Verdict Framing(const LineFraming& framing);
  static Verdict Slow(uint64_t per_second, uint64_t after_bytes = 0);
  static Verdict Http10();
  static Verdict CutNext(CutHow how);
  static Verdict Gzip(bool corrupt);
  // The same verdict, at that byte.
  Verdict At(ByteAt where) &&;
};

// "accepted", "request", "answer", "open", "event", "sent", "next": the words of histories.
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
  // A verdict with this tag struck, one that ComesLater. An answer that is shorter, or a stream
  // that is over, never gets there.
  virtual void Struck(int tag, TimePoint now) { (void)tag, (void)now; }
  // False while new connections are to be refused (the listener is closed).
  virtual bool AcceptsConnections(TimePoint now) = 0;
  // When AcceptsConnections may change by itself; kNever without.
  virtual TimePoint NextChange() const { return kNever; }
};

}  // namespace relist::fakeapi
