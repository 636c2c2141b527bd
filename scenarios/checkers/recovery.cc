#include "scenarios/checkers/recovery.h"

#include <fmt/core.h>

namespace relist {

const HistoryEntry* LastStoreOf(const ClientView& client) {
  const HistoryEntry* store = nullptr;
  for (const HistoryEntry* line : client.lines) {
    if (line->what() == "dump") store = line;
  }
  return store;
}

std::string WhyNothingIsDue(const HistoryView& view, const HistoryEntry& store,
                            const CheckOptions& options) {
  if (view.lag_possible() || view.unready_possible())
    return "caches lagged, or were not ready: nobody knows what a store had to hold";
  const HistoryEntry* fault = view.last_fault();
  if (!fault) return "";
  const Duration since = store.when() - fault->when();
  if (since >= view.InRealTime(options.recovery)) return "";
  const double rate = static_cast<double>(view.InRealTime(Seconds(1)).count()) /
                      static_cast<double>(Duration(Seconds(1)).count());
  const Duration own(static_cast<Duration::rep>(static_cast<double>(since.count()) / rate));
  return fmt::format(
      "the last one was printed {} s after the last fault, and a client may need {} s to recover "
      "(--recovery)",
      FormatSeconds(own), FormatSeconds(options.recovery));
}

}  // namespace relist
