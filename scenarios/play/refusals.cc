#include "scenarios/play/refusals.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <utility>

#include "core/wire/status.h"

namespace relist {
namespace {

// When a request was made, and when it was known to be refused.
struct RefusedRequest {
  TimePoint asked, told;
};

std::vector<RefusedRequest> RefusedRequestsIn(const History& history) {
  std::map<std::pair<std::string, std::string>, TimePoint> asked;  // by client and number
  std::vector<RefusedRequest> refused;
  for (const HistoryEntry& entry : history.entries()) {
    const bool is_request = entry.what() == "request";
    if (!is_request && entry.what() != "answer") continue;
    const std::pair<std::string, std::string> which(entry.actor(), entry.Get("n"));
    if (is_request) {
      asked[which] = entry.when();
    } else if (entry.Get("error") == Name(Transport::kRefused)) {
      refused.push_back({asked[which], entry.when()});
    }
  }
  return refused;
}

}  // namespace

std::vector<std::string> RefusedNobody(const Scenario& scenario,
                                       const std::vector<Refusal>& refusals,
                                       const History& history) {
  std::vector<std::string> out;
  const std::vector<RefusedRequest> requests = RefusedRequestsIn(history);
  const auto met = [&requests](const Refusal& refusal) {
    return std::any_of(requests.begin(), requests.end(), [&refusal](const RefusedRequest& one) {
      return one.asked <= refusal.end && one.told >= refusal.begin;
    });
  };
  for (const StepSpec& step : scenario.steps) {
    const auto of_step = [&step](const Refusal& refusal) { return refusal.step == &step; };
    if (std::none_of(refusals.begin(), refusals.end(), of_step)) continue;
    const bool somebody =
        std::any_of(refusals.begin(), refusals.end(),
                    [&](const Refusal& refusal) { return of_step(refusal) && met(refusal); });
    if (somebody) continue;
    out.push_back(fmt::format(
        "{}:{}:{}: this step (refuse) refused nobody: no client opened a connection while it "
        "lasted (an open one goes on: cut it, restart the server, or make \"for\" longer)",
        scenario.file, step.line, step.column));
  }
  return out;
}

}  // namespace relist
