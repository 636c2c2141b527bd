#include "scenarios/script/yaml_notes.h"

#include <algorithm>

namespace relist {

void YamlNotes::Add(const std::string& map, const std::string& key, const KeyShape& shape) {
  std::vector<Key>& keys = maps_[map];
  auto found =
      std::find_if(keys.begin(), keys.end(), [&](const Key& one) { return one.name == key; });
  if (found == keys.end()) found = keys.insert(keys.end(), {key, {}});
  std::vector<KeyShape>& shapes = found->shapes;
  if (shape.kind != KeyShape::Kind::kAny &&
      std::find(shapes.begin(), shapes.end(), shape) == shapes.end()) {
    shapes.push_back(shape);
  }
}

const std::vector<YamlNotes::Key>& YamlNotes::Of(const std::string& map) const {
  static const std::vector<Key> kNone;
  const auto found = maps_.find(map);
  return found == maps_.end() ? kNone : found->second;
}

}  // namespace relist
