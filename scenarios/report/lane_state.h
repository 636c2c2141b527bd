// What a history does not say in so many words, from what it says: how many objects wait between a
// reflector and its handlers, what the store holds, what the reflector is doing.
//
//   LaneState state(history, "client");
//   state.Take(line);               // each line of the client, in order
//   state.waiting();                // 2
//
// Waiting is what was taken in and not yet told: a callback belongs to the position of its version,
// or to the list before it where that is as new; of several handlers the slowest counts. The store
// is what the first handler was told, since client-go's informer changes both in one step. Who is
// stopped holds nothing, and nothing waits for it. Pure.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "core/history.h"

namespace relist::report {

enum class Phase { kNone, kLists, kStreams, kWatches, kWaits, kStops };
// "lists", "streams its list", "watches", "waits", "stops"; "" of none.
const char* Name(Phase phase);

class LaneState {
 public:
  LaneState(const History& history, const std::string& client);

  void Take(const HistoryEntry& line);

  size_t waiting() const;
  const std::map<std::string, std::string>& store() const { return store_; }  // rv by key
  Phase phase() const { return phase_; }

 private:
  void TakeCallback(const HistoryEntry& line);

  using ByHandler = std::map<std::string, size_t>;
  std::unordered_map<const HistoryEntry*, ByHandler> caused_;  // callbacks, by what caused them
  std::unordered_set<const HistoryEntry*> awaited_;            // those callbacks
  ByHandler waiting_;
  std::map<std::string, std::string> store_;
  std::string first_handler_;
  Phase phase_ = Phase::kNone;
};

}  // namespace relist::report
