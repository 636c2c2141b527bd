// C6: (ADD UPDATE* DELETE)*.
#include <fmt/core.h>

#include <unordered_map>

#include "scenarios/checkers/checkers.h"

namespace relist {
namespace {

using Type = ClientCallback::Type;

std::string_view Word(Type type) {
  return type == Type::kAdded ? "added" : type == Type::kModified ? "modified" : "deleted";
}

}  // namespace

std::vector<Violation> CheckGrammar(const HistoryView& view, const CheckOptions&) {
  std::vector<Violation> out;
  for (const ClientView& client : view.clients()) {
    for (const auto& [handler, callbacks] : client.callbacks) {
      std::unordered_map<std::string_view, const ClientCallback*> last;
      for (const ClientCallback& callback : callbacks) {
        const ClientCallback*& before = last[callback.key];
        const bool live = before && before->type != Type::kDeleted;
        if (live != (callback.type != Type::kAdded)) {
          out.push_back(
              {Violation::Kind::kSafety,
               "C6",
               fmt::format(
                   "a key is added, modified any number of times, and deleted, but \"{}\" was told "
                   "\"{}\" of {}, which was {}",
                   handler, Word(callback.type), callback.key,
                   live     ? "there"
                   : before ? "gone"
                            : "never there"),
               {before ? before->entry : nullptr, callback.entry},
               ""});
        } else if (callback.type == Type::kModified && !callback.entry->Get("old_rv").empty() &&
                   callback.entry->Get("old_rv") != before->entry->Get("rv")) {
          out.push_back({Violation::Kind::kSafety,
                         "C6",
                         fmt::format("an update's old object is the last one shown, but \"{}\" was "
                                     "told that {} was at {}, "
                                     "after it was shown at {}",
                                     handler, callback.key, callback.entry->Get("old_rv"),
                                     before->entry->Get("rv")),
                         {before->entry, callback.entry},
                         ""});
        }
        before = &callback;
      }
    }
  }
  return out;
}

}  // namespace relist
