#include "fakeapi/encoding/protobuf_table.h"

#include "core/check.h"

namespace relist::fakeapi {
namespace protobuf_fields {

using enum ProtobufType;
using enum ProtobufField::Flag;

#include "fakeapi/encoding/protobuf_fields.inc"

constexpr ProtobufField kTimestampFields[] = {{1, "seconds", kInt64}, {2, "nanos", kInt32}};
constexpr ProtobufMessage kTimestamp{"Timestamp", kTimestampFields};

constexpr ProtobufField kQuantityFields[] = {{1, "string", kQuantityText, 0, nullptr, "String_"}};
constexpr ProtobufMessage kQuantityMessage{"Quantity", kQuantityFields};

constexpr ProtobufField kIntOrStringFields[] = {
    {1, "type", kInt64}, {2, "intVal", kInt32}, {3, "strVal", kString}};
constexpr ProtobufMessage kIntOrStringMessage{"IntOrString", kIntOrStringFields};

constexpr ProtobufField kFieldsV1Fields[] = {{1, "raw", kRaw}};
constexpr ProtobufMessage kFieldsV1Message{"FieldsV1", kFieldsV1Fields};

constexpr ProtobufField kTypeMetaFields[] = {{1, "apiVersion", kString, 0, nullptr, "APIVersion"},
                                             {2, "kind", kString}};
constexpr ProtobufMessage kTypeMeta{"TypeMeta", kTypeMetaFields};

constexpr ProtobufField kUnknownFields[] = {{1, "typeMeta", kMessage, 0, &kTypeMeta},
                                            {2, "raw", kRaw},
                                            {3, "contentEncoding", kString},
                                            {4, "contentType", kString}};
constexpr ProtobufMessage kUnknown{"Unknown", kUnknownFields};

}  // namespace protobuf_fields

const ProtobufMessage* FindProtobufKind(std::string_view kind) {
  for (const ProtobufMessage* message : protobuf_fields::kKinds) {
    if (message->name == kind) return message;
  }
  return nullptr;
}

const ProtobufMessage& ProtobufValueMessage(ProtobufType type) {
  switch (type) {
    case ProtobufType::kTime:
    case ProtobufType::kMicroTime:
      return protobuf_fields::kTimestamp;
    case ProtobufType::kQuantity:
      return protobuf_fields::kQuantityMessage;
    case ProtobufType::kIntOrString:
      return protobuf_fields::kIntOrStringMessage;
    default:
      CHECK(type == ProtobufType::kFieldsV1, "type {} is no message", static_cast<int>(type));
      return protobuf_fields::kFieldsV1Message;
  }
}

const ProtobufMessage& ProtobufEnvelope() {
  return protobuf_fields::kUnknown;
}

}  // namespace relist::fakeapi
