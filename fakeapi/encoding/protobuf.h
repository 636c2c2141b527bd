// Bodies of the media type application/vnd.kubernetes.protobuf, as the JSON that Go would write of
// what it decodes from them.
//
//   Result<ProtobufBody> body = ReadProtobufBody(bytes);        // "k8s\0" and what follows
//   Result<ordered_json> pod = DecodeProtobuf(*FindProtobufKind("Pod"), body->raw);
//
// Errors are Go's texts: "unexpected EOF", "proto: wrong wireType = 0 for field Name". Unknown
// fields are left out, the last one of a field counts, and messages that come in parts are merged,
// as the real server does. What a message costs is bounded by its bytes, and its depth by the
// table's.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "core/result.h"
#include "fakeapi/encoding/protobuf_table.h"

namespace relist::fakeapi {

struct ProtobufBody {
  std::string api_version, kind;  // may be empty
  std::string raw;                // the object
};

Result<ProtobufBody> ReadProtobufBody(std::string_view body);

// An object, its fields in Go's order; without kind and apiVersion.
Result<nlohmann::ordered_json> DecodeProtobuf(const ProtobufMessage& message,
                                              std::string_view bytes);

}  // namespace relist::fakeapi
