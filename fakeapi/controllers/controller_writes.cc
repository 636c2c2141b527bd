#include "fakeapi/controllers/controller_writes.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/wire/status.h"
#include "fakeapi/encoding/json_writer.h"

namespace relist::fakeapi {
namespace {

using nlohmann::ordered_json;

std::string DeleteBody(const ControllerDelete& how) {
  ordered_json body = {{"kind", "DeleteOptions"}, {"apiVersion", "v1"}};
  if (!how.uid.empty()) body["preconditions"]["uid"] = how.uid;
  if (!how.resource_version.empty()) {
    body["preconditions"]["resourceVersion"] = how.resource_version;
  }
  body["propagationPolicy"] = how.propagation;
  return WriteJson(body);
}

}  // namespace

WriteOutcome ControllerWrites::Send(WriteRequest write, const std::string& type,
                                    const std::string& body) {
  const Request request{"", "", {{"Content-Type", "application/" + type}}, body};
  write.request = &request;
  const Response response = HandleWrite(store_, write, choices_);
  WriteOutcome outcome{response.status, ""};
  if (outcome.ok()) return outcome;
  const std::string text = response.BodyText();
  const std::optional<Status> status = Status::Parse(text);
  outcome.message = status ? status->message : text;
  return outcome;
}

WriteOutcome ControllerWrites::Delete(const ResourceType& resource, const ObjectKey& key,
                                      const ControllerDelete& how, TimePoint now) {
  return Send({.verb = WriteVerb::kDelete, .resource = &resource, .key = key, .now = now}, "json",
              DeleteBody(how));
}

WriteOutcome ControllerWrites::DeleteCollection(const ResourceType& resource, const std::string& ns,
                                                const ControllerDelete& how, TimePoint now) {
  return Send(
      {.verb = WriteVerb::kDeleteCollection, .resource = &resource, .key = {ns, ""}, .now = now},
      "json", DeleteBody(how));
}

WriteOutcome ControllerWrites::Patch(const ResourceType& resource, const ObjectKey& key,
                                     const std::string& type, const ordered_json& patch,
                                     TimePoint now) {
  return Send({.verb = WriteVerb::kPatch, .resource = &resource, .key = key, .now = now},
              type + "+json", WriteJson(patch));
}

WriteOutcome ControllerWrites::Update(const ResourceType& resource, const ObjectKey& key,
                                      const std::string& subresource, const ordered_json& value,
                                      TimePoint now) {
  return Send({.verb = WriteVerb::kReplace,
               .resource = &resource,
               .key = key,
               .subresource = subresource,
               .now = now},
              "json", WriteJson(value));
}

}  // namespace relist::fakeapi
