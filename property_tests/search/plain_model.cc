#include "property_tests/search/plain_model.h"

#include <fmt/format.h>

#include <algorithm>

namespace relist::search {

PlainModel::PlainModel(const Knobs& knobs, uint64_t revision, TimePoint)
    : knobs_(knobs), revision_(revision), replicas_(knobs.replicas) {
  for (Replica& replica : replicas_) replica.applied = replica.listed = revision;
  for (Replica& replica : replicas_) replica.snapshots_from = revision;
}

// ---- writes ----

void PlainModel::Write(std::optional<Thing> before, std::optional<Thing> after, TimePoint now) {
  ++revision_;
  if (before || after) commits_.push_back({revision_, std::move(before), std::move(after)});
  for (size_t i = 0; i < replicas_.size(); ++i) {
    Replica& replica = replicas_[i];
    if (!replica.ready) continue;
    replica.pending.push_back({revision_, now});
  }
  Advance(now);
}

std::string PlainModel::Create(const Thing& thing, TimePoint now) {
  if (Find(thing.key)) return "409 AlreadyExists";
  Thing made = thing;
  made.rv = revision_ + 1;
  Write(std::nullopt, made, now);
  return fmt::format("201 {}", made.Text());
}

std::string PlainModel::Update(const Thing& thing, uint64_t given, TimePoint now) {
  const std::optional<Thing> before = Find(thing.key);
  if (!before) return "404 NotFound";
  if (given != 0 && given != before->rv) return "409 Conflict";
  Thing made = thing;
  made.rv = before->rv;
  if (made.app == before->app && made.n == before->n) return fmt::format("200 {}", made.Text());
  made.rv = revision_ + 1;
  Write(before, made, now);
  return fmt::format("200 {}", made.Text());
}

std::string PlainModel::Delete(const Key& key, TimePoint now) {
  const std::optional<Thing> before = Find(key);
  if (!before) return "404 NotFound";
  Write(before, std::nullopt, now);
  return "200 Success";
}

void PlainModel::Elsewhere(TimePoint now) {
  Write(std::nullopt, std::nullopt, now);
}

// ---- replicas ----

void PlainModel::Arrive(size_t number, uint64_t rv) {
  Replica& replica = replicas_[number];
  replica.applied = rv;
  const auto commit = std::find_if(commits_.begin(), commits_.end(),
                                   [rv](const Commit& one) { return one.rv == rv; });
  if (commit == commits_.end()) return;  // of another kind
  replica.window.push_back(rv);
  if (replica.window.size() > knobs_.window) {
    replica.window.pop_front();
    replica.evicted = true;
  }
  if (replica.evicted) {
    replica.snapshots_from = std::max(replica.snapshots_from, replica.window.front());
  }
  for (ModelWatch* watch : watches_) {
    if (watch->ask.replica != number) continue;
    watch->may_be_ended |= watch->read < watch->replayed;
    Tell(*watch, *commit);
  }
}

void PlainModel::Tell(ModelWatch& watch, const Commit& commit) {
  if (!watch.live || watch.over) return;
  ++watch.unread;
  watch.may_be_ended |= watch.unread > knobs_.buffer;
  if (commit.rv <= watch.position) return;
  const bool was = commit.before && watch.ask.scope.Holds(*commit.before);
  const bool is = commit.after && watch.ask.scope.Holds(*commit.after);
  if (is) {
    ++counts[was ? "changed within a selection" : "came into a selection"];
    watch.lines.push_back((was ? "MODIFIED " : "ADDED ") + commit.after->Text());
  } else if (was) {
    ++counts[commit.after ? "left a selection" : "was deleted in a selection"];
    Thing last = *commit.before;
    last.rv = commit.rv;
    watch.lines.push_back("DELETED " + last.Text());
  }
}

void PlainModel::Relist(size_t number) {
  Replica& replica = replicas_[number];
  replica.pending.clear();
  replica.applied = replica.listed = revision_;
  replica.window.clear();
  replica.evicted = false;
  replica.snapshots_from = revision_;
}

void PlainModel::Compact(uint64_t revision, bool learned) {
  floor_ = std::max(floor_, revision);
  if (!learned) return;
  for (Replica& replica : replicas_) {
    replica.snapshots_from = std::max(replica.snapshots_from, floor_);
  }
}

void PlainModel::Evict(size_t number) {
  Replica& replica = replicas_[number];
  replica.listed = replica.applied;
  replica.window.clear();
  replica.evicted = false;
  // What replays old events has them taken away from under it.
  for (ModelWatch* watch : watches_) {
    if (watch->ask.replica == number) watch->may_be_ended |= watch->read < watch->replayed;
  }
}

void PlainModel::Restart(size_t number, Duration not_ready, TimePoint now) {
  for (ModelWatch* watch : watches_) {
    if (watch->ask.replica == number) watch->over = true;
  }
  Relist(number);
  replicas_[number].ready = not_ready == Duration{};
  replicas_[number].ready_at = now + not_ready;
}

void PlainModel::Resume(size_t number, TimePoint now) {
  replicas_[number].paused = false;
  Advance(now);
}

void PlainModel::Lag(size_t number, Duration lag, TimePoint now) {
  replicas_[number].lag = lag;
  Advance(now);
}

void PlainModel::Advance(TimePoint now) {
  for (ModelWatch* watch : watches_) watch->over |= watch->deadline <= now;
  for (size_t i = 0; i < replicas_.size(); ++i) {
    Replica& replica = replicas_[i];
    if (!replica.ready && replica.ready_at <= now) {
      replica.ready = true;
      Relist(i);
    }
    while (!replica.paused && !replica.pending.empty() &&
           replica.pending.front().when + replica.lag <= now) {
      const uint64_t rv = replica.pending.front().rv;
      replica.pending.pop_front();
      Arrive(i, rv);
    }
  }
}

TimePoint PlainModel::NextChange() const {
  TimePoint next = kNever;
  for (const Replica& replica : replicas_) {
    if (!replica.ready) next = std::min(next, replica.ready_at);
    if (replica.paused || replica.pending.empty()) continue;
    next = std::min(next, replica.pending.front().when + replica.lag);
  }
  return next;
}

uint64_t PlainModel::Missed(const Replica& replica, TimePoint when) const {
  uint64_t missed = 0;
  for (const Pending& one : replica.pending) {
    if (one.when <= when) missed = one.rv;
  }
  return missed;
}

PlainModel::State PlainModel::StateAt(uint64_t rv) const {
  State state;
  for (const Commit& commit : commits_) {
    if (commit.rv > rv) break;
    if (commit.after) {
      state[commit.after->key] = *commit.after;
    } else {
      state.erase(commit.before->key);
    }
  }
  return state;
}

std::optional<Thing> PlainModel::StateAt(uint64_t rv, const Key& key) const {
  std::optional<Thing> found;
  for (const Commit& commit : commits_) {
    if (commit.rv > rv) break;
    if ((commit.after ? commit.after->key : commit.before->key) == key) found = commit.after;
  }
  return found;
}

}  // namespace relist::search
