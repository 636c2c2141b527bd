// C20: who waited for a write has it.
#include <fmt/core.h>

#include "core/wire/resource_version.h"
#include "scenarios/checkers/checkers.h"
#include "scenarios/checkers/dumped_store.h"

namespace relist {
namespace {

constexpr char kOwnWrites[] =
    "who has waited for a version has all that was written up to it, but ";

}  // namespace

std::vector<Violation> CheckOwnWrites(const HistoryView& view, const CheckOptions&) {
  std::vector<Violation> out;
  const auto add = [&out](const std::string& sentence, std::vector<const HistoryEntry*> lines) {
    out.push_back({Violation::Kind::kSafety, "C20", kOwnWrites + sentence, std::move(lines), ""});
  };
  for (const ClientView& client : view.clients()) {
    const HistoryEntry *waited = nullptr, *position = nullptr;
    uint64_t version = 0;  // the newest that was waited for
    for (const HistoryEntry* line : client.lines) {
      if (line->what() == "position") position = line;
      if (line->what() == "dump" && waited) {
        for (StaleItem& stale : StaleItemsOf(view, client, line, version)) {
          stale.lines.insert(stale.lines.begin(), waited);
          add(fmt::format("{} {} after it waited for {}", client.name, stale.sentence, version),
              std::move(stale.lines));
        }
      }
      if (line->what() != "waited") continue;
      const uint64_t rv = ParseResourceVersion(line->Get("rv")).value_or(0);
      if (rv >= version) {
        version = rv;
        waited = line;
      }
      // Of a log nobody knows where it was when it said so.
      if (client.joined || !position) continue;
      if (ParseResourceVersion(position->Get("rv")).value_or(0) >= rv) continue;
      add(fmt::format("{} was at {} when its wait for {} was over", client.name,
                      position->Get("rv"), rv),
          {position, line});
    }
  }
  return out;
}

}  // namespace relist
