// Which collection, object or subresource a URL path means.
//
//   ResourcePath path = ParseResourcePath("/api/v1/namespaces/default/configmaps/web");
//   path.kind;       // PathKind::kResource
//   path.resource;   // configmaps
//   path.key;        // default/web
//
// As the real server's router and RequestInfo: "/api/v1/namespaces/x/status" is a namespace's
// status, "/api/v1/watch/..." the legacy watch. Slashes at the end don't count; one too many
// elsewhere is an empty name, and a dot is no step up. Pure function.
#pragma once

#include <string>
#include <string_view>

#include "core/wire/object_key.h"

namespace relist::fakeapi {

struct ResourceType;

enum class PathKind {
  kOther,           // neither below /api nor below a group that is served, or discovery's
  kNoSuchResource,  // below one, but nothing there: a 404 Status (recordings: crud, subresources)
  kIncomplete,      // of a resource, but a name is empty: "pods//status", "namespaces//pods/a"
  kNoVerb,          // "/api/v1/watch": of what? A 500
  kResource,
};

struct ResourcePath {
  PathKind kind = PathKind::kOther;
  const ResourceType* resource = nullptr;
  ObjectKey key;            // no name: the collection; no ns: of all namespaces, or cluster-scoped
  std::string subresource;  // what follows the name
  bool legacy_watch = false;
};

ResourcePath ParseResourcePath(std::string_view path);

}  // namespace relist::fakeapi
