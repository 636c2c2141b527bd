// Where a reflector gets its state from: a list, and a stream of what happened since.
//
// RestListerWatcher speaks HTTP; tests write their own. All of it belongs to the loop's thread.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/runtime/source.h"
#include "core/runtime/task.h"
#include "core/time.h"
#include "core/wire/list_options.h"
#include "core/wire/watch_event.h"

namespace relist {

// One page of a list, or a whole one.
struct ListPage {
  std::string kind;  // "ConfigMapList"
  std::string api_version;
  std::string resource_version;
  std::string continue_token;  // empty: nothing follows
  std::optional<int64_t> remaining_item_count;
  std::vector<ObjectRef> items;  // in the server's order
  size_t null_items = 0;         // of the server's, which are not among them
};

// An open watch. Drain it, then wait:
//
//   while (auto event = stream->TryNext()) Use(*event);
//   if (stream->ended()) ...
//   else wait for stream->source() or stream->deadline()
//
// Bytes that are not an event come out as an ERROR event with a Status of code 500, after which the
// stream ends (NET-08). How it ended is not told: a clean end, a cut and a time-out look alike
// (NET-09).
class WatchStream {
 public:
  virtual ~WatchStream() = default;
  // The next event that is there now.
  virtual std::optional<WatchEvent> TryNext() = 0;
  // True when all events were taken and no more will come.
  virtual bool ended() const = 0;
  // Ready when TryNext or ended may have something new. Lives as long as the stream.
  virtual Source& source() = 0;
  // When the client gives the stream up by itself; to be looked at (TryNext) then.
  virtual TimePoint deadline() const { return kNever; }
  // Closes it; nothing comes after. The destructor does the same.
  virtual void Stop() = 0;
};

class ListerWatcher {
 public:
  virtual ~ListerWatcher() = default;
  // `stop` ends the request at once, with Transport::kStopped.
  virtual Task<Result<ListPage>> List(ListOptions options, Signal& stop) = 0;
  virtual Task<Result<std::unique_ptr<WatchStream>>> Watch(ListOptions options, Signal& stop) = 0;
  // False: the reflector does not try streaming lists (WLM-01).
  virtual bool SupportsStreamingList() const { return true; }
};

}  // namespace relist
