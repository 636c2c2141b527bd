// The options of an informer of T's: what T says of itself, and who reads it.
#pragma once

#include <concepts>
#include <utility>

#include "core/wire/resource.h"
#include "reflector/informers/informer_options.h"
#include "reflector/informers/typed_reader.h"

namespace relist {

// A T that knows its collection: `static Resource GetResource()`. Those of objects/ do.
template <class T>
concept HasResource = requires {
  { T::GetResource() } -> std::convertible_to<Resource>;
};

// A T that can be written, too: where there is a mutation detector (AUX-01), it sees who changes
// one.
template <class T>
concept HasToJson = requires(nlohmann::json& into, const T& value) { to_json(into, value); };

// Events of another kind than T's are skipped then (EVT-03), and the log names the collection.
template <class T>
InformerOptions TypedOptions(InformerOptions options) {
  if constexpr (HasResource<T>) {
    const Resource resource = T::GetResource();
    if (options.reflector.expected_kind.empty()) {
      options.reflector.expected_kind = resource.kind;
      options.reflector.expected_api_version = resource.GroupVersion();
    }
    if (options.description == InformerOptions().description) {
      options.description = resource.GroupResource();
    }
  }
  if constexpr (HasToJson<T>) {
    options.digest = [](const Object& object) -> uint64_t {
      const void* value = object.attached(kAttachedType<T>);
      if (!value) return 0;
      return DigestOfJson(
          [value](nlohmann::json& into) { to_json(into, *static_cast<const T*>(value)); });
    };
  }
  return options;
}

// `reader` must outlive the informer.
inline InformerOptions ReadBy(TypedReader& reader, InformerOptions options) {
  options.read = [&reader](const Object& object) { return reader.Read(object); };
  return options;
}

}  // namespace relist
