// A watch's bytes to events: framing, envelope, head of the object (catalogue NET-08, NET-10).
//
//   WatchDecoder decoder;
//   decoder.Feed(bytes);
//   while (std::optional<WatchEvent> event = decoder.Next()) Use(*event);
//
// What is not an event comes out as an ERROR event with a Status 500 InternalError, after which
// nothing more does; so does what the transport could not make sense of. Not thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/wire/watch_event.h"
#include "reflector/decoding/json_framer.h"
#include "reflector/decoding/object_decoder.h"
#include "reflector/planted_bugs.h"

namespace relist {

class WatchDecoder {
 public:
  explicit WatchDecoder(PlantedBugs bugs = {}) : bugs_(bugs) {}

  void Feed(std::string_view bytes) { framer_.Feed(bytes); }
  // No more bytes will come. A partial event is dropped: the stream ended unexpectedly (NET-10).
  void FeedEnd() { at_end_ = true; }
  // What came behind the bytes so far is corrupt (a chunk's length, gzip's checksum): no cut.
  void FeedFailure(std::string why) { transport_failure_ = std::move(why); }
  std::optional<WatchEvent> Next();
  bool failed() const { return failed_; }

 private:
  WatchEvent Failure(const std::string& why);
  std::optional<WatchEvent> FromPartialLine();

  PlantedBugs bugs_;
  JsonFramer framer_;
  ObjectDecoder decoder_;
  std::string transport_failure_;
  bool failed_ = false;
  bool at_end_ = false;
};

}  // namespace relist
