#include "reflector/initial_events_ticker.h"

namespace relist {

std::string InitialEventsTicker::Tick(TimePoint now) {
  if (now < next_) return "";
  // A tick that comes late leaves out those that it has missed, as Go's do.
  while (next_ <= now) next_ += kInterval;
  if (!last_event_) {
    return "awaiting required bookmark event for initial events stream, no events received for " +
           FormatSeconds(now - start_) + "s";
  }
  const Duration quiet = now - *last_event_;
  if (quiet < kInterval) return "";
  return "hasn't received required bookmark event marking the end of initial events stream, "
         "received last event " +
         FormatSeconds(quiet) + "s ago";
}

}  // namespace relist
