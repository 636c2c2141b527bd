// Which number a field of a Kubernetes message has, and what it is in JSON.
//
//   const ProtobufMessage* pod = FindProtobufKind("Pod");
//   pod->fields[0].json_name;   // "metadata"; in the order in which Go writes them
//
// The numbers, names and types are protobuf_fields.inc, which tools/protobuf writes.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace relist::fakeapi {

// kBool to kInt64 are varints, kMessage to kFieldsV1 messages.
enum class ProtobufType : uint8_t {
  kString,
  kBool,
  kInt32,
  kInt64,
  kBytes,  // base64 in JSON
  kMessage,
  // Those whose JSON is one value (protobuf_values.h).
  kTime,
  kMicroTime,
  kQuantity,
  kIntOrString,
  kFieldsV1,
  kRaw,           // bytes as they are
  kQuantityText,  // checked while it is read
};

struct ProtobufMessage;

struct ProtobufField {
  // Go's field is a pointer, slice or map, is tagged so, or is embedded: its fields are the
  // parent's.
  enum Flag {
    kOmitEmpty = 1,
    kOmitZero = 2,
    kPointer = 4,
    kList = 8,
    kMap = 16,  // from strings
    kInline = 32,
  };

  int32_t number;
  std::string_view json_name;
  ProtobufType type;
  int flags = 0;
  const ProtobufMessage* message = nullptr;  // of kMessage
  std::string_view go_name;                  // "": json_name with a capital letter

  bool Has(Flag flag) const { return (flags & flag) != 0; }
};

// It contains only messages that stand before it in the table: none contains itself.
struct ProtobufMessage {
  std::string_view name;
  std::span<const ProtobufField> fields;
};

// "Pod", "DeleteOptions"; null where there is none.
const ProtobufMessage* FindProtobufKind(std::string_view kind);

// The message behind a type whose JSON is one value.
const ProtobufMessage& ProtobufValueMessage(ProtobufType type);

// What a body is wrapped in.
const ProtobufMessage& ProtobufEnvelope();

}  // namespace relist::fakeapi
