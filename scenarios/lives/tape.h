// All the chance of one life, as bytes: what RapidCheck shrinks, what a failure prints, what
// `relist replay` reads.
//
//   Tape tape;
//   tape.faults = {3, 0, 7};
//   tape.ToText();    // "relist tape 1\nschedule -\nlatency -\nfaults 030007\nworkload -\n"
//
// Each stream is a tape of its own, so that shrinking one does not reshuffle another.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "reflector/planted_bugs.h"

namespace relist {

struct Tape {
  std::vector<uint8_t> schedule, latency, faults, workload;
  // "lose_tombstones", or empty: a bug planted in the client, for the suite that tests the tests.
  std::string planted_bug;

  std::string ToText() const;
  // The Error says which line of the file is wrong and what would be right. All four streams have
  // to be there, once.
  static Result<Tape> Parse(const std::string& text, const std::string& file);
  // True if a file's first line says that it is one.
  static bool LooksLikeOne(std::string_view text);
  bool operator==(const Tape&) const = default;
};

// The bug of that name alone; an Error that lists the names where there is none such. "" is none.
Result<PlantedBugs> PlantBug(const std::string& name);
// All names, in the order of the struct.
const std::vector<std::string>& PlantedBugNames();

}  // namespace relist
