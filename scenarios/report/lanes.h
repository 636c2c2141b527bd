// A history in lanes, as a page shows it: time runs downwards, and each client has a table of its
// own, from the truth on the left to its handlers on the right.
//
//   for (const SwimLanes& lanes : LanesOf(history))
//     for (const LaneRow& row : lanes.rows) ...
//
// A row is what belongs together: it ends when its client asks for something, when something is
// written after it was heard of, or when 5 ms went by. Queue and store are derived
// (lane_state.h); the other lanes say what the timeline says, in its words. Points into the
// history, which must outlive it and stay as it is. Pure.
#pragma once

#include <string>
#include <vector>

#include "core/history.h"
#include "scenarios/report/lane_state.h"

namespace relist::report {

enum class Lane { kTruth, kReplica, kWire, kReflector, kQueue, kStore, kHandlers };
inline constexpr size_t kLaneCount = 7;

struct LaneEntry {
  enum class Tone {
    kPlain,
    kAdded,
    kChanged,
    kDeleted,
    kRequest,
    kAnswer,
    kEvent,
    kBookmark,
    kFault,  // by the script
    kError,  // as the client sees it
    kStep,   // what was done to the server
    kPhase,  // the reflector does something else now
  };
  Lane lane = Lane::kTruth;
  Tone tone = Tone::kPlain;
  std::string text;
  std::vector<const HistoryEntry*> lines;  // what it tells; none: it is derived
};

struct LaneRow {
  TimePoint when;
  std::vector<LaneEntry> entries;  // in the order in which they happened
  Phase phase = Phase::kNone;      // the reflector's, after it
  bool across = false;             // one entry for all lanes: what the run comes to
};

struct SwimLanes {
  std::string client;
  std::vector<LaneRow> rows;
};

// One for each client, in the order of their first lines; clients that are not ours (they have no
// lines of their own) are known by their User-Agent. One with no name where nobody asked for
// anything.
std::vector<SwimLanes> LanesOf(const History& history);

}  // namespace relist::report
