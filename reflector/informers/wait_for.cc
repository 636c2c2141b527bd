#include "reflector/informers/wait_for.h"

#include <fmt/core.h>

#include <algorithm>

#include "reflector/parity_switch.h"

namespace relist {
namespace {

std::string JoinedNames(std::vector<std::string> names) {
  std::sort(names.begin(), names.end());
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

// One of several waits that go on side by side, so that each is told as it ends.
struct Waits {
  int left = 0;
  Event ended;
  std::vector<std::string> undone;
};

Task<void> WaitForOne(Loop& loop, DoneChecker checker, const WaitLimits& limits, Waits& waits) {
  Signal never;
  Signal& stop = limits.stop ? *limits.stop : never;
  Timer deadline(loop, limits.deadline);
  if (!IsDone(checker)) {
    Select which(loop, *checker.done, stop, deadline);
    co_await which;
  }
  if (!IsDone(checker)) {
    waits.undone.push_back(checker.name);
  } else if (!limits.what.empty()) {
    Say(limits.log, LogLevel::kInfo,
        fmt::format("done waiting for {}: {}", limits.what, checker.name));
  }
  --waits.left;
  waits.ended.Raise();
}

}  // namespace

std::string CauseOf(const Loop& loop, const WaitLimits& limits) {
  if (limits.stop && limits.stop->Ready()) return limits.stop_cause;
  return loop.Now() >= limits.deadline ? "context deadline exceeded" : "";
}

Task<bool> WaitFor(Loop& loop, std::vector<DoneChecker> checkers, WaitLimits limits) {
  if (!limits.what.empty()) {
    Say(limits.log, LogLevel::kInfo, fmt::format("waiting for {}", limits.what));
  }
  Waits waits;
  waits.left = static_cast<int>(checkers.size());
  TaskScope scope(loop);
  for (const DoneChecker& checker : checkers) {
    scope.Spawn(WaitForOne(loop, checker, limits, waits));
  }
  while (waits.left > 0) {
    Select which(loop, waits.ended);
    co_await which;
    waits.ended.Take();
  }
  if (waits.undone.empty()) co_return true;
  if (!limits.what.empty()) {
    Say(limits.log, LogLevel::kWarning,
        fmt::format("gave up waiting for {}: {}: {}", limits.what, JoinedNames(waits.undone),
                    CauseOf(loop, limits)));
  }
  co_return false;
}

Result<void> SyncResult::AsError() const {
  if (!cause || !Behaves("INF-15")) return {};
  std::vector<std::string> unsynced;
  for (const auto& [name, has_synced] : synced) {
    if (!has_synced) unsynced.push_back(name);
  }
  return Error::Net(Transport::kStopped, fmt::format("failed to sync all caches: {}: {}",
                                                     JoinedNames(unsynced), *cause));
}

}  // namespace relist
