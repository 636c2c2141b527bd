// C2: what a handler is shown was committed, with that uid and that body.
#include <fmt/core.h>

#include "scenarios/checkers/checkers.h"

namespace relist {
namespace {

// The state that a deletion of `key` at `rv` shows: the last one before, carrying the deletion's
// version. Its body differs from what was committed only where an object left a selector.
bool IsDeletion(const TruthCommit* commit, const ClientCallback& callback) {
  return commit && commit->key == callback.key && commit->uid == callback.uid;
}

}  // namespace

std::vector<Violation> CheckRealStates(const HistoryView& view, const CheckOptions&) {
  std::vector<Violation> out;
  if (view.commits().empty()) return out;
  for (const ClientView& client : view.clients()) {
    for (const auto& [handler, callbacks] : client.callbacks) {
      for (const ClientCallback& callback : callbacks) {
        const TruthCommit* commit = view.CommitAt(callback.rv);
        const bool deleted = callback.type == ClientCallback::Type::kDeleted;
        if (deleted && IsDeletion(commit, callback)) continue;
        const bool known = commit && commit->resource == client.resource &&
                           commit->key == callback.key && commit->uid == callback.uid &&
                           commit->type != EventType::kDeleted;
        if (known && SameBody(commit->entry->object(), callback.entry->object())) continue;
        out.push_back({Violation::Kind::kSafety,
                       "C2",
                       fmt::format("a handler sees only states that were committed, but \"{}\" was "
                                   "shown \"{}\" at {} {}",
                                   handler, callback.key, callback.entry->Get("rv"),
                                   known ? "with another body" : "which never was"),
                       {commit ? commit->entry : nullptr, callback.entry},
                       ""});
      }
    }
  }
  return out;
}

}  // namespace relist
