// The lanes of one client as a table of a page.
//
//   AppendLaneTable(&html, history, lanes, findings, "s1t1");   // "s1t1-l7": where a line is lit
//
// Nothing in it is wider than its place: on a narrow screen its rows are cards. Pure.
#pragma once

#include <string>

#include "core/history.h"
#include "scenarios/report/findings.h"
#include "scenarios/report/lanes.h"

namespace relist::report {

// What the page calls a lane; what it calls it in a list of what the lanes mean.
const char* TitleOf(Lane lane);

// `section` is the number of the scenario in the page, `table` that of the client in the section:
// anchors are made of them.
struct TablePlace {
  size_t section = 1, table = 1;
};
void AppendLaneTable(std::string* html, const History& history, const SwimLanes& lanes,
                     const Findings& findings, const TablePlace& place);

// Where a line of a finding is lit in a table, as an anchor without "#".
std::string AnchorOf(const TablePlace& place, const Mark& mark);
std::string AnchorOfFinding(size_t section, size_t finding);

}  // namespace relist::report
