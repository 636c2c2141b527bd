#include "reflector/objects/config_map.h"

#include <nlohmann/json.hpp>

#include "reflector/objects/json_fields.h"

namespace relist::objects {

void from_json(const Json& from, ConfigMap& into) {
  ReadField(from, "metadata", &into.metadata);
  ReadField(from, "data", &into.data);
  ReadField(from, "binaryData", &into.binary_data);
  ReadField(from, "immutable", &into.immutable);
}

void to_json(Json& into, const ConfigMap& from) {
  SetField(&into, "kind", "ConfigMap");
  SetField(&into, "apiVersion", "v1");
  WriteField(&into, "metadata", from.metadata);
  WriteField(&into, "data", from.data);
  WriteField(&into, "binaryData", from.binary_data);
  WriteField(&into, "immutable", from.immutable);
}

}  // namespace relist::objects
