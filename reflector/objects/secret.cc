#include "reflector/objects/secret.h"

#include <nlohmann/json.hpp>

#include "core/wire/base64.h"
#include "reflector/objects/json_fields.h"

namespace relist::objects {

void from_json(const Json& from, Secret& into) {
  ReadField(from, "metadata", &into.metadata);
  ReadField(from, "type", &into.type);
  ReadField(from, "data", &into.data);
  for (auto& [key, value] : into.data) {
    Result<std::string> bytes = DecodeBase64(value);
    if (!bytes.ok()) throw WrongField("data." + key, bytes.error().message());
    value = std::move(*bytes);
  }
  ReadField(from, "immutable", &into.immutable);
}

void to_json(Json& into, const Secret& from) {
  SetField(&into, "kind", "Secret");
  SetField(&into, "apiVersion", "v1");
  WriteField(&into, "metadata", from.metadata);
  WriteField(&into, "type", from.type);
  StringMap encoded = from.data;
  for (auto& [key, value] : encoded) value = EncodeBase64(value);
  WriteField(&into, "data", encoded);
  WriteField(&into, "immutable", from.immutable);
}

}  // namespace relist::objects
