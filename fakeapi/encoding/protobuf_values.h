// Kubernetes' messages whose JSON is one value, and what Go makes of a message's texts and times.
//
//   ProtobufValue(ProtobufType::kTime, {{"seconds", 1767225600}, {"nanos", 0}});
//       // "2026-01-01T00:00:00Z"
//
// Errors are Go's texts.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "core/result.h"
#include "fakeapi/encoding/protobuf_table.h"

namespace relist::fakeapi {

// `fields` has every field of ProtobufValueMessage(type).
Result<nlohmann::ordered_json> ProtobufValue(ProtobufType type,
                                             const nlohmann::ordered_json& fields);

// "500m", "1Gi". What is good is kept as it is: clients send the form that the real server would
// write.
Result<void> CheckQuantity(std::string_view text);

}  // namespace relist::fakeapi
