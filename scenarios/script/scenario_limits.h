// How much a scenario may ask for, so that every run comes to its end: in seconds in the
// simulation, in minutes over HTTP. README.md says why each is what it is.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/time.h"

namespace relist {

// Every time in a file but for those below: a virtual day.
inline constexpr Duration kTimeMax = Seconds(24 * 3600);
// A client's own deadlines: the calm waits for twice as much.
inline constexpr Duration kDeadlineMax = Seconds(3600);
inline constexpr Duration kPeriodMin = Seconds(1);  // of what server and clients do by themselves
inline constexpr Duration kCallMax = Seconds(60);   // of a handler
inline constexpr Duration kAskFor = Seconds(10);    // how long an "ask" waits, unless it says
// For all that a slow handler is told at least: the calm waits for twice as much.
inline constexpr Duration kSlowMax = Seconds(1800);
inline constexpr int64_t kBookmarksMax = 50000;  // by the server's period, to all clients
inline constexpr int64_t kToldMax = 50000;       // objects and steps, times all handlers
// Of chaos and calm over HTTP, in the time of the user's clock.
inline constexpr Duration kRealTimeMax = Seconds(300);

inline constexpr size_t kClientsMax = 20;
inline constexpr size_t kObjectsMax = 1000;
inline constexpr int kObjectBytesMax = 200000;    // of one object's body
inline constexpr size_t kManyBytesMax = 4 << 20;  // of the bodies of all objects
inline constexpr size_t kStepsMax = 1000;
inline constexpr size_t kFaultsMax = 200;
inline constexpr int kHandlersMax = 20;
inline constexpr int kReplicasMax = 10;
inline constexpr size_t kBalanceMax = 100;
inline constexpr int kWindowMax = 100000;   // events
inline constexpr int kPageMax = 100000;     // objects
inline constexpr int kNthMax = 100000;      // requests, and how often a line is expected
inline constexpr int kEventsMax = 100000;   // lines of a watch
inline constexpr int kBehindMax = 1000;     // lines that others wait for
inline constexpr int kBytesMax = 16 << 20;  // of an answer
inline constexpr int kWithinMax = 10000;    // requests
inline constexpr size_t kNameBytesMax = 200;

// Lines of history: a run that comes to more is stopped.
inline constexpr size_t kHistoryMax = 200000;

}  // namespace relist
