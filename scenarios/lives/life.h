// One life of an informer: a workload under faults that a legal server may show, then calm, then
// every checker.
//
//   LifeResult life = RunLife(tape);
//   life.violations;      // empty: every property held
//   life.history_hash;    // the same tape gives the same hash, byte for byte
//
// The unit of the search: property_tests draws tapes by the ten thousand, the benchmark counts
// lives a second. Wire bytes and history are part of it. A simulation; one thread, no state between
// lives.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/choices.h"
#include "core/history.h"
#include "scenarios/checkers/violation.h"
#include "scenarios/checkers/wire_view.h"
#include "scenarios/lives/tape.h"

namespace relist {

struct LifeOptions {
  int objects = 10;
  int writes = 60;
  Duration chaos = Seconds(60);
  // The calm goes on until the client has converged, at most for its largest deadline and a minute.
  Duration calm = Seconds(120);
  bool judge = true;  // by the checkers; a benchmark of the life alone does without
};

struct LifeResult {
  History history;
  uint64_t history_hash = 0;
  std::vector<Violation> violations;  // without the excused; they point into `history`
  int relists = 0, watches = 0, callbacks = 0, faults = 0;
  WireKnobs server;  // what it was like

  LifeResult() = default;
  LifeResult(LifeResult&&) noexcept = default;  // a deque's elements stay where they are
  LifeResult& operator=(LifeResult&&) = default;
};

// What a life draws from.
struct LifeChoices {
  Choices& schedule;
  Choices& latency;
  Choices& faults;
  Choices& workload;
};

LifeResult RunLife(const LifeChoices& choices, const PlantedBugs& bugs = {},
                   const LifeOptions& options = {});
// From a tape; its planted bug must be one of PlantedBugNames().
LifeResult RunLife(const Tape& tape, const LifeOptions& options = {});

// For people: what broke, or "every property held", and the counts.
std::string ReportOf(const LifeResult& life, const std::string& again);

}  // namespace relist
