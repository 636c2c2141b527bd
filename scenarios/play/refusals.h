// Steps that refused connections while nobody came. Only who is refused knows of it: it stands in
// the history of our clients, in both worlds.
//
//   RefusedNobody(scenario, stage.faults().refusals(), history);
//   // "s.yaml:12:5: this step (refuse) refused nobody: ..."
#pragma once

#include <string>
#include <vector>

#include "core/history.h"
#include "scenarios/play/fault_script.h"

namespace relist {

// A line for each step whose refusals, however many, met no request of any client.
std::vector<std::string> RefusedNobody(const Scenario& scenario,
                                       const std::vector<Refusal>& refusals,
                                       const History& history);

}  // namespace relist
