#include "scenarios/checkers/truth.h"

#include <algorithm>
#include <unordered_map>

#include "scenarios/checkers/scope.h"

namespace relist {

ScopedTruth::ScopedTruth(const std::vector<TruthCommit>& commits,
                         const std::vector<uint64_t>& resets, const ScopeSpec& scope_spec)
    : resets_(resets) {
  const Scope scope(scope_spec);
  std::unordered_map<std::string_view, const TruthCommit*> live;
  auto reset = resets.begin();
  for (const TruthCommit& commit : commits) {
    for (; reset != resets.end() && *reset < commit.rv; ++reset) live.clear();
    if (!scope.MayMatch(commit.resource, commit.key)) continue;
    const auto before = live.find(commit.key);
    const bool was = before != live.end();
    const bool is = commit.type != EventType::kDeleted && scope.Matches(commit.object);
    if (!was && !is) continue;
    const TruthCommit* last = was ? before->second : nullptr;
    events_.push_back({is ? (was ? EventType::kModified : EventType::kAdded) : EventType::kDeleted,
                       &commit, is ? nullptr : last});
    if (is)
      live[commit.key] = &commit;
    else
      live.erase(before);
  }
}

size_t ScopedTruth::After(uint64_t rv) const {
  const auto at =
      std::partition_point(events_.begin(), events_.end(),
                           [rv](const ScopedEvent& event) { return event.commit->rv <= rv; });
  return static_cast<size_t>(at - events_.begin());
}

const ScopedEvent* ScopedTruth::At(uint64_t rv) const {
  const size_t next = After(rv);
  return next > 0 && events_[next - 1].commit->rv == rv ? &events_[next - 1] : nullptr;
}

void ScopedTruth::MakeLives() const {
  std::map<ObjectKey, std::vector<Version>> lives;
  for (const ScopedEvent& event : events_) {
    const bool gone = event.type == EventType::kDeleted;
    lives[ObjectKey::Parse(std::string(event.commit->key))].push_back(
        {event.commit->rv, gone ? nullptr : event.commit});
  }
  for (auto& [key, versions] : lives) lives_.push_back({key, std::move(versions)});
}

std::vector<const TruthCommit*> ScopedTruth::StateAt(uint64_t rv) const {
  if (lives_.empty()) MakeLives();
  const auto beyond = std::upper_bound(resets_.begin(), resets_.end(), rv);
  const uint64_t reset = beyond == resets_.begin() ? 0 : *(beyond - 1);
  std::vector<const TruthCommit*> state;
  for (const KeyLife& life : lives_) {
    const auto next =
        std::partition_point(life.versions.begin(), life.versions.end(),
                             [rv](const Version& version) { return version.rv <= rv; });
    if (next == life.versions.begin()) continue;
    const TruthCommit* last = (next - 1)->commit;
    if (last && last->rv > reset) state.push_back(last);
  }
  return state;
}

void Truth::Add(TruthCommit commit) {
  commits_.push_back(commit);
  scopes_.clear();
  versions_.clear();
}

void Truth::AddReset(uint64_t rv) {
  resets_.push_back(rv);
  scopes_.clear();
}

const TruthCommit* Truth::CommitAt(uint64_t rv) const {
  const auto found = std::partition_point(
      commits_.begin(), commits_.end(), [rv](const TruthCommit& commit) { return commit.rv < rv; });
  return found != commits_.end() && found->rv == rv ? &*found : nullptr;
}

const ScopedTruth& Truth::Of(const ScopeSpec& scope) const {
  std::unique_ptr<ScopedTruth>& made = scopes_[scope];
  if (!made) made = std::make_unique<ScopedTruth>(commits_, resets_, scope);
  return *made;
}

const std::vector<uint64_t>& Truth::VersionsOf(const std::string& resource) const {
  const auto [at, fresh] = versions_.try_emplace(resource);
  if (fresh) {
    for (const TruthCommit& commit : commits_) {
      if (commit.resource == resource) at->second.push_back(commit.rv);
    }
  }
  return at->second;
}

}  // namespace relist
