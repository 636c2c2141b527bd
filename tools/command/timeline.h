// A history for people: a line each, times in seconds, the clients' lines apart from the server's.
//
//      0.001  client   request    LIST /api/v1/configmaps?limit=500
//      0.002  server   answer     200, 3 items at 12
#pragma once

#include <string>

#include "core/history.h"

namespace relist::command {

std::string Timeline(const History& history);
std::string TimelineLine(const History& history, const HistoryEntry& entry);

}  // namespace relist::command
