// C2: what a handler is shown is real: each state was committed, and all of them together are what
// was there at that moment.
#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "core/net/canonical_sha256.h"
#include "scenarios/checkers/checkers.h"
#include "scenarios/checkers/received.h"

namespace relist {
namespace {

using Type = ClientCallback::Type;

// The bytes of `object` as they are with another version of as many digits or more; "" where that
// is not found.
std::string AtVersion(const Object& object, uint64_t from, uint64_t to) {
  static constexpr std::string_view kName = "\"resourceVersion\":\"";
  const std::string old_text = std::string(kName) + std::to_string(from) + "\"";
  const size_t at = object.bytes().find(old_text);
  if (at == std::string::npos) return "";
  std::string bytes = object.bytes();
  return bytes.replace(at, old_text.size(), std::string(kName) + std::to_string(to) + "\"");
}

// What a deletion shows: the last state that the scope saw, at the deletion's version.
ObjectRef DeletedBody(const ScopedEvent& event) {
  if (event.commit->type == EventType::kDeleted || !event.last_match)
    return event.commit->entry ? event.commit->entry->object() : nullptr;
  if (!event.last_match->object) return nullptr;
  std::string bytes = AtVersion(*event.last_match->object, event.last_match->rv, event.commit->rv);
  if (bytes.empty()) return nullptr;
  return std::make_shared<const Object>(std::move(bytes), Object::Head{});
}

bool ShowsBody(const ClientCallback& callback, const ObjectRef& body) {
  if (!body) return true;
  const std::string& hash = callback.entry->Get("sha256");
  if (!hash.empty() && hash != CanonicalSha256(*body)) return false;
  return SameBody(body, callback.entry->object());
}

// What is wrong with a state that was shown; "" if nothing is.
std::string WhatIsUnreal(const HistoryView& view, const ScopedTruth& truth,
                         const ClientView& client, const ClientCallback& callback) {
  const ScopedEvent* event = truth.At(callback.rv);
  if (!event || event->commit->key != callback.key) {
    const TruthCommit* commit = view.CommitAt(callback.rv);
    const bool elsewhere =
        commit && commit->key == callback.key && commit->resource == client.resource;
    return elsewhere ? "which its scope never saw" : "which never was";
  }
  if (event->commit->uid != callback.uid && !(client.joined && callback.uid.empty()))
    return "which never was";
  const bool gone = event->type == EventType::kDeleted;
  if (gone && callback.type != Type::kDeleted) return "which never was";
  const ObjectRef& committed = event->commit->entry->object();
  return ShowsBody(callback, gone ? DeletedBody(*event) : committed) ? "" : "with another body";
}

// Of each event, the version of the next one of its key: until then it is the state.
std::vector<uint64_t> SupersededAt(const std::vector<ScopedEvent>& events) {
  std::vector<uint64_t> next(events.size(), UINT64_MAX);
  std::unordered_map<std::string_view, uint64_t> later;
  for (size_t i = events.size(); i-- > 0;) {
    const auto [at, fresh] = later.try_emplace(events[i].commit->key, UINT64_MAX);
    next[i] = at->second;
    at->second = events[i].commit->rv;
  }
  return next;
}

// Holds what one handler was shown against what was there.
class ShownView {
 public:
  ShownView(const HistoryView& view, const ClientView& client, const ScopedTruth& truth,
            const std::vector<uint64_t>& superseded)
      : client_(client),
        events_(truth.events()),
        truth_(truth),
        resets_(view.truth().resets()),
        superseded_(superseded) {
    if (client.joined) TakeLists(SIZE_MAX);
  }

  // In order. The keys that differ from what was there, if the callback is an event's for sure.
  void See(const ClientCallback& callback) {
    if (!client_.joined) TakeLists(callback.index);
    Slot& slot = SlotOf(callback.key);
    Set(&slot, &Slot::shown, callback.type == Type::kDeleted ? 0 : callback.rv);
    slot.line = callback.entry;
  }
  // Whether all that is shown now should be what was there at the callback's version.
  bool IsMoment(const ClientCallback& callback) const {
    if (callback.same_version || callback.tombstone || callback.rv < at_) return false;
    const ScopedEvent* event = truth_.At(callback.rv);
    if (!event || event->commit->key != callback.key) return false;
    if ((event->type == EventType::kDeleted) != (callback.type == Type::kDeleted)) return false;
    if (event->type == EventType::kDeleted) return true;  // no list tells of it at this version
    // A list that holds this state may have brought it, and the rest of it may yet come.
    const auto list = lists_.lower_bound(callback.rv);
    return list == lists_.end() || *list >= superseded_[static_cast<size_t>(event - &events_[0])];
  }

  struct Difference {
    std::string_view key;
    uint64_t expected = 0, shown = 0;  // 0: none
    const TruthCommit* commit = nullptr;
    const HistoryEntry* line = nullptr;
  };
  // Where what is shown differs from what was there at `rv`; rises with each call.
  std::vector<Difference> DifferencesAt(uint64_t rv) {
    Advance(rv);
    std::vector<Difference> all;
    if (differing_ == 0) return all;
    for (const Slot& slot : slots_) {
      if (slot.expected != slot.shown)
        all.push_back({slot.key, slot.expected, slot.shown, slot.commit, slot.line});
    }
    return all;
  }

