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

namespace relist {

// Which requests are meant. Fields left empty match everything; `nth` counts the requests that
// match all else.
struct PlaceSpec {
  enum class Verb { kAny, kList, kWatch, kStreamingList } verb = Verb::kAny;
  int first = 1, last = 1;  // nth: 2 is 2-2, "2-4" is a range, "every" has no end
  std::string client;       // by its User-Agent
  std::string resource;     // "configmaps", "deployments.apps"
  bool continued = false;   // a list's later pages only
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
    kDuplicate,  // a line twice: no legal server does this
  } kind = Kind::kStatus;
  PlaceSpec place;
  bool on_connection =
      false;  // strikes when a connection is accepted; place.first/last count connections
  std::optional<int> events;  // strikes before line events + 1 of the watch
  uint64_t bytes = 0;  // strikes after so many bytes of the answer (of the line, with `events`)
  uint64_t every = 0;  // kSplit: then pieces of this size
  Duration length{};   // kDelay, kHold
  int code = 0;        // kStatus, kError
  std::string reason, message;
  bool plain = false;  // kStatus: the message as text/plain, no Status object
  std::vector<std::pair<std::string, std::string>> headers;
  int line = 0, column = 1;
};
std::string_view Name(FaultSpec::Kind kind);

}  // namespace relist
