// C5: what is gone was told to be gone.
#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "scenarios/checkers/checkers.h"
#include "scenarios/checkers/expiry_loop.h"

namespace relist {
namespace {

using Type = ClientCallback::Type;

bool RelistBetween(const ClientView& client, size_t before, size_t after) {
  // A relist is written down when it is queued, which may be a little before the callbacks of
  // earlier events: one that stands anywhere before the later callback may be the cause. Of a log
  // alone nobody knows when its program listed.
  if (client.joined) return client.lists.size() != 1;
  return std::any_of(client.lists.begin(), client.lists.end(), [&](const ClientList& list) {
    return list.index < after && (list.index > before || &list != &client.lists.front());
  });
}

// A program that printed its store: what was shown, and is not in it, went, and was told to be gone
// before, or soon after.
class OwnStore {
 public:
  OwnStore(const ClientView& client, Duration within, std::vector<Violation>* out)
      : client_(client), within_(within), out_(*out) {}

  void All() {
    for (const HistoryEntry* line : client_.lines) {
      if (line->what() == "store") {
        stored_.insert(line->Get("key"));
        continue;
      }
      Close();
      if (line->what() == "dump") {
        dump_ = line;
        stored_.clear();
      } else if (line->what() == "callback") {
        See(*line);
      }
    }
    Close();
    const TimePoint end = client_.lines.empty() ? TimePoint() : client_.lines.back()->when();
    for (const auto& [key, doubt] : missing_) {
      if (end - doubt.dump->when() < within_) continue;
      out_.push_back({Violation::Kind::kSafety,
                      "C5",
                      fmt::format("whatever goes is told to be gone, but {}'s store had no {}, and "
                                  "it was never told that that went",
                                  client_.name, key),
                      {doubt.shown, doubt.dump},
                      ""});
    }
  }

 private:
  struct Doubt {
    const HistoryEntry *shown = nullptr, *dump = nullptr;
  };
  void See(const HistoryEntry& callback) {
    const std::string& key = callback.Get("key");
    missing_.erase(key);
    if (callback.Get("type") == "deleted")
      live_.erase(key);
    else
      live_[key] = &callback;
  }
  // The items of a store have been read.
  void Close() {
    if (!dump_) return;
    for (const auto& [key, line] : live_) {
      if (stored_.contains(key)) {
        missing_.erase(key);
      } else {
        missing_.try_emplace(key, Doubt{line, dump_});
      }
    }
    dump_ = nullptr;
  }

  const ClientView& client_;
  const Duration within_;
  std::vector<Violation>& out_;
  std::map<std::string_view, const HistoryEntry*> live_;
  std::set<std::string_view> stored_;
  std::map<std::string_view, Doubt> missing_;  // since which store
  const HistoryEntry* dump_ = nullptr;
};

// A client that never came out of an expiry loop cannot know of a deletion.
std::string ExcuseOf(const ClientView& client) {
  const std::optional<ExpiryLoop> loop = FindExpiryLoop(client);
  return loop && loop->ongoing ? kFaithfulExpiryLoop : "";
}

}  // namespace

std::vector<Violation> CheckDeletes(const HistoryView& view, const CheckOptions& options) {
  std::vector<Violation> out;
  for (const ClientView& client : view.clients()) {
    if (client.joined) OwnStore(client, view.InRealTime(options.told_within), &out).All();
    if (client.requests.empty() && !client.joined) continue;
    const auto& events = view.EventsOf(client);
    const uint64_t heard = view.has_server() ? view.HeardUpTo(client) : 0;
    const HistoryView::State state =
        heard > 0 ? view.StateAt(client, UINT64_MAX) : HistoryView::State();
    for (const auto& [handler, callbacks] : client.callbacks) {
      std::map<std::string_view, const ClientCallback*> live;
      for (const ClientCallback& callback : callbacks) {
        const auto found = live.find(callback.key);
        if (found != live.end() && callback.type == Type::kModified &&
            callback.uid != found->second->uid &&
            !RelistBetween(client, found->second->index, callback.index)) {
          out.push_back({Violation::Kind::kSafety,
                         "C5",
                         fmt::format("an object that went is told to be gone before the next of "
                                     "its name, but \"{}\" was "
                                     "shown {} with another uid as an update, without a relist",
                                     handler, callback.key),
                         {found->second->entry, callback.entry},
                         ""});
        }
        if (callback.type == Type::kDeleted)
          live.erase(callback.key);
        else
          live[callback.key] = &callback;
      }
      if (heard == 0) continue;
      for (const auto& [key, callback] : live) {
        if (state.contains(key)) continue;
        const auto gone = std::find_if(
            events.rbegin(), events.rend(),
            [&its_key = key](const auto& event) { return event.commit->key == its_key; });
        if (gone != events.rend() && gone->commit->rv > heard) continue;  // it may yet be told
        out.push_back(
            {Violation::Kind::kSafety,
             "C5",
             fmt::format("whatever goes is told to be gone, but \"{}\" was never told that {} went",
                         handler, key),
             {callback->entry, gone == events.rend() ? nullptr : gone->commit->entry},
             ExcuseOf(client)});
      }
    }
  }
  return out;
}

}  // namespace relist
