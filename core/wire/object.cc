#include "core/wire/object.h"

#include <nlohmann/json.hpp>

#include "core/wire/json_text.h"

namespace relist {
namespace {

using nlohmann::json;

Object::Head HeadOf(const json& value) {
  Object::Head head;
  head.kind = TextAt(value, "kind");
  head.api_version = TextAt(value, "apiVersion");
  const auto meta = value.find("metadata");
  if (meta == value.end() || !meta->is_object()) return head;
  head.key = {TextAt(*meta, "namespace"), TextAt(*meta, "name")};
  head.uid = TextAt(*meta, "uid");
  head.resource_version = TextAt(*meta, "resourceVersion");
  return head;
}

}  // namespace

Object::Object(std::string bytes, Head head) : bytes_(std::move(bytes)), head_(std::move(head)) {}
Object::Object(std::shared_ptr<const std::string> bytes, Head head)
    : shared_(std::move(bytes)), head_(std::move(head)) {}
Object::~Object() {
  if (attached_) attached_type_->destroy(attached_);
}

Result<ObjectRef> Object::Parse(std::string bytes) {
  if (JsonDepth(bytes) > kJsonDepthMax) {
    return Error::Net(Transport::kProtocol,
                      "JSON nests deeper than " + std::to_string(kJsonDepthMax));
  }
  nlohmann::json value;
  if (!ParseJson(&bytes, &value)) return Error::Net(Transport::kProtocol, "not JSON");
  if (!value.is_object()) return Error::Net(Transport::kProtocol, "JSON, but not an object");
  Head head = HeadOf(value);
  return ObjectRef(std::make_shared<Object>(std::move(bytes), std::move(head)));
}

ObjectRef Object::FromJson(const nlohmann::json& value) {
  CHECK(value.is_object(), "an Object is made of a JSON object");
  Head head = HeadOf(value);
  return std::make_shared<Object>(
      value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace), std::move(head));
}

void Object::Attach(const void* value, const AttachedType& type) const {
  CHECK(!attached_type_, "an object has one attached value: {}", key().ToString());
  attached_ = value;
  attached_type_ = &type;
}

const nlohmann::json& Object::json() const {
  std::call_once(parsed_, [this] {
    std::string text = bytes();
    json_ = std::make_unique<nlohmann::json>();
    if (!ParseJson(&text, json_.get()) || !json_->is_object()) *json_ = nlohmann::json::object();
  });
  return *json_;
}

}  // namespace relist