 private:
  struct Slot {
    std::string_view key;
    uint64_t expected = 0, shown = 0;
    const TruthCommit* commit = nullptr;
    const HistoryEntry* line = nullptr;
  };

  void TakeLists(size_t before) {
    for (; next_list_ < client_.lists.size() && client_.lists[next_list_].index < before;
         ++next_list_)
      lists_.insert(client_.lists[next_list_].rv);
  }
  Slot& SlotOf(std::string_view key) {
    const auto [at, fresh] = places_.try_emplace(key, slots_.size());
    if (fresh) slots_.push_back({key});
    return slots_[at->second];
  }
  void Set(Slot* slot, uint64_t Slot::* which, uint64_t rv) {
    differing_ -= slot->expected != slot->shown;
    slot->*which = rv;
    differing_ += slot->expected != slot->shown;
  }
  void Advance(uint64_t rv) {
    at_ = std::max(at_, rv);
    for (; next_ < events_.size() && events_[next_].commit->rv <= at_; ++next_) {
      const ScopedEvent& event = events_[next_];
      for (; next_reset_ < resets_.size() && resets_[next_reset_] < event.commit->rv;
           ++next_reset_) {
        for (Slot& slot : slots_) Set(&slot, &Slot::expected, 0);
      }
      Slot& slot = SlotOf(event.commit->key);
      Set(&slot, &Slot::expected, event.type == EventType::kDeleted ? 0 : event.commit->rv);
      slot.commit = event.commit;
    }
  }

  const ClientView& client_;
  const std::vector<ScopedEvent>& events_;
  const ScopedTruth& truth_;
  const std::vector<uint64_t>& resets_;
  const std::vector<uint64_t>& superseded_;
  std::set<uint64_t> lists_;  // versions of those that may have brought what is shown
  size_t next_list_ = 0, next_ = 0, next_reset_ = 0, differing_ = 0;
  uint64_t at_ = 0;
  std::vector<Slot> slots_;
  std::unordered_map<std::string_view, size_t> places_;
};

std::string StateText(uint64_t rv) {
  return rv == 0 ? "nothing" : fmt::format("version {}", rv);
}

void CheckMoments(const HistoryView& view, const ClientView& client,
                  const std::vector<uint64_t>& superseded, std::vector<Violation>* out) {
  const ScopedTruth& truth = view.truth().Of(client.scope());
  std::optional<ReceivedVersions> received;
  for (const auto& [handler, callbacks] : client.callbacks) {
    ShownView shown(view, client, truth, superseded);
    bool told = false;
    for (const ClientCallback& callback : callbacks) {
      shown.See(callback);
      if (!shown.IsMoment(callback)) continue;
      std::vector<ShownView::Difference> all = shown.DifferencesAt(callback.rv);
      if (!all.empty() && !received) received = ReceivedBy(view, client);
      std::erase_if(all, [&](const ShownView::Difference& one) {
        return one.commit && !received->MayHave(one.commit->rv);  // the server's doing
      });
      const bool was_told = std::exchange(told, !all.empty());
      if (all.empty() || was_told) continue;
      const ShownView::Difference& first = all.front();
      const std::string more = all.size() > 1 ? fmt::format(", and {} more", all.size() - 1) : "";
      out->push_back({Violation::Kind::kSafety,
                      "C2",
                      fmt::format("at each event a handler has been shown what was there then, but "
                                  "at {} \"{}\" had {} of {} where there was {}{}",
                                  callback.rv, handler, StateText(first.shown), first.key,
                                  StateText(first.expected), more),
                      {first.commit ? first.commit->entry : nullptr, first.line, callback.entry},
                      ""});
    }
  }
}

}  // namespace

std::vector<Violation> CheckRealStates(const HistoryView& view, const CheckOptions&) {
  std::vector<Violation> out;
  if (view.commits().empty()) return out;
  for (const ClientView& client : view.clients()) {
    if (client.resource.empty()) continue;  // it asked for nothing
    const ScopedTruth& truth = view.truth().Of(client.scope());
    for (const auto& [handler, callbacks] : client.callbacks) {
      for (const ClientCallback& callback : callbacks) {
        const std::string wrong = WhatIsUnreal(view, truth, client, callback);
        if (wrong.empty()) continue;
        const TruthCommit* commit = view.CommitAt(callback.rv);
        out.push_back({Violation::Kind::kSafety,
                       "C2",
                       fmt::format("a handler sees only states that were committed, but \"{}\" was "
                                   "shown \"{}\" at {} {}",
                                   handler, callback.key, callback.entry->Get("rv"), wrong),
                       {commit ? commit->entry : nullptr, callback.entry},
                       ""});
      }
    }
    if (client.lists.empty() || client.unlisted_start) continue;
    CheckMoments(view, client, SupersededAt(truth.events()), &out);
  }
  return out;
}

}  // namespace relist
