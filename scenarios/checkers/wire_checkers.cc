#include "scenarios/checkers/wire_checkers.h"

#include <iterator>
#include <string_view>

#include "core/check.h"

namespace relist {

const std::vector<WireChecker>& WireCheckers() {
  static const std::vector<WireChecker> kCheckers = {
      {"W1", CheckFilter},         {"W2", CheckOrder},          {"W3", CheckUnique},
      {"W4", CheckReliable},       {"W5", CheckExclusiveStart}, {"W6", CheckResumable},
      {"W7", CheckBookmarkLines},  {"W8", CheckSyntheticStart}, {"W9", CheckStreamingList},
      {"W10", CheckExpired},       {"W11", CheckFraming},       {"W12", CheckPages},
      {"W13", CheckBrokenPages},   {"W14", CheckLists},         {"W15", CheckReplicas},
      {"W16", CheckVersionFormat}, {"W17", CheckBusy},          {"W18", CheckSlowReader},
      {"W19", CheckInstantClose},  {"W20", CheckTooLarge}};
  return kCheckers;
}

std::vector<Violation> CheckWire(const WireView& wire) {
  std::vector<Violation> all;
  for (const WireChecker& checker : WireCheckers()) {
    std::vector<Violation> found = checker.check(wire);
    for (const Violation& violation : found)
      CHECK(violation.property == checker.property, "the checker of {} says {}", checker.property,
            violation.property);
    all.insert(all.end(), std::make_move_iterator(found.begin()),
               std::make_move_iterator(found.end()));
  }
  return all;
}

}  // namespace relist
