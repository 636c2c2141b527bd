// A server's history and the logs of programs that it served, as one history, so that all checkers
// can judge it.
//
//   std::vector<NamedLog> logs = {{"my-controller/1.0", log}};
//   const Result<History> joined = JoinHistory(&server, logs);
//   CheckAll(*joined);
//
// A program prints what it was told, not what it asked for: its requests and lists are taken from
// the server's lines, where they are known by the User-Agent. The two clocks have nothing to do
// with each other. How far they are apart is bounded from below (nothing is told before it was
// written), and so a program's lines stand where they stood or earlier, by no more than the
// quickest delivery took. Only what that cannot turn around may be concluded from it
// (history_view.h, "joined"): the order of the callbacks, the order of the requests, and that
// something came too late. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/history.h"
#include "core/result.h"
#include "scenarios/histories/client_log.h"

namespace relist {

struct NamedLog {
  std::optional<std::string> agent;  // its User-Agent; none: the only one that listed or watched
  ClientLog log;
};

// `server` may be null: then the logs alone. An Error where it is not clear whose requests a log's
// program made, or for what; it is one line, without the name of the history's file.
Result<History> JoinHistory(const History* server, const std::vector<NamedLog>& logs);

}  // namespace relist
