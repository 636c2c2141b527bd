#include "reflector/staged_objects.h"

#include <algorithm>
#include <utility>

namespace relist {

StagedObjects::Staged* StagedObjects::Find(const ObjectKey& key) {
  const auto at = std::lower_bound(
      rising_.begin(), rising_.end(), key,
      [](const Staged& staged, const ObjectKey& wanted) { return staged.object->key() < wanted; });
  return at != rising_.end() && at->object->key() == key ? &*at : nullptr;
}

void StagedObjects::Set(ObjectRef object) {
  if (rising_.empty() || rising_.back().object->key() < object->key()) {
    rising_.push_back({std::move(object)});
  } else if (Staged* staged = Find(object->key())) {
    *staged = {std::move(object)};
  } else {
    late_[object->key()] = std::move(object);
  }
}

void StagedObjects::Erase(const ObjectKey& key) {
  if (Staged* staged = Find(key)) {
    staged->erased = true;
  } else {
    late_.erase(key);
  }
}

std::vector<ObjectRef> StagedObjects::Take() && {
  std::vector<ObjectRef> objects;
  objects.reserve(rising_.size() + late_.size());
  auto late = late_.begin();
  for (Staged& staged : rising_) {
    for (; late != late_.end() && late->first < staged.object->key(); ++late) {
      objects.push_back(std::move(late->second));
    }
    if (!staged.erased) objects.push_back(std::move(staged.object));
  }
  for (; late != late_.end(); ++late) objects.push_back(std::move(late->second));
  return objects;
}

}  // namespace relist
