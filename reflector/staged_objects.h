// The objects of a streaming list before its end: the last version of each, in key order.
//
//   StagedObjects staged;
//   staged.Set(object);
//   staged.Erase(key);
//   std::vector<ObjectRef> objects = std::move(staged).Take();
//
// A server sends them in key order (SRV-21), and then each costs no more than a reference; in any
// other order they come out right as well. Not thread-safe.
#pragma once

#include <map>
#include <vector>

#include "core/wire/object.h"

namespace relist {

class StagedObjects {
 public:
  void Set(ObjectRef object);
  void Erase(const ObjectKey& key);
  std::vector<ObjectRef> Take() &&;

 private:
  struct Staged {
    ObjectRef object;
    bool erased = false;
  };
  Staged* Find(const ObjectKey& key);

  std::vector<Staged> rising_;           // keys rise
  std::map<ObjectKey, ObjectRef> late_;  // those that came behind a higher key; never in rising_
};

}  // namespace relist
