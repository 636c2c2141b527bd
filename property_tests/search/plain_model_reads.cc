// What reads are answered: SRV-1 to SRV-15, SRV-18 to SRV-22.
#include <fmt/format.h>

#include <algorithm>

#include "property_tests/search/plain_model.h"

namespace relist::search {
namespace {

constexpr Duration kFreshWait = Seconds(3);

// What is malformed, or forbidden together; "" where it is fine.
std::string FlawIn(const ListAsk& ask) {
  if (!ask.match.empty() && (ask.rv.empty() || ask.token)) return "422";
  if (ask.match == "Exact" && ask.rv == "0") return "422";
  if (ask.token && !ask.rv.empty() && ask.rv != "0") return "400";
  return "";
}

uint64_t NumberOf(const std::string& rv) {
  return rv.empty() ? 0 : std::stoull(rv);
}

// Where a page ends, relative to what was listed.
std::string StartAfter(const Scope& scope, const Key& last) {
  return (scope.ns.empty() ? last.Text() : last.name) + std::string(1, '\0');
}

Key FirstKey(const Scope& scope, const std::string& start) {
  if (!scope.ns.empty()) return {scope.ns, start};
  const size_t slash = start.find('/');
  return {start.substr(0, slash), start.substr(slash + 1)};
}

}  // namespace

struct PlainModel::Plan {
  bool exact = false, newest = false;
  uint64_t rv = 0;
  size_t limit = 0;
  std::string start;
};

std::string PlainModel::TooLarge(const char* of, bool retry) {
  ++counts[fmt::format("504 of a {}{}", of, retry ? "" : ", by etcd")];
  return retry ? "504 retry" : "504";
}

std::string PlainModel::Page(const ListAsk& ask, const Plan& plan) {
  std::vector<Thing> in_scope;  // that a list without selectors would have
  for (const auto& [key, thing] : StateAt(plan.rv)) {
    if (!ask.scope.ns.empty() && key.ns != ask.scope.ns) continue;
    if (ask.scope.single() && key.name != ask.scope.name) continue;
    if (!plan.start.empty() && key < FirstKey(ask.scope, plan.start)) continue;
    in_scope.push_back(thing);
  }
  std::string items, more;
  size_t count = 0;
  for (size_t i = 0; i < in_scope.size(); ++i) {
    if (!ask.scope.Holds(in_scope[i])) continue;
    items += " " + in_scope[i].Text() + ",";
    if (++count != plan.limit || i + 1 == in_scope.size()) continue;
    more = fmt::format(" continue {} {}", plan.rv, StartAfter(ask.scope, in_scope[i].key));
    if (!ask.scope.selects()) more += fmt::format(" remaining {}", in_scope.size() - i - 1);
    break;
  }
  if (ask.token) {
    ++counts[ask.token->rv < 0 ? "page at the newest" : "page of an exact list"];
    if (count == 0) ++counts["page without items"];
  }
  return fmt::format("200 rv={}:{}{}", plan.rv, items, more);
}

std::string PlainModel::FromEtcd(const ListAsk& ask, Plan plan) {
  plan.limit = ask.limit;
  if (plan.rv > revision_) return TooLarge("list", false);
  if (plan.exact && plan.rv < floor_) {
    if (!ask.token) return ++counts["expired list"], "410 Expired";
    ++counts["expired page"];
    return fmt::format("410 Expired continue -1 {}", plan.start);
  }
  if (!plan.exact) plan.rv = revision_;
  return Page(ask, plan);
}

std::optional<std::string> PlainModel::List(const ListAsk& ask, TimePoint received, TimePoint now) {
  if (std::string flaw = FlawIn(ask); !flaw.empty()) return flaw;
  Plan plan;
  plan.limit = ask.rv == "0" ? 0 : ask.limit;
  if (ask.token) {
    plan.exact = ask.token->rv > 0;
    plan.rv = plan.exact ? static_cast<uint64_t>(ask.token->rv) : 0;
    plan.start = ask.token->start;
    plan.newest = !plan.exact;
  } else {
    plan.rv = NumberOf(ask.rv);
    plan.newest = ask.rv.empty();
    const bool legacy = ask.match.empty() && plan.limit > 0 && plan.rv > 0;
    if (legacy && ask.scope.single()) return FromEtcd(ask, plan);
    plan.exact = ask.match == "Exact" || legacy;
  }
  const Replica& replica = replicas_[ask.replica];
  if (plan.exact && ask.scope.single()) return FromEtcd(ask, plan);
  if (!replica.ready) {
    if (ask.limit > 0 && !ask.scope.selects()) return FromEtcd(ask, plan);
    return ++counts["429 of a list"], "429";
  }
  const uint64_t wanted = plan.newest ? Missed(replica, received) : plan.rv;
  if (wanted > replica.applied) {
    if (now < received + kFreshWait) return std::nullopt;
    if (plan.newest) return ++counts["newest list from etcd"], FromEtcd(ask, plan);
    return TooLarge("list", true);
  }
  if (plan.exact && plan.rv < replica.snapshots_from) return FromEtcd(ask, plan);
  if (!plan.exact) plan.rv = replica.applied;
  if (ask.rv == "0") {
    if (plan.rv < shown_) ++counts["step back between replicas"];
    shown_ = std::max(shown_, plan.rv);
  }
  return Page(ask, plan);
}

std::optional<std::string> PlainModel::Get(const GetAsk& ask, TimePoint received, TimePoint now) {
  const Replica& replica = replicas_[ask.replica];
  const uint64_t wanted = NumberOf(ask.rv);
  uint64_t rv = replica.applied;
  if (ask.rv.empty() || !replica.ready) {
    if (wanted > revision_) return TooLarge("get", false);
    rv = revision_;
  } else if (wanted > replica.applied) {
    if (now < received + kFreshWait) return std::nullopt;
    return TooLarge("get", true);
  }
  const std::optional<Thing> found = StateAt(rv, ask.key);
  return found ? fmt::format("200 {}", found->Text()) : "404 NotFound";
}

std::optional<std::string> PlainModel::Watch(const WatchAsk& ask, TimePoint received, TimePoint now,
                                             ModelWatch* watch) {
  const Replica& replica = replicas_[ask.replica];
  if (!replica.ready) return ++counts["429 of a watch"], "429";
  // Without a start, the initial events are as good as asked for (SRV-6).
  const bool from_any = ask.rv.empty() || ask.rv == "0";
  const bool initial = ask.initial.value_or(from_any);
  const uint64_t wanted = ask.rv.empty() ? Missed(replica, received) : NumberOf(ask.rv);
  const bool too_large = initial && wanted > replica.applied;
  if (too_large && now < received + kFreshWait) return std::nullopt;
  watch->ask = ask;
  if (ask.timeout > 0) watch->deadline = now + Seconds(ask.timeout);
  watch->live = !too_large;
  if (too_large) {
    ++counts["504 in a watch"];
    watch->lines.push_back("ERROR 504");
    watch->over = true;
    return "200";
  }
  if (initial) {
    watch->position = replica.applied;
    for (const auto& [key, thing] : StateAt(replica.applied)) {
      if (ask.scope.Holds(thing)) watch->lines.push_back("ADDED " + thing.Text());
    }
    if (ask.bookmarks) watch->lines.push_back(fmt::format("BOOKMARK end @{}", replica.applied));
    return "200";
  }
  watch->position = wanted;
  if (from_any) watch->position = ask.rv.empty() ? revision_ : replica.applied;
  if (watch->position < replica.OldestStart()) {
    ++counts["expired watch"];
    watch->lines.push_back("ERROR 410");
    watch->over = true;
    return "200";
  }
  if (watch->position > replica.applied) ++counts["watch of the future"];
  for (const Commit& commit : commits_) {
    if (commit.rv > watch->position && commit.rv <= replica.applied) Tell(*watch, commit);
  }
  watch->replayed = watch->lines.size();
  watch->unread = 0;
  watch->may_be_ended = false;
  return "200";
}

}  // namespace relist::search
