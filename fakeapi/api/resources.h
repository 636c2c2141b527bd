// The kinds served: group, version, plural, scope, names, verbs. Built once; grown by CRDs in a
// later version.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/wire/resource.h"

namespace relist::fakeapi {

// "status" of "pods/status": what a resource list says of it. What is listed and not done is
// answered with 501.
struct Subresource {
  std::string name;
  std::string kind;
  std::string group,
      version;  // of `kind`, where it is not the resource's own ("autoscaling", "v1")
  std::vector<std::string> verbs;
};

// One row of the table. Rows have static lifetime and are compared by address.
struct ResourceType {
  Resource resource;  // group, version, plural, kind, namespaced
  std::string singular;
  std::vector<std::string> short_names;
  std::vector<std::string> categories;       // "all"
  std::vector<std::string> field_selectors;  // besides metadata.name and metadata.namespace
  std::vector<std::string> verbs;            // as the real server's resource list has them

  std::vector<Subresource> subresources;  // in the order of the real server's discovery
  std::string storage_version_hash;       // opaque; as the real server prints it, or empty

  // Null where it has none of that name.
  const Subresource* FindSubresource(std::string_view name) const;
  bool Allows(std::string_view verb) const;  // "deletecollection" ...
  const std::string& kind() const { return resource.kind; }
  std::string list_kind() const { return resource.kind + "List"; }
  bool namespaced() const { return resource.namespaced; }
};

// All kinds, in the order of the real server's discovery.
const std::vector<const ResourceType*>& AllResources();
// Null where the kind is not served.
const ResourceType* FindResource(std::string_view group, std::string_view version,
                                 std::string_view plural);
const ResourceType* FindKind(std::string_view api_version, std::string_view kind);
// By plural, singular, short name, or "plural.group": what a person types. Null if unknown.
const ResourceType* FindByName(std::string_view name);

}  // namespace relist::fakeapi
