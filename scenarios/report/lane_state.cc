#include "scenarios/report/lane_state.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <tuple>

#include "core/wire/resource_version.h"
#include "scenarios/checkers/history_view.h"

namespace relist::report {

const char* Name(Phase phase) {
  switch (phase) {
    case Phase::kNone:
      break;
    case Phase::kLists:
      return "lists";
    case Phase::kStreams:
      return "streams its list";
    case Phase::kWatches:
      return "watches";
    case Phase::kWaits:
      return "waits";
    case Phase::kStops:
      return "stops";
  }
  return "";
}

LaneState::LaneState(const History& history, const std::string& client) {
  const HistoryEntry* list = nullptr;
  uint64_t list_rv = 0;                                            // its position
  std::unordered_map<std::string, const HistoryEntry*> positions;  // since the list, by version
  std::set<std::tuple<std::string, std::string, std::string>>
      told;  // likewise: handler, key, version
  for (const HistoryEntry& line : history.entries()) {
    if (line.actor() != client) continue;
    const std::string& rv = line.Get("rv");
    if (line.what() == "started") {  // another life, which knows nothing
      list = nullptr;
      positions.clear();
      told.clear();
    } else if (line.what() == "relist") {
      list = &line;
      list_rv = UINT64_MAX;  // until it is told, right behind
      positions.clear();
      told.clear();
    } else if (line.what() == "position") {
      if (list_rv == UINT64_MAX)
        list_rv = ParseResourceVersion(rv).value_or(0);
      else
        positions.emplace(rv, &line);
    } else if (line.what() == "callback") {
      const auto position = positions.find(rv);
      const bool listed = list && ParseResourceVersion(rv).value_or(0) <= list_rv;
      const HistoryEntry* cause = position != positions.end() ? position->second
                                  : listed                    ? list
                                                              : nullptr;
      const std::string& handler = line.Get("handler");
      // What is told a second time did not wait: a resync does so.
      if (!cause || !told.insert({handler, line.Get("key"), rv}).second) continue;
      ++caused_[cause][handler];
      awaited_.insert(&line);
    }
  }
}

void LaneState::Take(const HistoryEntry& line) {
  if (const auto caused = caused_.find(&line); caused != caused_.end()) {
    for (const auto& [handler, count] : caused->second) waiting_[handler] += count;
  }
  const std::string& what = line.what();
  if (what == "request") {
    const bool streams = QueryValue(line.Get("target"), "sendInitialEvents") == "true";
    phase_ = streams                       ? Phase::kStreams
             : line.Get("verb") == "WATCH" ? Phase::kWatches
                                           : Phase::kLists;
  } else if (what == "relist" && phase_ == Phase::kStreams) {
    phase_ = Phase::kWatches;
  } else if (what == "backoff") {
    phase_ = Phase::kWaits;
  } else if (what == "stop" || what == "stopped" || what == "started") {
    phase_ = what == "stop" ? Phase::kStops : Phase::kNone;
    if (what == "stop") return;
    waiting_.clear();
    store_.clear();
  } else if (what == "callback") {
    TakeCallback(line);
  }
}

void LaneState::TakeCallback(const HistoryEntry& line) {
  const std::string& handler = line.Get("handler");
  if (size_t& waiting = waiting_[handler]; waiting > 0 && awaited_.contains(&line)) --waiting;
  if (first_handler_.empty()) first_handler_ = handler;
  if (handler != first_handler_) return;
  if (line.Get("type") == "deleted")
    store_.erase(line.Get("key"));
  else
    store_[line.Get("key")] = line.Get("rv");
}

size_t LaneState::waiting() const {
  size_t most = 0;
  for (const auto& [handler, count] : waiting_) most = std::max(most, count);
  return most;
}

}  // namespace relist::report
