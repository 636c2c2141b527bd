// When a client gives a stream up, and when it has to: for the checkers of what hangs (C12, C16).
#pragma once

#include "scenarios/checkers/checkers.h"

namespace relist {

// The first thing that shows that the client waits no more for its request number `index`: it
// closed the connection, told that it failed, asked for something else, was told to stop; or the
// end of the stream, where that surely came to it. Where nothing shows it, the end of the history.
TimePoint GivenUp(const HistoryView& view, const ClientView& client, size_t index);

// When it has to: its timeoutSeconds (without one, the longest that a server keeps a watch), and
// options.stall_margin, after the last bytes that can have come.
TimePoint GivenUpAtTheLatest(const HistoryView& view, const ClientView& client,
                             const ClientRequest& request, const CheckOptions& options);

// When it was told to stop; kNever.
TimePoint StoppedAt(const ClientView& client);

}  // namespace relist
