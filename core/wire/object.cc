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

Object::Object(std::string bytes, Head head) : Object(std::move(bytes), nullptr, std::move(head)) {}
Object::Object(std::shared_ptr<const std::string> bytes, Head head)
    : Object("", std::move(bytes), std::move(head)) {}
Object::Object(std::string bytes, std::shared_ptr<const std::string> shared, Head head)
    : bytes_(std::move(bytes)),
      shared_(std::move(shared)),
      key_(std::move(head.key)),
      resource_version_(std::move(head.resource_version)),
      type_(TypeOf(&head)) {
  KeepUid(std::move(head.uid));
}
Object::~Object() {
  if (attached_) attached_type_->destroy(attached_);
  delete json_.load();
}

std::shared_ptr<const Object::Type> Object::TypeOf(Head* head) {
  static thread_local std::shared_ptr<const Type> last = std::make_shared<Type>();
  if (last->kind != head->kind || last->api_version != head->api_version) {
    last = std::make_shared<Type>(Type{std::move(head->kind), std::move(head->api_version)});
  }
  return last;
}

void Object::KeepUid(std::string uid) {
  const size_t at = uid.empty() ? 0 : bytes().find(uid);
  if (at <= UINT32_MAX && uid.size() <= UINT32_MAX) {  // npos is far above
    uid_at_ = static_cast<uint32_t>(at);
    uid_size_ = static_cast<uint32_t>(uid.size());
  } else {
    odd_uid_ = std::make_unique<const std::string>(std::move(uid));
  }
}

std::string_view Object::uid() const {
  if (odd_uid_) return *odd_uid_;
  return std::string_view(bytes()).substr(uid_at_, uid_size_);
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

// Two that come at once both parse it, and one of them for nothing: a lock would cost each object
// memory, and most are never asked.
const nlohmann::json& Object::json() const {
  if (const nlohmann::json* known = json_.load()) return *known;
  std::string text = bytes();
  auto parsed = std::make_unique<nlohmann::json>();
  if (!ParseJson(&text, parsed.get()) || !parsed->is_object()) *parsed = nlohmann::json::object();
  const nlohmann::json* known = nullptr;
  if (json_.compare_exchange_strong(known, parsed.get())) return *parsed.release();
  return *known;
}

}  // namespace relist
