// What a reflector writes to: RealFifo, or a store of somebody's own.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/result.h"
#include "core/wire/object.h"

namespace relist {

// Changes an object before it is stored, to drop what nobody reads. Must be idempotent (initial
// objects of a streaming list pass twice, WLM-04) and keep the key.
using Transform = std::function<Result<ObjectRef>(const ObjectRef&)>;

class ReflectorStore {
 public:
  virtual ~ReflectorStore() = default;
  // Errors are logged and otherwise ignored: the position moves on (EVT-04).
  virtual Result<void> Add(ObjectRef object) = 0;
  virtual Result<void> Update(ObjectRef object) = 0;
  virtual Result<void> Delete(ObjectRef object) = 0;
  // An Error makes the reflector list again.
  virtual Result<void> Replace(std::vector<ObjectRef> objects,
                               const std::string& resource_version) = 0;
  // Replays what is known. An Error ends the watch (WCH-11).
  virtual Result<void> Resync() = 0;
  virtual void Bookmark(const std::string&) {}
  // The position of a watch has moved, by whatever event (EVT-08).
  virtual void UpdateResourceVersion(const std::string&) {}
  virtual const Transform& transform() const {
    static const Transform kNone;
    return kNone;
  }
};

}  // namespace relist
