// What metadata may be: names, labels, annotations, finalizers, owners; and what of it may not
// change.
//
//   for (const FieldError& error : ValidateMetadata(configmaps, metadata)) ...
//
// Texts: recordings, chapter validation.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "core/wire/names.h"
#include "fakeapi/api/api_errors.h"
#include "fakeapi/api/resources.h"

namespace relist::fakeapi {

// Why an object of that kind cannot be called so; empty: it can.
NameErrors NameErrorsOf(const ResourceType& resource, std::string_view name);

std::vector<FieldError> ValidateMetadata(const ResourceType& resource,
                                         const nlohmann::ordered_json& metadata);

// uid, creationTimestamp and deletionTimestamp are immutable. To be asked before they are carried
// over.
std::vector<FieldError> ValidateMetadataUpdate(const nlohmann::ordered_json& old,
                                               const nlohmann::ordered_json& metadata);

}  // namespace relist::fakeapi
