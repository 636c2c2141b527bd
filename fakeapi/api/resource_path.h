// Which collection, object or subresource a URL path means.
//
//   ResourcePath path = ParseResourcePath("/api/v1/namespaces/default/configmaps/web");
//   path.kind;       // PathKind::kResource
//   path.resource;   // configmaps
//   path.key;        // default/web
//
// As the real server's RequestInfo: "/api/v1/namespaces/x/status" is a namespace's status,
// "/api/v1/watch/..." the legacy watch. Pure function.
#pragma once

#include <string>
#include <string_view>

#include "core/wire/object_key.h"

namespace relist::fakeapi {

struct ResourceType;

enum class PathKind {
  kOther,           // not under a group and version that is served
  kNoSuchResource,  // under one, but nothing there: a 404 Status (recordings: crud, subresources)
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
