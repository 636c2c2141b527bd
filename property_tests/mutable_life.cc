#include "property_tests/mutable_life.h"

#include <algorithm>

#include "core/choices.h"
#include "scenarios/checkers/wire_checkers.h"

namespace relist {
namespace {

LifeResult LifeOf(uint64_t seed) {
  SeededChoices schedule(seed * 4), latency(seed * 4 + 1);
  SeededChoices faults(seed * 4 + 2), workload(seed * 4 + 3);
  return RunLife({schedule, latency, faults, workload}, {}, {.judge = false});
}

}  // namespace

MutableLife::MutableLife(uint64_t seed)
    : seed_(seed), life_(LifeOf(seed)), view_(life_.history), wire_(WireOf(view_, life_.server)) {
  size_t index = 0;
  for (const HistoryEntry& entry : life_.history.entries()) index_[&entry] = index++;
}

std::set<std::string> MutableLife::Blamed(const Changes& changes) const {
  History changed(life_.history.start());
  size_t index = 0;
  for (const HistoryEntry& entry : life_.history.entries()) {
    const auto found = changes.find(index++);
    if (found == changes.end()) {
      changed.AddCopy(entry.when(), entry);
      continue;
    }
    for (const HistoryEntry& instead : found->second) changed.AddCopy(entry.when(), instead);
  }
  std::set<std::string> blamed;
  const HistoryView view(changed);
  for (const Violation& violation : CheckWire(WireOf(view, life_.server)))
    blamed.insert(violation.property);
  return blamed;
}

void MutableLife::Count(const Changes& changes, const std::set<std::string>& wanted,
                        const std::string& where, Tally* tally) const {
  const std::set<std::string> blamed = Blamed(changes);
  ++tally->tried;
  for (const std::string& property : blamed) ++tally->told[property];
  const bool found = std::any_of(wanted.begin(), wanted.end(), [&](const std::string& property) {
    return blamed.contains(property);
  });
  if (found || tally->missed++ > 0) return;
  tally->first_miss = "life " + std::to_string(seed_) + ", request " + where + ", told:";
  for (const std::string& property : blamed) tally->first_miss += " " + property;
}

std::string TextOf(const std::string& name, const Tally& tally) {
  std::string text = name + ": " + std::to_string(tally.tried) + " times, told as";
  for (const auto& [property, times] : tally.told)
    text += " " + property + " " + std::to_string(times);
  return text;
}

std::string Shifted(uint64_t rv, int more) {
  return std::to_string(static_cast<int64_t>(rv) + more);
}

HistoryEntry Altered(const HistoryEntry& entry, const Fields& to) {
  HistoryEntry out(entry.when(), entry.actor(), entry.what());
  for (const auto& [name, value] : entry.fields()) {
    const auto found = to.find(name);
    if (found == to.end())
      out.Set(name, value);
    else if (!found->second.empty())
      out.Set(name, found->second);
  }
  for (const auto& [name, value] : to) {
    if (entry.Get(name).empty() && !value.empty()) out.Set(name, value);
  }
  out.SetObject(entry.object());
  return out;
}

}  // namespace relist
