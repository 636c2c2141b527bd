#include "fakeapi/controllers/namespace_controller.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "core/wire/rfc3339.h"
#include "fakeapi/api/resources.h"
#include "fakeapi/controllers/namespace_conditions.h"
#include "fakeapi/encoding/json_path.h"

namespace relist::fakeapi {
namespace {

using nlohmann::ordered_json;

constexpr const char* kNamespaceFinalizer = "kubernetes";
// So that all who create have seen that the namespace is on its way out.
constexpr Duration kBeforeContent = Seconds(5);
constexpr Duration kContentRetryMax = Seconds(60);
constexpr int64_t kFinalizerSeconds = 15;  // what finalizers are thought to take

// Of the pods that still run, the longest time that one asks for to end.
int64_t LongestGrace(const std::vector<StoredRef>& pods) {
  int64_t longest = 0;
  for (const StoredRef& pod : pods) {
    const std::shared_ptr<const ordered_json> value = BareValue(*pod);
    const std::string phase = TextAt(*value, "status.phase");
    if (phase == "Succeeded" || phase == "Failed") continue;
    longest = std::max(longest, NumberAt(*value, "spec.terminationGracePeriodSeconds"));
  }
  return longest;
}

}  // namespace

NamespaceController::NamespaceController(Store& store, Choices& choices)
    : store_(store),
      writes_(store, choices),
      namespaces_(*FindKind("v1", "Namespace")),
      pods_(*FindKind("v1", "Pod")),
      queue_(kContentRetryMax) {}

void NamespaceController::OnCommit(const Commit& commit, TimePoint now) {
  if (commit.resource != &namespaces_ || commit.type == EventType::kDeleted) return;
  const std::shared_ptr<const ordered_json> value = BareValue(*commit.object);
  if (!At(*value, "metadata.deletionTimestamp").is_string()) return;
  queue_.Add(commit.object->key.name, now + kBeforeContent);
}

void NamespaceController::Run(TimePoint now) {
  while (const std::optional<std::string> name = queue_.Take(now)) Sync(*name, now);
}

void NamespaceController::Sync(const std::string& name, TimePoint now) {
  const ObjectKey key{"", name};
  StoredRef ns = store_.Find(namespaces_, key);
  if (ns == nullptr) return queue_.Forget(name);
  ordered_json value = ToValue(namespaces_, *ns);
  if (!At(value, "metadata.deletionTimestamp").is_string()) return queue_.Forget(name);
  if (TextAt(value, "status.phase") != "Terminating") {
    value["status"]["phase"] = "Terminating";
    const WriteOutcome marked = writes_.Update(namespaces_, key, "status", value, now);
    if (!marked.ok()) return queue_.Retry(name, now);
    ns = store_.Find(namespaces_, key);
    if (ns == nullptr) return queue_.Forget(name);
  }
  // Finalized by us before: somebody else holds it.
  if (ItemsAt(value, "spec.finalizers").empty()) return queue_.Forget(name);
  const Outcome outcome = DeleteContent(*ns, now);
  if (outcome.failed) return queue_.Retry(name, now);
  if (outcome.estimate > 0) return queue_.Add(name, now + Seconds(outcome.estimate / 2 + 1));
  if (!Finalize(name, now)) return queue_.Retry(name, now);
  queue_.Forget(name);
}

NamespaceController::Outcome NamespaceController::DeleteContent(const StoredObject& ns,
                                                                TimePoint now) {
  NamespaceConditions conditions;
  Outcome all = DeleteKind(pods_, ns, now, &conditions);
  if (all.remaining > 0) {
    WriteConditions(ns, conditions, now);
    return all;
  }
  for (const ResourceType* resource : AllResources()) {
    if (!resource->namespaced() || !resource->Allows("delete")) continue;
    const Outcome one = DeleteKind(*resource, ns, now, &conditions);
    all.estimate = std::max(all.estimate, one.estimate);
    all.failed |= one.failed;
  }
  WriteConditions(ns, conditions, now);
  return all;
}

NamespaceController::Outcome NamespaceController::DeleteKind(const ResourceType& resource,
                                                             const StoredObject& ns, TimePoint now,
                                                             NamespaceConditions* conditions) {
  const std::string& name = ns.key.name;
  Outcome outcome;
  if (&resource == &pods_) {
    const int64_t grace = LongestGrace(ObjectsIn(pods_, name));
    const std::shared_ptr<const ordered_json> value = BareValue(ns);
    const auto deleted = ParseRfc3339(TextAt(*value, "metadata.deletionTimestamp"));
    if (deleted && now - *deleted < Seconds(grace)) outcome.estimate = grace;
  }
  const WriteOutcome sent = writes_.DeleteCollection(resource, name, "Background", now);
  if (!sent.ok()) {
    conditions->AddError(sent.message);
    outcome.failed = true;
    return outcome;
  }
  const std::vector<StoredRef> left = ObjectsIn(resource, name);
  outcome.remaining = left.size();
  if (left.empty()) return {};
  std::map<std::string, size_t> finalizers;
  for (const StoredRef& object : left) {
    const std::shared_ptr<const ordered_json> value = BareValue(*object);
    for (const ordered_json& one : ItemsAt(*value, "metadata.finalizers")) {
      ++finalizers[one.get<std::string>()];
    }
  }
  // Of pods, for which all else waits, the real one tells in no condition.
  if (&resource != &pods_) {
    conditions->AddRemaining(resource, left.size());
    for (const auto& [finalizer, objects] : finalizers) {
      conditions->AddFinalizer(finalizer, objects);
    }
  }
  if (outcome.estimate != 0) return outcome;
  if (!finalizers.empty()) {
    outcome.estimate = kFinalizerSeconds;
    return outcome;
  }
  conditions->AddError(fmt::format(
      "unexpected items still remain in namespace: {} for gvr: {}/{}, Resource={}", name,
      resource.resource.group, resource.resource.version, resource.resource.plural));
  outcome.failed = true;
  return outcome;
}

void NamespaceController::WriteConditions(const StoredObject& ns,
                                          const NamespaceConditions& conditions, TimePoint now) {
  ordered_json value = ToValue(namespaces_, ns);
  if (!conditions.Apply(&value["status"], now)) return;
  // Where it fails, the next look at the namespace writes them.
  writes_.Update(namespaces_, ns.key, "status", value, now);
}

bool NamespaceController::Finalize(const std::string& name, TimePoint now) {
  const StoredRef ns = store_.Find(namespaces_, {"", name});
  if (ns == nullptr) return true;
  ordered_json value = ToValue(namespaces_, *ns);
  std::set<std::string> kept;
  for (const ordered_json& one : ItemsAt(value, "spec.finalizers")) {
    if (one != kNamespaceFinalizer) kept.insert(one.get<std::string>());
  }
  value["spec"]["finalizers"] = kept;
  const WriteOutcome done = writes_.Update(namespaces_, ns->key, "finalize", value, now);
  return done.ok() || done.not_found();
}

std::vector<StoredRef> NamespaceController::ObjectsIn(const ResourceType& resource,
                                                      const std::string& ns) const {
  std::vector<StoredRef> found;
  const Store::Objects& all = store_.All(resource);
  for (auto at = all.lower_bound({ns, ""}); at != all.end() && at->first.ns == ns; ++at) {
    found.push_back(at->second);
  }
  return found;
}

}  // namespace relist::fakeapi
