#include "scenarios/slower_rates.h"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>

namespace relist {
namespace {

constexpr int kTries = 2;
constexpr double kSlower = 4;

}  // namespace

RunResult RunAtSlowerRates(const Scenario& scenario, Duration late_max,
                           const std::function<RunResult(const Scenario&)>& run) {
  Scenario slower = scenario;
  std::string told;
  for (int tries = 1;; ++tries) {
    RunResult result = run(slower);
    const bool punctual = result.lateness <= late_max;
    if (result.exit_status == 0 || punctual || tries == kTries || slower.rate <= 1) {
      result.report = told + result.report;
      return result;
    }
    const double rate = std::max(1.0, slower.rate / kSlower);
    told += fmt::format(
        "the machine was too busy for a clock {:g} times as fast (what was due came up to {} s "
        "late): once more, at {:g}\n",
        slower.rate, FormatSeconds(result.lateness), rate);
    slower.rate = rate;
  }
}

}  // namespace relist
