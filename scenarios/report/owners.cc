#include "scenarios/report/owners.h"

#include <algorithm>
#include <tuple>

namespace relist::report {
namespace {

const std::string kEverybody;
constexpr char kNameless[] = "(no User-Agent)";

}  // namespace

Owners::Owners(const History& history) {
  for (const HistoryEntry& line : history.entries()) {
    if (line.actor() == "run") continue;
    if (line.actor() != "server") {
      AddName(line.actor());
    } else if (line.what() == "request") {
      const std::string& agent = line.Get("agent");
      const std::string name = agent.empty() ? kNameless : agent;
      AddName(name);
      by_request_[line.Get("id")] = name;
      // It may be anybody's later, but was accepted for the first.
      by_connection_.emplace(line.Get("conn"), name);
    }
  }
}

void Owners::AddName(const std::string& name) {
  if (std::find(names_.begin(), names_.end(), name) == names_.end()) names_.push_back(name);
}

const std::string& Owners::Of(const HistoryEntry& line) const {
  if (line.actor() == "run") return line.Get("client");
  if (line.actor() != "server") return line.actor();
  const auto& [owners, number] = line.Get("id").empty() ? std::tie(by_connection_, line.Get("conn"))
                                                        : std::tie(by_request_, line.Get("id"));
  const auto found = owners.find(number);
  return found == owners.end() ? kEverybody : found->second;
}

}  // namespace relist::report
