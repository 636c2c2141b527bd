#include "scenarios/script/object_bodies.h"

#include <nlohmann/json.hpp>
#include <string_view>

#include "core/check.h"

namespace relist {

const fakeapi::ResourceType& TypeOf(const std::string& resource) {
  const fakeapi::ResourceType* type = fakeapi::FindByName(resource);
  CHECK(type, "an unknown resource \"{}\" got past the reading of the scenario", resource);
  return *type;
}

const char* SmallestBody(const fakeapi::ResourceType& type) {
  const std::string_view plural = type.resource.plural;
  if (plural == "pods") return R"({"spec":{"containers":[{"name":"c","image":"i"}]}})";
  if (plural == "services") return R"({"spec":{"ports":[{"port":80}]}})";
  if (plural == "deployments") {
    return R"({"spec":{"selector":{"matchLabels":{"a":"b"}},"template":{"metadata":{"labels":{"a":"b"}},)"
           R"("spec":{"containers":[{"name":"c","image":"i"}]}}}})";
  }
  return "{}";
}

std::string BodyOf(const ObjectSpec& object) {
  const Resource& resource = TypeOf(object.resource).resource;
  nlohmann::ordered_json body = {{"kind", resource.kind}, {"apiVersion", resource.GroupVersion()}};
  body["metadata"]["name"] = object.name;
  if (!object.ns.empty()) body["metadata"]["namespace"] = object.ns;
  body.merge_patch(nlohmann::ordered_json::parse(object.body_json));
  return body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

size_t GrowTo(ObjectSpec* object, size_t bytes) {
  constexpr char kFiller[] = "filler";
  auto body = nlohmann::ordered_json::parse(object->body_json);
  body["metadata"]["annotations"][kFiller] = "";
  ObjectSpec grown = *object;
  grown.body_json = body.dump();
  const size_t least = BodyOf(grown).size();
  if (least > bytes) return least;
  body["metadata"]["annotations"][kFiller] = std::string(bytes - least, 'x');
  object->body_json = body.dump();
  return bytes;
}

}  // namespace relist
