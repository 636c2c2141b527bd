#include <fmt/core.h>

#include <nlohmann/json.hpp>

#include "fakeapi/answer/representation.h"
#include "fakeapi/api/api_errors.h"
#include "fakeapi/api/go_number.h"
#include "fakeapi/encoding/json_path.h"
#include "fakeapi/encoding/json_reader.h"
#include "fakeapi/objects/identity.h"
#include "fakeapi/objects/kind_rules.h"
#include "fakeapi/objects/metadata_rules.h"
#include "fakeapi/objects/object_schema.h"
#include "fakeapi/write/body_reader.h"
#include "fakeapi/write/write_flow.h"

namespace relist::fakeapi {
namespace {

using nlohmann::ordered_json;

constexpr size_t kGeneratedPrefixMax = 58;
constexpr int kGenerateAttempts = 8;

// Nothing new in a namespace that is missing, or on its way out.
Result<void> CheckNamespaceLifecycle(const Writing& writing, const std::string& name) {
  const ResourceType& resource = writing.resource();
  if (!resource.namespaced()) return {};
  const std::string& ns = writing.key().ns;
  static const ResourceType* const kNamespaces = FindKind("v1", "Namespace");
  const StoredRef found = writing.store.Find(*kNamespaces, {"", ns});
  if (found == nullptr) return NotFound(*kNamespaces, ns);
  const auto phase = found->fields.find("status.phase");
  if (phase == found->fields.end() || phase->second != "Terminating") return {};
  Error error = Forbidden(resource, name,
                          fmt::format("unable to create new content in namespace {} because it is "
                                      "being terminated",
                                      ns));
  error.status.details->causes.push_back({"NamespaceTerminating",
                                          fmt::format("namespace {} is being terminated", ns),
                                          "metadata.namespace"});
  return error;
}

// What the server writes itself, whatever the client sent.
void OwnMetadata(Writing& writing, ordered_json* metadata) {
  for (const char* field :
       {"selfLink", "deletionTimestamp", "deletionGracePeriodSeconds", "managedFields"}) {
    metadata->erase(field);
  }
  metadata->erase("namespace");
  if (writing.resource().namespaced()) (*metadata)["namespace"] = writing.key().ns;
  // A dry run leaves the revision where it is: its uid must not be the next create's.
  const uint64_t salt = writing.options.dry_run ? uint64_t{1} << 63 : 0;
  (*metadata)["uid"] = MakeUid(writing.store.revision() | salt, writing.choices);
  (*metadata)["creationTimestamp"] = FormatRfc3339(writing.write.now);
}

// The name sent, or a generated one that is free. Empty where neither is to be had.
std::string ChooseName(Writing& writing, const ordered_json& metadata) {
  std::string name = TextAt(metadata, "name");
  const std::string prefix = TextAt(metadata, "generateName");
  if (!name.empty() || prefix.empty()) return name;
  for (int attempt = 0; attempt < kGenerateAttempts; ++attempt) {
    name = prefix.substr(0, kGeneratedPrefixMax) +
           NameSuffix(writing.store.revision(), attempt, writing.choices);
    if (!writing.store.Find(writing.resource(), {writing.key().ns, name})) break;
  }
  return name;
}

bool IsGoing(const StoredObject& object) {
  const Result<JsonDocument> metadata = ReadJson(MetadataBytes(object));
  return metadata.ok() && metadata->value->contains("deletionTimestamp");
}

}  // namespace

Result<StoredRef> AdmitAndCreate(Writing& writing, ordered_json value) {
  const ResourceType& resource = writing.resource();
  ordered_json* metadata = &value["metadata"];
  const std::string name = ChooseName(writing, *metadata);
  if (Result<void> good = CheckNamespaceLifecycle(writing, name); !good.ok()) return good.error();
  if (!name.empty()) (*metadata)["name"] = name;
  // Zero, and what is no number, are as if none were set.
  uint64_t revision = 0;
  const GoNumber read = ParseGoUint(TextAt(*metadata, "resourceVersion"), &revision);
  const bool has_revision = read == GoNumber::kGood && revision != 0;
  OwnMetadata(writing, metadata);
  PrepareForCreate(resource, &value);
  std::vector<FieldError> errors = ValidateMetadata(resource, value["metadata"]);
  for (FieldError& error : ValidateKind(resource, value)) errors.push_back(std::move(error));
  if (!errors.empty()) return Invalid(resource.kind(), resource.resource.group, name, errors);
  if (has_revision) {
    return RawInternalError("resourceVersion should not be set on objects to be created");
  }
  const ObjectKey key{writing.key().ns, name};
  if (const StoredRef found = writing.store.Find(resource, key)) {
    return AlreadyExists(resource, name, IsGoing(*found));
  }
  OrderMetadata(&value["metadata"]);
  if (writing.options.dry_run) return Unstored(resource, key, std::move(value), 0);
  return writing.store.Create(resource, key, std::move(value));
}

Result<Response> CreateObject(Writing& writing) {
  ordered_json value;
  Result<void> read = ReadObjectBody(writing.resource(), *writing.write.request,
                                     writing.options.validation, &value, &writing.warnings);
  if (!read.ok()) return read.error();
  if (Result<void> good = CheckNamespace(writing, value); !good.ok()) return good.error();
  Result<StoredRef> created = AdmitAndCreate(writing, std::move(value));
  if (!created.ok()) return created.error();
  return Answer(writing, *created, 201);
}

}  // namespace relist::fakeapi
