#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "core/wire/object.h"
#include "fakeapi/api/api_errors.h"
#include "fakeapi/api/go_number.h"
#include "fakeapi/encoding/json_path.h"
#include "fakeapi/encoding/json_writer.h"
#include "fakeapi/objects/kind_rules.h"
#include "fakeapi/objects/metadata_rules.h"
#include "fakeapi/objects/object_schema.h"
#include "fakeapi/write/body_reader.h"
#include "fakeapi/write/patch.h"
#include "fakeapi/write/write_flow.h"

namespace relist::fakeapi {
namespace {

using nlohmann::ordered_json;

// Where etcd keeps it; only seen in one error's text.
std::string StorageKey(const ResourceType& resource, const ObjectKey& key) {
  std::string plural = resource.resource.plural;
  if (plural == "nodes") plural = "minions";
  if (plural == "services") plural = "services/specs";
  return fmt::format("/registry/{}/{}{}", plural, key.ns.empty() ? "" : key.ns + "/", key.name);
}

// A replace says by its uid which object it means; a patch may not change it (422, later).
Result<void> CheckUid(const Writing& writing, const StoredObject& old, const ordered_json& value) {
  const std::string uid = TextAt(value, "metadata.uid");
  if (uid.empty() || uid == old.uid) return {};
  return Conflict(
      writing.resource(), old.key.name,
      fmt::format("StorageError: invalid object, Code: 4, Key: {}, ResourceVersion: 0, "
                  "AdditionalErrorMsg: Precondition failed: UID in precondition: {}, UID in object "
                  "meta: {}",
                  StorageKey(writing.resource(), old.key), uid, old.uid));
}

Result<void> CheckRevision(const Writing& writing, const StoredObject& old,
                           const ordered_json& value) {
  const ResourceType& resource = writing.resource();
  const std::string sent = TextAt(value, "metadata.resourceVersion");
  uint64_t revision = 0;
  if (const GoNumber read = ParseGoUint(sent, &revision);
      !sent.empty() && read != GoNumber::kGood) {
    return RawInternalError(GoNumberText("ParseUint", sent, read));
  }
  if (revision == 0) {
    if (RulesOf(resource).unconditional_update) return {};
    // Here, and nowhere else, the real server names the plural where others name the kind.
    return Invalid(resource.resource.plural, resource.resource.group, old.key.name,
                   {{"FieldValueInvalid", "metadata.resourceVersion",
                     "Invalid value: 0: must be specified for an update"}});
  }
  if (revision != old.revision) return ObjectModified(resource, old.key.name);
  return {};
}

// What a client leaves out, or can't change, is as it was.
void CarryMetadata(const ordered_json& old, const ObjectKey& key, ordered_json* metadata) {
  metadata->erase("selfLink");
  (*metadata)["name"] = key.name;
  metadata->erase("namespace");
  if (!key.ns.empty()) (*metadata)["namespace"] = key.ns;
  for (const char* field : {"uid", "generation", "creationTimestamp", "deletionTimestamp",
                            "deletionGracePeriodSeconds"}) {
    const ordered_json& was = At(old, field);
    metadata->erase(field);
    if (!was.is_null()) (*metadata)[field] = was;
  }
}

// Stores `value` over `old`, unless nothing changed or the last that held a deleted object is gone.
Result<StoredRef> Commit(Writing& writing, const StoredRef& old, const ordered_json& old_value,
                         ordered_json value) {
  const ResourceType& resource = writing.resource();
  value["metadata"]["resourceVersion"] = std::to_string(old->revision);
  OrderMetadata(&value["metadata"]);
  if (SameJson(old_value, value)) return old;
  const bool dry = writing.options.dry_run;
  if (IsReleased(resource, value)) {
    if (!dry) writing.store.Delete(resource, old->key);
    return Unstored(resource, old->key, std::move(value), old->revision);
  }
  if (dry) return Unstored(resource, old->key, std::move(value), old->revision);
  return writing.store.Replace(resource, old->key, std::move(value));
}

// /finalize changes a namespace's spec.finalizers, and nothing else.
void PrepareForFinalize(const ordered_json& old, ordered_json* value) {
  ordered_json finalizers = At(*value, "spec.finalizers");
  const ordered_json revision = At(*value, "metadata.resourceVersion");
  *value = old;
  (*value)["metadata"]["resourceVersion"] = revision;
  ordered_json& spec = (*value)["spec"];
  spec.erase("finalizers");
  if (finalizers.is_array() && !finalizers.empty()) spec["finalizers"] = std::move(finalizers);
}

void Prepare(const Writing& writing, const ordered_json& old, ordered_json* value) {
  const std::string& subresource = writing.write.subresource;
  if (subresource == "status") {
    PrepareForStatusUpdate(writing.resource(), old, value);
  } else if (subresource == "finalize") {
    PrepareForFinalize(old, value);
  } else {
    PrepareForUpdate(writing.resource(), old, value);
  }
}

// From a decoded object to the stored one: preconditions, what is carried over, validation.
Result<StoredRef> Update(Writing& writing, const StoredRef& old, const ordered_json& old_value,
                         ordered_json value) {
  const ResourceType& resource = writing.resource();
  if (Result<void> good = CheckRevision(writing, *old, value); !good.ok()) return good.error();
  std::vector<FieldError> errors = ValidateMetadataUpdate(old_value["metadata"], value["metadata"]);
  CarryMetadata(old_value["metadata"], old->key, &value["metadata"]);
  Prepare(writing, old_value, &value);
  for (FieldError& error : ValidateMetadata(resource, value["metadata"])) {
    errors.push_back(std::move(error));
  }
  for (FieldError& error : ValidateKind(resource, value)) errors.push_back(std::move(error));
  for (FieldError& error : ValidateKindUpdate(resource, old_value, value)) {
    errors.push_back(std::move(error));
  }
  if (!errors.empty()) {
    return Invalid(resource.kind(), resource.resource.group, old->key.name, errors);
  }
  return Commit(writing, old, old_value, std::move(value));
}

Result<void> CheckName(const Writing& writing, const ordered_json& value) {
  const std::string name = TextAt(value, "metadata.name"), &wanted = writing.key().name;
  if (name.empty()) {
    return BadRequest(fmt::format(
        "the name of the object ({} based on URL) was undeterminable: name must be provided",
        wanted));
  }
  if (name == wanted) return {};
  return BadRequest(fmt::format(
      "the name of the object ({}) does not match the name on the URL ({})", name, wanted));
}

Error NotAPatch(std::string_view shown, const std::string& why) {
  return Invalid(
      "", "", "",
      {{"FieldValueInvalid", "patch", fmt::format("Invalid value: {}: {}", GoQuote(shown), why)}});
}

// The patched object, decoded again as a body would be.
Result<ordered_json> Patched(Writing& writing, PatchType type, const StoredObject& old) {
  const ResourceType& resource = writing.resource();
  const std::string& patch = writing.write.request->body;
  ordered_json value = ToValue(resource, old);
  if (Result<void> applied = ApplyPatch(type, resource, patch, &value); !applied.ok()) {
    return applied.error();
  }
  if (!value.is_object()) return NotAPatch(patch, "the patched object is no object");
  if (JsonDepth(old.bytes) + JsonDepth(patch) > kJsonDepthMax &&
      JsonDepth(WriteJson(value)) > kJsonDepthMax) {
    return NotAPatch("", "exceeded max depth");
  }
  const std::string kind = TextAt(value, "kind"), version = TextAt(value, "apiVersion");
  if ((!kind.empty() && kind != resource.kind()) ||
      (!version.empty() && version != resource.resource.GroupVersion())) {
    return NotAPatch(patch, fmt::format("{} {} is another kind", version, kind));
  }
  Result<void> decoded =
      DecodeObject(resource, writing.options.validation, {}, &value, &writing.warnings);
  if (!decoded.ok()) return NotAPatch(patch, decoded.error().message());
  return value;
}

}  // namespace

Result<Response> ReplaceObject(Writing& writing) {
  const ResourceType& resource = writing.resource();
  ordered_json value;
  Result<void> read = ReadObjectBody(resource, *writing.write.request, writing.options.validation,
                                     &value, &writing.warnings);
  if (!read.ok()) return read.error();
  if (Result<void> good = CheckNamespace(writing, value); !good.ok()) return good.error();
  if (Result<void> good = CheckName(writing, value); !good.ok()) return good.error();
  const StoredRef old = writing.store.Find(resource, writing.key());
  if (old == nullptr) {
    if (!RulesOf(resource).create_on_update || !writing.write.subresource.empty()) {
      return NotFound(resource, writing.key().name);
    }
    value["metadata"].erase("resourceVersion");
    Result<StoredRef> created = AdmitAndCreate(writing, std::move(value));
    if (!created.ok()) return created.error();
    return Answer(writing, *created, 201);
  }
  if (Result<void> good = CheckUid(writing, *old, value); !good.ok()) return good.error();
  const std::shared_ptr<const ordered_json> old_value = BareValue(*old);
  Result<StoredRef> updated = Update(writing, old, *old_value, std::move(value));
  if (!updated.ok()) return updated.error();
  return Answer(writing, *updated);
}

Result<Response> PatchObject(Writing& writing) {
  const ResourceType& resource = writing.resource();
  const Result<PatchType> type = PatchTypeOf(writing.write.request->Header("Content-Type"));
  if (!type.ok()) return type.error();
  if (HasQuery(writing.write.query, "force")) {
    return Invalid("PatchOptions", "meta.k8s.io", "",
                   {FieldError::Forbidden("force", "may not be specified for non-apply patch")});
  }
  const StoredRef old = writing.store.Find(resource, writing.key());
  if (old == nullptr) return NotFound(resource, writing.key().name);
  Result<ordered_json> value = Patched(writing, *type, *old);
  if (!value.ok()) return value.error();
  if (Result<void> good = CheckName(writing, *value); !good.ok()) return good.error();
  const std::string ns = TextAt(*value, "metadata.namespace");
  if (!ns.empty() && ns != old->key.ns) {
    return BadRequest(
        fmt::format("the namespace of the object ({}) does not match the namespace on the request "
                    "({})",
                    ns, old->key.ns));
  }
  // A patch is applied to the newest state, so that an old revision can only have come with the
  // patch.
  const std::shared_ptr<const ordered_json> old_value = BareValue(*old);
  Result<StoredRef> updated = Update(writing, old, *old_value, std::move(*value));
  if (!updated.ok()) return updated.error();
  return Answer(writing, *updated);
}

}  // namespace relist::fakeapi
