// Histories by hand, for tests: a line each, "TIME ACTOR WHAT KEY=VALUE ...", values without blanks
// (a "_" stands for one).
//
//   History history = HistoryOf(R"(
//     0 server commit rv=5 resource=configmaps key=default/a type=ADDED uid=u1
//     1 client request n=1 verb=LIST target=/api/v1/configmaps?resourceVersion=0
//   )");
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "core/history.h"
#include "scenarios/checkers/checkers.h"

namespace relist {

inline History HistoryOf(const std::string& text) {
  History history;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    double seconds = 0;
    std::string actor, what, field;
    if (!(words >> seconds >> actor >> what)) continue;
    HistoryEntry& entry =
        history.Add(history.start() + Millis(static_cast<int64_t>(seconds * 1000)), actor, what);
    while (words >> field) {
      const size_t equals = field.find('=');
      std::string value = field.substr(equals + 1);
      std::replace(value.begin(), value.end(), '_', ' ');
      if (field.starts_with("object=")) {
        auto object = Object::Parse(value);
        if (object.ok())
          entry.SetObject(*object);
        else
          ADD_FAILURE() << "not an object: " << value;
      } else {
        entry.Set(field.substr(0, equals), value);
      }
    }
  }
  return history;
}

using CheckerFunction = std::vector<Violation> (*)(const HistoryView&, const CheckOptions&);

// The sentences of what a checker found, with excuses in front.
inline std::vector<std::string> Found(CheckerFunction check, const std::string& text) {
  const History history = HistoryOf(text);
  const HistoryView view(history);
  std::vector<std::string> sentences;
  for (const Violation& violation : check(view, {})) {
    EXPECT_NE(violation.property, "");
    sentences.push_back((violation.excuse.empty() ? "" : violation.excuse + ": ") +
                        violation.sentence);
  }
  return sentences;
}

// A client that lists at 6 what was written at 5 and 6, and then watches; good by every checker.
inline const std::string kGoodStart = R"(
  0 server commit rv=5 resource=configmaps key=default/a type=ADDED uid=ua
  0 server commit rv=6 resource=configmaps key=default/b type=ADDED uid=ub
  1 client request n=1 verb=LIST target=/api/v1/namespaces/default/configmaps?limit=500&resourceVersion=0
  1 server request id=1 conn=1 method=GET target=/api/v1/namespaces/default/configmaps?limit=500&resourceVersion=0
  1 server answer id=1 status=200 rv=6 items=2
  1 client answer n=1 status=200 rv=6 items=2
  1 client relist why=list:_start
  1 client position rv=6
  1 client callback handler=h type=added key=default/a uid=ua rv=5 initial=true
  1 client callback handler=h type=added key=default/b uid=ub rv=6 initial=true
  1 client synced
  1 client synced handler=h
  1 client request n=2 verb=WATCH target=/api/v1/namespaces/default/configmaps?allowWatchBookmarks=true&resourceVersion=6&watch=true
  1 server request id=2 conn=1 method=GET target=/api/v1/namespaces/default/configmaps?allowWatchBookmarks=true&resourceVersion=6&watch=true
  1 server open id=2 status=200
  1 client answer n=2 status=200
)";

// The next watch of that client, from `rv`, number `n`.
inline std::string WatchFrom(int n, int rv, double at = 20) {
  const std::string target =
      "/api/v1/namespaces/default/configmaps?allowWatchBookmarks=true&resourceVersion=" +
      std::to_string(rv) + "&watch=true";
  const std::string t = std::to_string(at), number = std::to_string(n);
  return t + " client request n=" + number + " verb=WATCH target=" + target + "\n" + t +
         " server request id=" + number + " conn=2 method=GET target=" + target + "\n" + t +
         " server open id=" + number + " status=200\n" + t + " client answer n=" + number +
         " status=200\n";
}

}  // namespace relist
