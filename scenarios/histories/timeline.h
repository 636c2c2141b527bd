// A history for people: a line for each thing that happened, in columns: when, who, what.
//
//   0.000  server    configmaps default/a is there from the start, at 7
//   0.002  client  > LIST configmaps in default: any version will do (resourceVersion=0), pages of
//   500 0.003  server  < #1 200: 1 object, as of version 7 0.004  client    the store is now what
//   the list says: it is the first one 0.004  client  + default/a at 7 (initial)
//
// Signs: > a request, < an answer, ~ an event on its way, + - * what a handler was told, ! a fault
// or an error.
#pragma once

#include <string>

#include "core/history.h"

namespace relist {

struct TimelineOptions {
  bool server_events = true;  // events as the server sends them; they double what handlers are told
  // ANSI colours: faults and errors red, what handlers are told green, the parts of a run bold.
  bool color = false;
};

std::string Timeline(const History& history, const TimelineOptions& options = {});
// One line, without the time and a newline.
std::string DescribeEntry(const HistoryEntry& entry);

}  // namespace relist
