// Whose lines are whose: the server's lines about a request are its client's, by the User-Agent.
//
//   Owners owners(history);
//   owners.names();         // {"client", "kubectl/v1.37"}
//   owners.Of(line);        // "client"; "" for what concerns everybody: a commit, an eviction
//
// Reads the history once, and must not outlive it. Pure.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "core/history.h"

namespace relist::report {

class Owners {
 public:
  explicit Owners(const History& history);

  // In the order of their first lines.
  const std::vector<std::string>& names() const { return names_; }
  const std::string& Of(const HistoryEntry& line) const;

 private:
  void AddName(const std::string& name);

  std::vector<std::string> names_;
  std::unordered_map<std::string, std::string> by_request_, by_connection_;
};

}  // namespace relist::report
