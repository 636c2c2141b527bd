// The body of a write as a value: media type, syntax, kind, schema and strictness, in the real
// server's order.
//
//   nlohmann::ordered_json value;
//   std::vector<std::string> warnings;
//   Result<void> read = ReadObjectBody(configmaps, request, FieldValidation::kWarn, &value,
//   &warnings);
//
// Errors are Statuses ready to be sent. Bodies that nest deeply need a deep stack (deep_stack.h).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "fakeapi/api/resources.h"
#include "fakeapi/write/write_options.h"

namespace relist::fakeapi {

enum class BodyMedia { kJson, kYaml, kProtobuf };

// 415 for what is none of them; nothing at all is JSON. Parameters of the media type don't count.
Result<BodyMedia> BodyMediaOf(const Request& request);

// `value` has the schema's order, and neither kind nor apiVersion. Warnings are texts for Warning
// headers.
Result<void> ReadObjectBody(const ResourceType& resource, const Request& request,
                            FieldValidation validation, nlohmann::ordered_json* value,
                            std::vector<std::string>* warnings);

// The same for a value that is there already (a patched object). Errors are plain texts, for the
// caller to wrap. `complaints` are those that its text gave reason for.
Result<void> DecodeObject(const ResourceType& resource, FieldValidation validation,
                          std::vector<std::string> complaints, nlohmann::ordered_json* value,
                          std::vector<std::string>* warnings);

}  // namespace relist::fakeapi
