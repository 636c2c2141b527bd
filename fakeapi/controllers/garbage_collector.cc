#include "fakeapi/controllers/garbage_collector.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "fakeapi/api/resources.h"
#include "fakeapi/encoding/json_path.h"
#include "fakeapi/objects/identity.h"

namespace relist::fakeapi {
namespace {

using nlohmann::ordered_json;

constexpr const char* kForeground = "foregroundDeletion";
constexpr const char* kOrphan = "orphan";
constexpr const char* kCollectorName = "garbage-collector-controller";
constexpr size_t kNameMax = 253;
constexpr Duration kGarbageRetryMax = Seconds(1000);
// Until an informer has told, and a worker has come to it.
constexpr std::array<int, 6> kLagsMs = {10, 1, 3, 30, 100, 300};

bool IsGoing(const ordered_json& metadata) {
  return At(metadata, "deletionTimestamp").is_string();
}

bool HasOne(const ordered_json& metadata, const char* finalizer) {
  const std::vector<ordered_json>& all = ItemsAt(metadata, "finalizers");
  return std::find(all.begin(), all.end(), finalizer) != all.end();
}

// It is deleted, and the collector's `finalizer` holds it.
bool IsHeldBy(const ordered_json& metadata, const char* finalizer) {
  return IsGoing(metadata) && HasOne(metadata, finalizer);
}

bool IsCollected(const ResourceType& resource) {
  return resource.resource.plural != "events";
}

struct Owner {
  enum class Is { kThere, kAbsent, kUnknown } is = Is::kUnknown;
  GarbageItem item;
  StoredRef object;  // where it is there
};

// Where the reference leads, from a dependent in `ns`.
Owner Resolve(const Store& store, const OwnerReference& reference, const std::string& ns) {
  Owner owner;
  const ResourceType* resource = FindKind(reference.api_version, reference.kind);
  if (resource == nullptr || (resource->namespaced() && ns.empty())) return owner;
  owner.item = {resource, {resource->namespaced() ? ns : "", reference.name}, reference.uid};
  owner.object = store.Find(*resource, owner.item.key);
  const bool there = owner.object != nullptr && owner.object->uid == reference.uid;
  owner.is = there ? Owner::Is::kThere : Owner::Is::kAbsent;
  return owner;
}

std::vector<OwnerReference> Without(const std::vector<OwnerReference>& all,
                                    const std::vector<OwnerReference>& taken) {
  std::vector<OwnerReference> rest;
  for (const OwnerReference& one : all) {
    if (std::find(taken.begin(), taken.end(), one) == taken.end()) rest.push_back(one);
  }
  return rest;
}

std::string ElsewhereText(const OwnerReference& owner, const std::string& ns) {
  return fmt::format(
      "ownerRef [{}/{}, namespace: {}, name: {}, uid: {}] does not exist in namespace \"{}\"",
      owner.api_version, owner.kind, ns, owner.name, owner.uid, ns);
}

bool HasUid(const std::vector<OwnerReference>& owners, const std::string& uid) {
  return std::any_of(owners.begin(), owners.end(),
                     [&uid](const OwnerReference& owner) { return owner.uid == uid; });
}

}  // namespace

GarbageCollector::GarbageCollector(Store& store, Choices& choices)
    : store_(store), choices_(choices), writes_(store, choices), queue_(kGarbageRetryMax) {}

TimePoint GarbageCollector::NextDue() const {
  return queue_.NextDue();
}

void GarbageCollector::Forget() {
  graph_.Clear();
  queue_.Clear();
}

void GarbageCollector::OnCommit(const Commit& commit, TimePoint now) {
  if (commit.type == EventType::kDeleted) {
    NoteDeletion(commit, now);
  } else {
    NoteChange(commit, now);
  }
}

void GarbageCollector::Enqueue(const GarbageItem& item, TimePoint now, Work work,
                               const std::string& text) {
  const uint64_t lag = choices_.Below(kLagsMs.size(), "controller lag");
  queue_.Add({item, work, text}, now + Millis(kLagsMs[lag]));
}

void GarbageCollector::NoteChange(const Commit& commit, TimePoint now) {
  const std::shared_ptr<const ordered_json> value = BareValue(*commit.object);
  const ordered_json& metadata = At(*value, "metadata");
  const GarbageItem item{commit.resource, commit.object->key, commit.object->uid};
  if (IsCollected(*commit.resource)) NoteOwners(item, OwnersIn(metadata), now);
  if (IsGoing(metadata)) NoteTransition(commit, item, now);
}

void GarbageCollector::NoteOwners(const GarbageItem& item,
                                  const std::vector<OwnerReference>& owners, TimePoint now) {
  const Dependent* known = graph_.Find(item.uid);
  if (known == nullptr && owners.empty()) return;
  const std::vector<OwnerReference> before =
      known != nullptr ? known->owners : std::vector<OwnerReference>();
  if (before == owners) return;
  if (owners.empty()) {
    graph_.Remove(item.uid);
  } else {
    graph_.Set({item, owners});
  }
  // An owner that waited for this one may go.
  for (const OwnerReference& gone : Without(before, owners)) {
    if (gone.blocks) NoteOwner(gone, item.key.ns, now);
  }
  // Of one that it has already only the first coordinates are looked at, as the real one does; and
  // of several that are doubtful the first.
  const auto doubtful =
      std::find_if(owners.begin(), owners.end(), [&](const OwnerReference& owner) {
        return !HasUid(before, owner.uid) &&
               Resolve(store_, owner, item.key.ns).is != Owner::Is::kThere;
      });
  if (doubtful == owners.end()) return;
  if (LivesElsewhere(*doubtful)) {
    Enqueue(item, now, Work::kWarn, ElsewhereText(*doubtful, item.key.ns));
  }
  Enqueue(item, now);
}

void GarbageCollector::NoteOwner(const OwnerReference& owner, const std::string& ns,
                                 TimePoint now) {
  const Owner found = Resolve(store_, owner, ns);
  if (found.is != Owner::Is::kThere || !WaitsForDependents(found.item)) return;
  Enqueue(found.item, now);
}

// Its deletion began, or it got its finalizer since.
void GarbageCollector::NoteTransition(const Commit& commit, const GarbageItem& item,
                                      TimePoint now) {
  const std::shared_ptr<const ordered_json> value = BareValue(*commit.object);
  const std::shared_ptr<const ordered_json> before =
      commit.previous != nullptr ? BareValue(*commit.previous) : nullptr;
  const auto begins = [&](const char* finalizer) {
    const bool was = before != nullptr && IsHeldBy(At(*before, "metadata"), finalizer);
    return !was && IsHeldBy(At(*value, "metadata"), finalizer);
  };
  if (begins(kOrphan)) return Enqueue(item, now, Work::kOrphan);
  if (!begins(kForeground)) return;
  for (const Dependent* dependent : graph_.DependentsOf(item.uid)) Enqueue(dependent->item, now);
  Enqueue(item, now);
}

void GarbageCollector::NoteDeletion(const Commit& commit, TimePoint now) {
  const StoredObject& object = *commit.object;
  for (const Dependent* dependent : graph_.DependentsOf(object.uid)) {
    Enqueue(dependent->item, now);
  }
  const Dependent* known = graph_.Find(object.uid);
  if (known == nullptr) return;
  const std::vector<OwnerReference> owners = known->owners;
  graph_.Remove(object.uid);
  for (const OwnerReference& owner : owners) NoteOwner(owner, object.key.ns, now);
}

void GarbageCollector::Run(TimePoint now) {
  while (const std::optional<Job> job = queue_.Take(now)) {
    if (job->work == Work::kWarn) {
      Warn(job->item, job->text, now);
      continue;
    }
    const bool done = job->work == Work::kOrphan ? AttemptToOrphan(job->item, now)
                                                 : AttemptToDelete(job->item, now);
    if (done) {
      queue_.Forget(*job);
    } else {
      queue_.Retry(*job, now);
    }
  }
}

// Null where it is gone, or another one has its name.
StoredRef GarbageCollector::Latest(const GarbageItem& item) const {
  StoredRef found = store_.Find(*item.resource, item.key);
  return found != nullptr && found->uid == item.uid ? found : nullptr;
}

// The object that is meant is there, but in another namespace.
bool GarbageCollector::LivesElsewhere(const OwnerReference& owner) const {
  const ResourceType* resource = FindKind(owner.api_version, owner.kind);
  if (resource == nullptr || !resource->namespaced()) return false;
  const Store::Objects& namespaces = store_.All(*FindKind("v1", "Namespace"));
  return std::any_of(namespaces.begin(), namespaces.end(), [&](const auto& ns) {
    const StoredRef found = store_.Find(*resource, {ns.first.name, owner.name});
    return found != nullptr && found->uid == owner.uid;
  });
}

bool GarbageCollector::WaitsForDependents(const GarbageItem& item) const {
  const StoredRef latest = Latest(item);
  // Few objects do: no need to look into the others.
  if (latest == nullptr || latest->bytes.find(kForeground) == std::string::npos) return false;
  return IsHeldBy(At(*BareValue(*latest), "metadata"), kForeground);
}

std::optional<GarbageCollector::Owners> GarbageCollector::Classify(
    const GarbageItem& item, const std::vector<OwnerReference>& references) const {
  Owners owners;
  for (const OwnerReference& reference : references) {
    const Owner found = Resolve(store_, reference, item.key.ns);
    if (found.is == Owner::Is::kUnknown) return std::nullopt;
    if (found.is == Owner::Is::kAbsent) {
      owners.dangling.push_back(reference.uid);
    } else if (WaitsForDependents(found.item)) {
      owners.waiting.push_back(reference.uid);
    } else {
      owners.solid.push_back(reference.uid);
    }
  }
  return owners;
}

bool GarbageCollector::AttemptToDelete(const GarbageItem& item, TimePoint now) {
  const StoredRef latest = Latest(item);
  if (latest == nullptr) return true;
  const std::shared_ptr<const ordered_json> value = BareValue(*latest);
  const ordered_json& metadata = At(*value, "metadata");
  if (IsHeldBy(metadata, kForeground)) return LetOwnerGo(item, now);
  if (IsGoing(metadata)) return true;
  const std::vector<OwnerReference> references = OwnersIn(metadata);
  if (references.empty()) return true;
  const std::optional<Owners> owners = Classify(item, references);
  // The table of kinds does not change: asking again would answer the same.
  if (!owners) return true;
  if (owners->solid.empty()) return DeleteUnowned(item, metadata, *owners, now);
  std::vector<std::string> lost = owners->dangling;
  lost.insert(lost.end(), owners->waiting.begin(), owners->waiting.end());
  return lost.empty() || RemoveOwners(item, lost, now);
}

bool GarbageCollector::DeleteUnowned(const GarbageItem& item, const ordered_json& metadata,
                                     const Owners& owners, TimePoint now) {
  std::string propagation = "Background";
  const std::vector<const Dependent*> dependents = graph_.DependentsOf(item.uid);
  if (!owners.waiting.empty() && !dependents.empty()) {
    // An owner waits, and there is more below: that has to go first, unless it waits for us.
    propagation = "Foreground";
    const bool circle = std::any_of(
        dependents.begin(), dependents.end(),
        [this](const Dependent* dependent) { return WaitsForDependents(dependent->item); });
    if (circle && !Unblock(item, OwnersIn(metadata), now)) return false;
  } else if (HasOne(metadata, kOrphan)) {
    propagation = "Orphan";
  } else if (HasOne(metadata, kForeground)) {
    propagation = "Foreground";
  }
  const WriteOutcome gone = writes_.Delete(*item.resource, item.key, propagation, now);
  return gone.ok() || gone.not_found();
}

// An owner that is deleted in the foreground: it goes when nobody blocks it.
bool GarbageCollector::LetOwnerGo(const GarbageItem& item, TimePoint now) {
  bool blocked = false;
  for (const Dependent* dependent : graph_.DependentsOf(item.uid)) {
    if (!dependent->Blocks(item.uid)) continue;
    blocked = true;
    if (!WaitsForDependents(dependent->item)) Enqueue(dependent->item, now);
  }
  return blocked || RemoveFinalizer(item, kForeground, now);
}

bool GarbageCollector::AttemptToOrphan(const GarbageItem& item, TimePoint now) {
  std::vector<GarbageItem> dependents;
  for (const Dependent* one : graph_.DependentsOf(item.uid)) dependents.push_back(one->item);
  bool good = true;
  for (const GarbageItem& dependent : dependents) {
    good &= RemoveOwners(dependent, {item.uid}, now);
  }
  return good && RemoveFinalizer(item, kOrphan, now);
}

void GarbageCollector::Warn(const GarbageItem& item, const std::string& text, TimePoint now) {
  const std::string ns = item.key.ns.empty() ? "default" : item.key.ns;
  std::string name = fmt::format("{}.{:x}", item.key.name, now.time_since_epoch().count());
  if (name.size() > kNameMax) name = MakeUid(store_.revision(), choices_);
  ordered_json about = {{"kind", item.resource->kind()}};
  if (!item.key.ns.empty()) about["namespace"] = item.key.ns;
  about["name"] = item.key.name;
  about["uid"] = item.uid;
  about["apiVersion"] = item.resource->resource.GroupVersion();
  const ordered_json event = {{"metadata", {{"name", name}, {"namespace", ns}}},
                              {"involvedObject", about},
                              {"reason", "OwnerRefInvalidNamespace"},
                              {"message", text},
                              {"source", {{"component", kCollectorName}}},
                              {"firstTimestamp", FormatRfc3339(now)},
                              {"lastTimestamp", FormatRfc3339(now)},
                              {"count", 1},
                              {"type", "Warning"},
                              {"reportingComponent", kCollectorName}};
  // Where it is refused (a namespace that is going) it is lost, as the real one's.
  writes_.Create(*FindKind("v1", "Event"), ns, event, now);
}

bool GarbageCollector::RemoveFinalizer(const GarbageItem& item, const char* finalizer,
                                       TimePoint now) {
  const StoredRef latest = Latest(item);
  if (latest == nullptr) return true;
  const std::shared_ptr<const ordered_json> value = BareValue(*latest);
  const ordered_json& metadata = At(*value, "metadata");
  if (!HasOne(metadata, finalizer)) return true;
  ordered_json kept = ordered_json::array();
  for (const ordered_json& one : ItemsAt(metadata, "finalizers")) {
    if (one != finalizer) kept.push_back(one);
  }
  const ordered_json patch = {
      {"metadata", {{"resourceVersion", std::to_string(latest->revision)}, {"finalizers", kept}}}};
  return writes_.Patch(*item.resource, item.key, "merge-patch", patch, now).ok();
}

bool GarbageCollector::RemoveOwners(const GarbageItem& item, const std::vector<std::string>& uids,
                                    TimePoint now) {
  ordered_json references = ordered_json::array();
  for (const std::string& uid : uids) references.push_back({{"$patch", "delete"}, {"uid", uid}});
  const ordered_json patch = {{"metadata", {{"uid", item.uid}, {"ownerReferences", references}}}};
  const WriteOutcome done =
      writes_.Patch(*item.resource, item.key, "strategic-merge-patch", patch, now);
  return done.ok() || done.not_found();
}

// So that of two that wait for each other one can go.
bool GarbageCollector::Unblock(const GarbageItem& item, const std::vector<OwnerReference>& owners,
                               TimePoint now) {
  ordered_json references = ordered_json::array();
  for (const OwnerReference& owner : owners) {
    if (!owner.blocks) continue;
    references.push_back({{"uid", owner.uid}, {"blockOwnerDeletion", false}});
  }
  const ordered_json patch = {{"metadata", {{"uid", item.uid}, {"ownerReferences", references}}}};
  return writes_.Patch(*item.resource, item.key, "strategic-merge-patch", patch, now).ok();
}

}  // namespace relist::fakeapi
