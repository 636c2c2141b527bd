// What a kind's JSON looks like at the top level and in metadata: names, order, types, and zero
// values.
//
//   Result<std::vector<std::string>> unknown = FitToSchema(configmaps, &value);
//   unknown.error().message();   // json: cannot unmarshal number into Go struct field
//   ConfigMap.data of type string *unknown;                    // {"surprise", "metadata.colour"}:
//   taken out of the value
//
// Deeper fields (a pod's spec) are kept as they come. Recordings: chapters validation, kinds.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "fakeapi/api/resources.h"

namespace relist::fakeapi {

enum class FieldType {
  kMeta,
  kString,
  kBool,
  kInteger,
  kTime,       // text, RFC 3339
  kStringMap,  // sorted by key when written
  kBytesMap,   // values are base64
  kStringList,
  kStruct,     // any object
  kStructList  // any array of objects
};

struct FieldSchema {
  std::string_view name;
  FieldType type;
  std::string_view go_type;  // for texts: "v1.PodSpec"
  std::string_view zero;     // JSON written where the field is absent; "": left out
};

// In the order in which the real server writes them, kind and apiVersion left out.
const std::vector<FieldSchema>& TopLevelFields(const ResourceType& resource);
const std::vector<FieldSchema>& MetadataFields();

// Orders `value` (an object) by the schema, takes out nulls, empty optional fields and what is
// unknown, and checks types. The answer is the unknown fields' paths; the Error's message is Go's.
// kind and apiVersion are taken out, too.
Result<std::vector<std::string>> FitToSchema(const ResourceType& resource,
                                             nlohmann::ordered_json* value);

// Puts the fields of `metadata` into the real server's order (they are known, and of the right
// types).
void OrderMetadata(nlohmann::ordered_json* metadata);

// Zero values where they are missing, at any depth of the templates: {"spec":{}} of a Lease, a
// Node's nodeInfo.
void FillZeroValues(const ResourceType& resource, nlohmann::ordered_json* value);

// `,"spec":{"containers":null},"status":{}`: what follows metadata in the kind's zero value.
std::string ZeroValueTail(const ResourceType& resource);

}  // namespace relist::fakeapi
