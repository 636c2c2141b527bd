#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/wire/rfc3339.h"
#include "fakeapi/answer/representation.h"
#include "fakeapi/api/api_errors.h"
#include "fakeapi/encoding/json_path.h"
#include "fakeapi/objects/kind_rules.h"
#include "fakeapi/objects/object_schema.h"
#include "fakeapi/store/selectors.h"
#include "fakeapi/write/write_flow.h"

namespace relist::fakeapi {
namespace {

using nlohmann::ordered_json;

constexpr const char* kOrphanFinalizer = "orphan";
constexpr const char* kForegroundFinalizer = "foregroundDeletion";

// What a delete does with one object.
struct Deletion {
  StoredRef object;  // the state marked as deleted, or the last one; null: answer a Status
  bool gone = false;
};

// A conflict of preconditions names the kind, not the resource.
Error PreconditionConflict(const ResourceType& resource, const std::string& name,
                           const std::string& why) {
  Error error = Conflict(resource, name, why);
  const std::string& group = resource.resource.group;
  const std::string kind = group.empty() ? resource.kind() : resource.kind() + "." + group;
  error.status.details->kind = resource.kind();
  error.status.message =
      fmt::format("Operation cannot be fulfilled on {} {}: {}", kind, GoQuote(name), why);
  return error;
}

Result<void> CheckPreconditions(const ResourceType& resource, const StoredObject& object,
                                const DeleteOptions& options) {
  if (options.uid && *options.uid != object.uid) {
    return PreconditionConflict(
        resource, object.key.name,
        fmt::format("the UID in the precondition ({}) does not match the UID in record ({}). The "
                    "object might have been deleted and then recreated",
                    *options.uid, object.uid));
  }
  const std::string revision = std::to_string(object.revision);
  if (options.resource_version && *options.resource_version != revision) {
    return PreconditionConflict(
        resource, object.key.name,
        fmt::format("the ResourceVersion in the precondition ({}) does not match the "
                    "ResourceVersion in record ({}). The object might have been modified",
                    *options.resource_version, revision));
  }
  return {};
}

void SetFinalizer(ordered_json* metadata, const char* name, bool present) {
  ordered_json kept = ordered_json::array();
  for (const ordered_json& one : ItemsAt(*metadata, "finalizers")) {
    if (one != name) kept.push_back(one);
  }
  if (present) kept.push_back(name);
  metadata->erase("finalizers");
  if (!kept.empty()) (*metadata)["finalizers"] = std::move(kept);
}

bool HasFinalizer(const ordered_json& metadata, const char* name) {
  const std::vector<ordered_json>& all = ItemsAt(metadata, "finalizers");
  return std::find(all.begin(), all.end(), name) != all.end();
}

// Orphan and Foreground are finalizers, which the collector takes off when it is done; Background
// takes them off itself.
void SetCollectorFinalizers(const ResourceType& resource, const DeleteOptions& options,
                            ordered_json* metadata) {
  if (!RulesOf(resource).collects_garbage || options.propagation == Propagation::kDefault) return;
  const bool orphan = options.propagation == Propagation::kOrphan;
  const bool foreground = options.propagation == Propagation::kForeground;
  if (orphan != HasFinalizer(*metadata, kOrphanFinalizer)) {
    SetFinalizer(metadata, kOrphanFinalizer, orphan);
  }
  if (foreground != HasFinalizer(*metadata, kForegroundFinalizer)) {
    SetFinalizer(metadata, kForegroundFinalizer, foreground);
  }
}

void BumpGeneration(ordered_json* metadata) {
  const int64_t generation = NumberAt(*metadata, "generation");
  if (generation > 0) (*metadata)["generation"] = generation + 1;
}

void Mark(ordered_json* metadata, TimePoint when, int64_t grace_seconds) {
  (*metadata)["deletionTimestamp"] = FormatRfc3339(when);
  (*metadata)["deletionGracePeriodSeconds"] = grace_seconds;
}

bool IsMarked(const ordered_json& metadata) {
  return At(metadata, "deletionTimestamp").is_string();
}

// Seconds that a pod has: as asked, or as its spec says; none without a node, or when it is done.
int64_t GracePeriodOf(const ordered_json& pod, const DeleteOptions& options) {
  int64_t seconds = NumberAt(pod, "spec.terminationGracePeriodSeconds");
  if (options.grace_period_seconds) seconds = *options.grace_period_seconds;
  const std::string phase = TextAt(pod, "status.phase");
  const bool idle = TextAt(pod, "spec.nodeName").empty();
  if (idle || phase == "Failed" || phase == "Succeeded") return 0;
  return seconds < 0 ? 1 : seconds;
}

// A pod's kubelet gets time. True: nothing more is to be done now, or the change is all that is.
void MarkPod(const DeleteOptions& options, TimePoint now, ordered_json* pod) {
  ordered_json* metadata = &(*pod)["metadata"];
  if (!IsMarked(*metadata)) {
    const int64_t grace = GracePeriodOf(*pod, options);
    Mark(metadata, now + Seconds(grace), grace);
    BumpGeneration(metadata);
    return;
  }
  // Once it is under way, the time can only be shortened.
  const int64_t before = NumberAt(*metadata, "deletionGracePeriodSeconds");
  const int64_t wanted = options.grace_period_seconds.value_or(before);
  const std::optional<TimePoint> end = ParseRfc3339(TextAt(*metadata, "deletionTimestamp"));
  if (wanted >= before || !end) return;
  const int64_t grace = std::max<int64_t>(wanted, 0);
  Mark(metadata, *end - Seconds(before) + Seconds(grace), grace);
}

void MarkNamespace(TimePoint now, ordered_json* value) {
  if (IsMarked((*value)["metadata"])) return;
  (*value)["metadata"]["deletionTimestamp"] = FormatRfc3339(now);
  (*value)["status"]["phase"] = "Terminating";
}

// An object that finalizers hold is marked, and stays.
void MarkHeld(TimePoint now, ordered_json* metadata) {
  if (IsMarked(*metadata)) return;
  BumpGeneration(metadata);
  Mark(metadata, now, 0);
}

bool IsHeld(const ResourceType& resource, const ordered_json& value) {
  if (!ItemsAt(value, "metadata.finalizers").empty()) return true;
  if (resource.kind() == "Namespace") return !ItemsAt(value, "spec.finalizers").empty();
  return resource.kind() == "Pod" && NumberAt(value, "metadata.deletionGracePeriodSeconds") > 0;
}

// Stores the marked state if it differs from what is there.
StoredRef StoreMarked(Writing& writing, const StoredRef& object, const ordered_json& before,
                      ordered_json value, bool dry_run) {
  if (SameJson(before, value)) return object;
  OrderMetadata(&value["metadata"]);
  value.erase("kind");
  value.erase("apiVersion");
  if (dry_run) {
    return Unstored(writing.resource(), object->key, std::move(value), object->revision);
  }
  return writing.store.Replace(writing.resource(), object->key, std::move(value));
}

Deletion Remove(Writing& writing, const StoredRef& object, bool dry_run) {
  Deletion deletion{dry_run ? object : writing.store.Delete(writing.resource(), object->key), true};
  if (!RulesOf(writing.resource()).returns_deleted) deletion.object = nullptr;
  return deletion;
}

Deletion Delete(Writing& writing, const StoredRef& object, const DeleteOptions& options) {
  const ResourceType& resource = writing.resource();
  // Nothing holds most objects: no need to look into them.
  const bool plain = object->bytes.find("\"finalizers\":") == std::string::npos;
  if (plain && options.propagation == Propagation::kDefault && resource.kind() != "Pod") {
    return Remove(writing, object, options.dry_run);
  }
  const ordered_json before = ToValue(resource, *object);
  // Whoever asks for a namespace again is told how it is.
  const bool asked_before = resource.kind() == "Namespace" && IsMarked(before["metadata"]);
  if (asked_before && !ItemsAt(before, "spec.finalizers").empty()) return {object, false};
  ordered_json value = before;
  SetCollectorFinalizers(resource, options, &value["metadata"]);
  const TimePoint now = writing.write.now;
  if (resource.kind() == "Pod") {
    MarkPod(options, now, &value);
  } else if (resource.kind() == "Namespace") {
    MarkNamespace(now, &value);
  } else if (IsHeld(resource, value)) {
    MarkHeld(now, &value["metadata"]);
  } else {
    return Remove(writing, object, options.dry_run);
  }
  const bool held = IsHeld(resource, value);
  const StoredRef marked = StoreMarked(writing, object, before, std::move(value), options.dry_run);
  return held ? Deletion{marked, false} : Remove(writing, marked, options.dry_run);
}

// The namespaces that a cluster can't be without.
Result<void> CheckImmortal(const ResourceType& resource, const std::string& name) {
  const bool immortal = name == "default" || name == "kube-system" || name == "kube-public";
  if (resource.kind() != "Namespace" || !immortal) return {};
  return Forbidden(resource, name, "this namespace may not be deleted");
}

Status Success(const ResourceType& resource, const StoredObject& object) {
  Status status;
  status.status = "Success";
  status.details = StatusDetails{
      object.key.name, resource.resource.group, resource.resource.plural, object.uid, {}, 0};
  return status;
}

Result<void> RefusePaging(const HeaderList& query) {
  for (const char* name : {"limit", "continue"}) {
    const std::string_view value = QueryValue(query, name);
    if (value.empty() || value == "0") continue;
    return NotImplemented(
        fmt::format("deleting a collection in pages ({}) is not implemented by this server", name));
  }
  return {};
}

}  // namespace

Result<Response> DeleteObject(Writing& writing) {
  const WriteRequest& write = writing.write;
  const ResourceType& resource = writing.resource();
  Result<DeleteOptions> options = ParseDeleteOptions(*write.request, write.query);
  if (!options.ok()) return options.error();
  if (Result<void> good = CheckImmortal(resource, write.key.name); !good.ok()) return good.error();
  const StoredRef object = writing.store.Find(resource, write.key);
  if (object == nullptr) return NotFound(resource, write.key.name);
  if (Result<void> good = CheckPreconditions(resource, *object, *options); !good.ok()) {
    return good.error();
  }
  const Deletion deletion = Delete(writing, object, *options);
  if (deletion.object == nullptr) return RenderStatus(Success(resource, *object), write.form);
  const bool accepted = !deletion.gone && options->orphan_dependents_false;
  return Answer(writing, deletion.object, accepted ? 202 : 200);
}

Result<Response> DeleteCollectionOfObjects(Writing& writing) {
  const WriteRequest& write = writing.write;
  const ResourceType& resource = writing.resource();
  Result<DeleteOptions> options = ParseDeleteOptions(*write.request, write.query);
  if (!options.ok()) return options.error();
  if (Result<void> good = RefusePaging(write.query); !good.ok()) return good.error();
  Result<LabelSelector> labels = LabelSelector::Parse(QueryValue(write.query, "labelSelector"));
  if (!labels.ok()) return labels.error();
  Result<FieldSelector> fields =
      FieldSelector::Parse(resource, QueryValue(write.query, "fieldSelector"));
  if (!fields.ok()) return fields.error();
  ListHead head;
  head.revision = writing.store.revision();
  std::vector<StoredRef> items;
  for (const auto& [key, object] : writing.store.All(resource)) {
    if (key.ns == write.key.ns && labels->Matches(object->labels) &&
        fields->Matches(object->key, object->fields)) {
      items.push_back(object);
    }
  }
  for (const StoredRef& item : items) {
    if (Result<void> good = CheckPreconditions(resource, *item, *options); !good.ok()) {
      return good.error();
    }
    Delete(writing, item, *options);
  }
  return RenderList(resource, head, items, write.form, write.now);
}

}  // namespace relist::fakeapi
