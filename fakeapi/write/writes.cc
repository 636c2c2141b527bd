#include "fakeapi/write/writes.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/wire/object.h"
#include "fakeapi/answer/representation.h"
#include "fakeapi/api/api_errors.h"
#include "fakeapi/encoding/deep_stack.h"
#include "fakeapi/encoding/json_path.h"
#include "fakeapi/encoding/json_writer.h"
#include "fakeapi/objects/identity.h"
#include "fakeapi/objects/kind_rules.h"
#include "fakeapi/objects/object_schema.h"
#include "fakeapi/write/write_flow.h"

namespace relist::fakeapi {
namespace {

using nlohmann::ordered_json;

std::string_view VerbName(WriteVerb verb) {
  switch (verb) {
    case WriteVerb::kCreate:
      return "create";
    case WriteVerb::kReplace:
      return "update";
    case WriteVerb::kPatch:
      return "patch";
    case WriteVerb::kDelete:
      return "delete";
    case WriteVerb::kDeleteCollection:
      return "deletecollection";
  }
  return "";
}

bool Contains(const std::vector<std::string>& verbs, std::string_view verb) {
  return std::find(verbs.begin(), verbs.end(), verb) != verbs.end();
}

// Status is done for every kind that has it, and the finalizing of namespaces; the rest is known
// and refused.
Result<void> CheckSubresource(const WriteRequest& write) {
  const Subresource* subresource = write.resource->FindSubresource(write.subresource);
  if (subresource == nullptr) return NoSuchResource();
  if (!Contains(subresource->verbs, VerbName(write.verb))) return MethodNotAllowed();
  if (write.subresource == "status" || write.subresource == "finalize") return {};
  return NotImplemented(fmt::format("{}/{} is not implemented by this server",
                                    write.resource->resource.plural, write.subresource));
}

Result<void> CheckVerb(const WriteRequest& write) {
  if (!write.subresource.empty()) return CheckSubresource(write);
  const bool on_object = !write.key.name.empty();
  const bool fits =
      on_object != (write.verb == WriteVerb::kCreate || write.verb == WriteVerb::kDeleteCollection);
  if (!fits || !write.resource->Allows(VerbName(write.verb))) return MethodNotAllowed();
  return {};
}

Result<Response> Dispatch(Writing& writing) {
  const WriteRequest& write = writing.write;
  if (Result<void> allowed = CheckVerb(write); !allowed.ok()) return allowed.error();
  if (write.verb == WriteVerb::kDelete) return DeleteObject(writing);
  if (write.verb == WriteVerb::kDeleteCollection) return DeleteCollectionOfObjects(writing);
  const char* kind = write.verb == WriteVerb::kCreate    ? "CreateOptions"
                     : write.verb == WriteVerb::kReplace ? "UpdateOptions"
                                                         : "PatchOptions";
  Result<WriteOptions> options = ParseWriteOptions(kind, write.query);
  if (!options.ok()) return options.error();
  writing.options = *options;
  if (write.verb == WriteVerb::kCreate) return CreateObject(writing);
  return write.verb == WriteVerb::kReplace ? ReplaceObject(writing) : PatchObject(writing);
}

Response Handle(Store& store, const WriteRequest& write, Choices& choices) {
  Writing writing{store, write, choices, {}, {}};
  Result<Response> response = Dispatch(writing);
  return response.ok() ? std::move(*response) : RenderStatus(response.error().status, write.form);
}

bool NestsDeeply(const Store& store, const WriteRequest& write) {
  // Any of the objects might, and there are many: the thread is the cheaper way.
  if (write.verb == WriteVerb::kDeleteCollection) return true;
  if (NestsDeeperThan(write.request->body, kPlainStackDepth)) return true;
  const StoredRef object = store.Find(*write.resource, write.key);
  return object != nullptr && NestsDeeperThan(object->bytes, kPlainStackDepth);
}

}  // namespace

Response HandleWrite(Store& store, const WriteRequest& write, Choices& choices) {
  if (!NestsDeeply(store, write)) return Handle(store, write, choices);
  Response response;
  RunOnDeepStack([&] { response = Handle(store, write, choices); });
  return response;
}

void CreateNamespace(Store& store, const std::string& name, TimePoint now, Choices& choices) {
  const ResourceType* namespaces = FindKind("v1", "Namespace");
  ordered_json value = {{"metadata", {{"name", name}}}};
  value["metadata"]["uid"] = MakeUid(store.revision(), choices);
  value["metadata"]["creationTimestamp"] = FormatRfc3339(now);
  const Result<void> decoded = DecodeRules(*namespaces, &value);
  CHECK(decoded.ok(), "namespace {}", name);
  PrepareForCreate(*namespaces, &value);
  store.Create(*namespaces, {"", name}, std::move(value));
}

void CreateSystemNamespaces(Store& store, TimePoint now, Choices& choices) {
  for (const char* name : {"default", "kube-node-lease", "kube-public", "kube-system"}) {
    CreateNamespace(store, name, now, choices);
  }
}

StoredRef Unstored(const ResourceType& resource, const ObjectKey& key, ordered_json value,
                   uint64_t revision) {
  ordered_json& metadata = value["metadata"];
  metadata.erase("resourceVersion");
  if (revision != 0) metadata["resourceVersion"] = std::to_string(revision);
  OrderMetadata(&metadata);
  auto object = std::make_shared<StoredObject>();
  object->key = key;
  object->revision = revision;
  object->uid = TextAt(metadata, "uid");
  object->bytes = WriteJson(value);
  CHECK(object->bytes.starts_with("{\"metadata\""), "{} does not start with metadata",
        resource.resource.plural);
  return object;
}

Response Answer(const Writing& writing, const StoredRef& object, int status) {
  const WriteRequest& write = writing.write;
  Response response = RenderObject(writing.resource(), object, write.form, write.now, status);
  for (const std::string& warning : writing.warnings) {
    response.headers.emplace_back("Warning", "299 - " + GoQuote(warning));
  }
  return response;
}

Result<void> CheckNamespace(const Writing& writing, const ordered_json& value) {
  const std::string ns = TextAt(value, "metadata.namespace");
  if (ns.empty() || ns == writing.key().ns) return {};
  return BadRequest(
      "the namespace of the provided object does not match the namespace sent on the request");
}

bool IsReleased(const ResourceType& resource, const ordered_json& value) {
  if (!At(value, "metadata.deletionTimestamp").is_string()) return false;
  if (!ItemsAt(value, "metadata.finalizers").empty()) return false;
  if (resource.kind() == "Namespace") return ItemsAt(value, "spec.finalizers").empty();
  return NumberAt(value, "metadata.deletionGracePeriodSeconds") == 0;
}

}  // namespace relist::fakeapi
