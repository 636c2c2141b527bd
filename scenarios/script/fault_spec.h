// What goes wrong in a scenario, and which requests that meets.
//
//   FaultSpec fault;
//   fault.kind = FaultSpec::Kind::kCutFin;
//   fault.place.verb = PlaceSpec::Verb::kWatch;
//   fault.events = 2;                             // before the third line of the first watch
//
// README.md ("Faults") has the words of the script for each. Values; no thread affinity.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/time.h"
#include "fakeapi/http/fault_hook.h"

namespace relist {

// Which requests are meant. Fields left empty match everything; `nth` counts the requests that
// match all else.
struct PlaceSpec {
  enum class Verb {
    kAny,  // a list or a watch
    kList,
    kWatch,
    kStreamingList,
    kGet,  // of one object
    kCreate,
    kUpdate,
    kPatch,
    kDelete,
    kWrite,  // any of the last four
  } verb = Verb::kAny;
  int first = 1, last = 1;             // nth: 2 is 2-2, "2-4" is a range, "every" has no end
  std::string client;                  // by its User-Agent
  std::string resource;                // "configmaps", "deployments.apps"
  bool continued = false;              // a list's later pages only
  int page = 0;                        // of a list, from 1; 0: any
  std::optional<std::string> version;  // the parameter resourceVersion; "" is none
};
inline constexpr int kEvery = 1 << 30;

struct FaultSpec {
  enum class Kind {
    kStatus,    // this HTTP status instead of the server's answer
    kError,     // an ERROR line in the stream, then its end
    kClose,     // the body ends as it should, early; before any line this is the silent expiry
    kCutFin,    // the connection is closed without the end of the body
    kCutReset,  // RST
    kStall,     // nothing more is ever sent; the connection stays open (half-open)
    kSplit,     // bytes go out in pieces
    kDelay,
    kHold,       // bytes are kept back for `length`, then go on
    kDuplicate,  // a line twice: no legal server does this, nor the next four
    kDrop,       // a line is left out
    kReorder,    // a line goes behind the `behind` lines that follow it
    kAlter,      // a line is another one
    kInsert,     // a line that the server never made
    kChunks,     // other chunks than a line each
    kLineEnds,   // other line ends
    kSlow,       // `per_second` bytes a second
    kHttp10,     // an answer of HTTP/1.0
    kLost,       // all is done as asked, and the answer is lost
    kCutNext,    // the connection is cut under the request that comes next on it
    kGzip,       // the body is compressed, though nobody asked
  } kind = Kind::kStatus;
  PlaceSpec place;
  double chance = 1;  // of each strike
  bool on_connection =
      false;  // strikes when a connection is accepted; place.first/last count connections
  // Of a watch, in one of three ways: before its line events + 1, as soon as so many were sent, or
  // before each of a sort.
  std::optional<int> events, sent;
  enum class LineSort {
    kInitialEnd,  // the bookmark that ends the initial events
    kBookmark,    // any other
    kAdded,
    kModified,
    kDeleted,
  };
  std::optional<LineSort> lines;
  uint64_t bytes = 0;  // strikes after so many bytes of the answer (of the line, with one) ...
  fakeapi::Verdict::ByteAt byte_at = fakeapi::Verdict::ByteAt::kCounted;  // ... or there
  uint64_t every = 0;                           // kSplit: then pieces of this size
  Duration length{};                            // kDelay, kHold
  fakeapi::CutHow how = fakeapi::CutHow::kFin;  // kLost, kCutNext

  int code = 0;  // kStatus, kError
  std::string reason, message;
  bool plain = false;  // kStatus: the message as text/plain, no Status object
  std::vector<std::pair<std::string, std::string>> headers;
  std::optional<std::string> body;  // kStatus: instead of a Status; kError: its JSON
  // How "too large resource version" is told (kubernetes#94316): by the reason of a cause, by the
  // message of one, as servers 1.17.0 to 1.18.5 did, or by the message alone, as those before.
  enum class TooLarge { kTyped, kCause, kMessage };
  TooLarge too_large = TooLarge::kTyped;
  static constexpr int kTooLargeCode = 504;

  std::string type;                 // kAlter ("": as it was), kInsert: of the line
  std::string object;               // kAlter: a merge patch; kInsert: JSON
  std::optional<std::string> text;  // kAlter, kInsert: the whole line, whatever it is
  int behind = 1;                   // kReorder
  fakeapi::LineFraming framing;     // kChunks, kLineEnds
  uint64_t per_second = 0;          // kSlow
  bool corrupt = false;             // kGzip: a byte in the middle is another one
  int line = 0, column = 1;         // in the file, for messages

  bool is_at_line() const { return events || sent || lines; }
};
std::string_view Name(FaultSpec::Kind kind);
std::string_view Name(PlaceSpec::Verb verb);  // "watch"

}  // namespace relist
