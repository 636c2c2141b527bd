// An API object: immutable, shared, its JSON bytes as they came, and the few fields everybody
// needs.
//
//   Result<ObjectRef> object = Object::Parse(bytes);
//   (*object)->key().ToString();            // "default/web"
//   (*object)->json()["data"]["colour"];    // parsed when first asked
//
// An ObjectRef may be copied and read from any thread; json() is parsed when it is asked for
// first, and stays.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "core/result.h"
#include "core/wire/json_text.h"
#include "core/wire/object_key.h"

namespace relist {

class Object;
using ObjectRef = std::shared_ptr<const Object>;

class Object {
 public:
  // What simdjson, or whoever made the bytes, already knows of them. Nothing is checked against the
  // bytes.
  struct Head {
    ObjectKey key;
    std::string uid;
    std::string resource_version;
    std::string kind;  // may be empty (items of a built-in kind's list carry none)
    std::string api_version;
  };

  Object(std::string bytes, Head head);
  // Of bytes that somebody else keeps, too; nothing is copied.
  Object(std::shared_ptr<const std::string> bytes, Head head);
  ~Object();
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  // Reads the head out of `bytes`: one JSON object with metadata. Go's rules for duplicate keys
  // (the last wins); invalid UTF-8 becomes U+FFFD, in bytes() as well. Error::Net(kProtocol) where
  // it is not JSON, not an object, or nests too deep.
  static Result<ObjectRef> Parse(std::string bytes);
  // From a value that is already there; serialised once (keys sorted, as nlohmann does).
  static ObjectRef FromJson(const nlohmann::json& value);

  const std::string& bytes() const { return shared_ ? *shared_ : bytes_; }
  const ObjectKey& key() const { return key_; }
  std::string_view uid() const;
  const std::string& resource_version() const { return resource_version_; }
  const std::string& kind() const { return type_->kind; }
  const std::string& api_version() const { return type_->api_version; }
  // Invalid UTF-8 is U+FFFD here, too; bytes that are no JSON object give an empty one.
  const nlohmann::json& json() const;

  // What a value is that was made of an object: equal where it is the same constant.
  struct AttachedType {
    void (*destroy)(const void* value);
  };
  // Keeps `value` (null: none could be made) with the object, which frees it in the end: how a
  // version is parsed once for all who want it typed. Once, by the thread that has the object to
  // itself: before it is shared.
  void Attach(const void* value, const AttachedType& type) const;
  bool has_attached(const AttachedType& type) const { return attached_type_ == &type; }
  // Null also where another type's value, or none, is attached.
  const void* attached(const AttachedType& type) const {
    return has_attached(type) ? attached_ : nullptr;
  }

 private:
  // A hundred thousand objects are of one type: they share its names.
  struct Type {
    std::string kind, api_version;
  };
  Object(std::string bytes, std::shared_ptr<const std::string> shared, Head head);
  static std::shared_ptr<const Type> TypeOf(Head* head);
  void KeepUid(std::string uid);

  const std::string bytes_;                          // of its own, where none are shared
  const std::shared_ptr<const std::string> shared_;  // may be null
  const ObjectKey key_;
  const std::string resource_version_;
  const std::shared_ptr<const Type> type_;
  // The uid, where it stands in bytes(); it would be a third of what an object takes beside them.
  uint32_t uid_at_ = 0, uid_size_ = 0;
  std::unique_ptr<const std::string> odd_uid_;  // one that stands there in other words; else null
  mutable std::atomic<const nlohmann::json*> json_ = nullptr;  // ours; null: nobody asked for it
  mutable const void* attached_ = nullptr;
  mutable const AttachedType* attached_type_ = nullptr;
};

}  // namespace relist
