#include "fakeapi/controllers/controller_writes.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "core/wire/status.h"
#include "fakeapi/encoding/json_writer.h"

namespace relist::fakeapi {
namespace {

using nlohmann::ordered_json;

std::string DeleteBody(const std::string& propagation) {
  return WriteJson(
      {{"kind", "DeleteOptions"}, {"apiVersion", "v1"}, {"propagationPolicy", propagation}});
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

WriteOutcome ControllerWrites::Create(const ResourceType& resource, const std::string& ns,
                                      const ordered_json& value, TimePoint now) {
  return Send({.verb = WriteVerb::kCreate, .resource = &resource, .key = {ns, ""}, .now = now},
              "json", WriteJson(value));
}

WriteOutcome ControllerWrites::Delete(const ResourceType& resource, const ObjectKey& key,
                                      const std::string& propagation, TimePoint now) {
  return Send({.verb = WriteVerb::kDelete, .resource = &resource, .key = key, .now = now}, "json",
              DeleteBody(propagation));
}

WriteOutcome ControllerWrites::DeleteCollection(const ResourceType& resource, const std::string& ns,
                                                const std::string& propagation, TimePoint now) {
  return Send(
      {.verb = WriteVerb::kDeleteCollection, .resource = &resource, .key = {ns, ""}, .now = now},
      "json", DeleteBody(propagation));
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
