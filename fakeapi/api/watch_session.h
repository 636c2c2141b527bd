// One open watch as a pull machine: the front asks for the next line when the wire has room.
//
//   WatchLine line;
//   while (session.Next(now, &line) == WatchSession::Step::kLine) Queue(line);
//   timer.Arm(session.NextDeadline());
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "core/time.h"
#include "core/wire/watch_event.h"
#include "fakeapi/api/http_types.h"

namespace relist::fakeapi {

// A line of a watch, ready for the wire: framed once as a chunk, shared by all who read it.
struct WatchLine {
  EventType type = EventType::kAdded;
  uint64_t revision = 0;  // of the event or bookmark; 0 for ERROR
  std::string key;        // "ns/name"; empty for BOOKMARK and ERROR
  std::string uid;
  bool initial_events_end = false;
  int error_code = 0;  // of an ERROR
  Slices chunk;        // size line, {"type":...,"object":...}\n, CRLF: the whole HTTP chunk
};

class WatchSession {
 public:
  enum class Step {
    kLine,  // *line is the next one
    kIdle,  // nothing now: ask again when told to, or at NextDeadline()
    kEnd,   // the stream is over: a last chunk, and nothing else, ever
  };

  virtual ~WatchSession() = default;
  virtual Step Next(TimePoint now, WatchLine* line) = 0;
  // The earliest time at which Next may have something to say although nothing was written; kNever
  // without.
  virtual TimePoint NextDeadline() const = 0;
  // `wake` is called, from within a write, when Next may have something new. One slot; empty to
  // take it away.
  virtual void OnReady(std::function<void()> wake) = 0;
  // Content-Type of the answer.
  virtual const std::string& content_type() const = 0;
  // A streaming list with bookmarks: compressed for whoever allows that (SRV-36).
  virtual bool may_be_gzipped() const { return false; }
};

}  // namespace relist::fakeapi
