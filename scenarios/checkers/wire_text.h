// Wires by hand, for tests: histories of history_text.h, and what all W-checkers say of them.
//
//   EXPECT_THAT(Blamed(kTwoWrites + Watch(1, "resourceVersion=6") + R"(
//     2 server event id=1 type=MODIFIED key=default/a uid=ua rv=8
//   )"), ElementsAre("W4"));
#pragma once

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "core/wire/digest.h"
#include "scenarios/checkers/history_text.h"
#include "scenarios/checkers/wire_checkers.h"

namespace relist {

inline const WireKnobs kUsualKnobs{
    .watch_window = 1000, .timeout_min = Seconds(1800), .fresh_wait = Seconds(3)};

// "W4: a stream leaves nothing out, but ...", of all checkers.
inline std::vector<std::string> WireSays(const std::string& text,
                                         const WireKnobs& knobs = kUsualKnobs) {
  const History history = HistoryOf(text);
  const HistoryView view(history);
  std::vector<std::string> said;
  for (const Violation& violation : CheckWire(WireOf(view, knobs))) {
    EXPECT_FALSE(violation.lines.empty()) << violation.sentence;
    said.push_back(violation.property + ": " + violation.sentence);
  }
  return said;
}

// The properties that are broken, each as often as it is told.
inline std::vector<std::string> Blamed(const std::string& text,
                                       const WireKnobs& knobs = kUsualKnobs) {
  std::vector<std::string> properties;
  for (const std::string& said : WireSays(text, knobs))
    properties.push_back(said.substr(0, said.find(':')));
  return properties;
}

// What is there at 6, and what happens to it: 7, 8 and 9.
inline const std::string kWrites = R"(
  0 server commit rv=5 resource=configmaps key=default/a type=ADDED uid=ua
  0 server commit rv=6 resource=configmaps key=default/b type=ADDED uid=ub
)";
inline const std::string kMoreWrites = R"(
  2 server commit rv=7 resource=configmaps key=default/a type=MODIFIED uid=ua
  3 server commit rv=8 resource=configmaps key=default/b type=DELETED uid=ub
  4 server commit rv=9 resource=configmaps key=default/c type=ADDED uid=uc
)";
// The events of those, on stream `id`.
inline std::string Event7(int id) {
  return "4.1 server event id=" + std::to_string(id) + " type=MODIFIED key=default/a uid=ua rv=7\n";
}
inline std::string Event8(int id) {
  return "4.2 server event id=" + std::to_string(id) + " type=DELETED key=default/b uid=ub rv=8\n";
}
inline std::string Event9(int id) {
  return "4.3 server event id=" + std::to_string(id) + " type=ADDED key=default/c uid=uc rv=9\n";
}
inline std::string Initial(int id, const std::string& name, int rv) {
  return "1.1 server event id=" + std::to_string(id) + " type=ADDED key=default/" + name +
         " uid=u" + name + " rv=" + std::to_string(rv) + "\n";
}
inline std::string BookmarkAt(int id, int rv, const std::string& more = "", double at = 4.4) {
  return std::to_string(at) + " server event id=" + std::to_string(id) +
         " type=BOOKMARK rv=" + std::to_string(rv) + " " + more + "\n";
}

inline std::string Asked(int id, const std::string& query, double at = 1,
                         const std::string& more = "") {
  return std::to_string(at) + " server request id=" + std::to_string(id) +
         " conn=1 method=GET target=/api/v1/namespaces/default/configmaps?" + query + " " + more +
         "\n";
}
inline std::string Watch(int id, const std::string& query, double at = 1,
                         const std::string& more = "") {
  return Asked(id, "watch=true&" + query, at, more) + std::to_string(at) +
         " server open id=" + std::to_string(id) + " status=200\n";
}
// `answer`: "status=200 rv=6 items=2".
inline std::string List(int id, const std::string& query, const std::string& answer, double at = 1,
                        const std::string& more = "") {
  return Asked(id, query, at, more) + std::to_string(at) +
         " server answer id=" + std::to_string(id) + " " + answer + "\n";
}

}  // namespace relist
