// What a program under test printed, in the lines of the client protocol (README.md, "In your CI"),
// read into the words of a history.
//
//   const Result<ClientLog> log = ClientLog::Parse(text, "client.log");
//   log->lines[0].what();   // "callback"
//
// Keys that it does not know are left out, as are empty lines; lines of types that it does not know
// are counted. An Error is one line: "FILE:LINE: what is wrong, and what would be right". Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/history.h"
#include "core/result.h"

namespace relist {

struct ClientLog {
  std::string file;
  // "callback", "synced", "error", "dump", "store", "waited", "stop", "stopped"; their actor is
  // empty, and their times are what the program said of its own clock, since kSimulationEpoch; of a
  // line that says nothing, that of the line before.
  std::vector<HistoryEntry> lines;
  std::map<std::string, size_t> unread;  // lines of other types: how many of each

  static Result<ClientLog> Parse(const std::string& text, const std::string& file);
};

}  // namespace relist
