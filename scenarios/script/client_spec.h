// The clients of a scenario, our informers, as its file describes them (README.md, "Clients").
// Plain values. Times are lengths.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/time.h"
#include "reflector/backoff.h"

namespace relist {

// One handler of an informer.
struct HandlerSpec {
  Duration delay{};  // each call takes so long
  // It throws in these of its calls, counted from its client's start (LSN-06); 0: in none.
  int fails_first = 0, fails_last = 0;
  std::optional<Duration> resync;  // nothing: its client's
  int line = 0, column = 1;        // in the file, for messages

  bool fails() const { return fails_first > 0; }
  // With the pause after a call that threw (LSN-06).
  Duration SlowestCall() const { return delay + Seconds(fails() ? 1 : 0); }
};

// One of our informers. What is not said here is as in client-go, or better by an option that
// PARITY.md names.
struct ClientSpec {
  std::string name = "client";  // its actor in the history
  std::string resource = "configmaps";
  std::string ns;  // empty: all namespaces
  std::string label_selector, field_selector;
  bool streaming_list = true;  // off: as if the feature gate WatchListClient were off
  int64_t page_size = 0;       // 0: the reflector's own rule (RFL-09)
  std::vector<HandlerSpec> handlers = std::vector<HandlerSpec>(1);
  Duration resync{};           // 0: never (RSY-01)
  bool watch_deadline = true;  // ours; off is faithful to client-go (NET-12)
  Duration watch_deadline_margin = Seconds(30);
  std::optional<Duration> list_deadline = Seconds(90);            // nothing: as client-go
  std::optional<Duration> streaming_list_patience = Seconds(30);  // nothing: as client-go (WLM-12)
  bool fresh_relists = false;                 // on: better than client-go (WCH-06 with pages)
  bool pace_reopening = false;                // on: better than client-go (WCH-05, WLM-08, WLM-09)
  Duration min_watch_timeout = Seconds(300);  // RFL-02: only more than five minutes has an effect
  Duration internal_error_retry{};            // WCH-08; 0: off
  BackoffOptions backoff;
  // client-go's feature gates of the queue, see reflector/queues/make_queue.h.
  bool in_order_informers = true, atomic_fifo = true, in_order_informers_batch_process = true;
  Duration start{};
  bool started_by_step = false;  // not at `start`, but by a step
  int line = 0, column = 1;      // in the file, for messages
};

// "handler", "handler2" ...: the name of a handler in history and expectations, by its place.
std::string HandlerName(size_t index);

}  // namespace relist
