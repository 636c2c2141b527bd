#include "fakeapi/api/resource_path.h"

#include <array>

#include "fakeapi/api/resources.h"

namespace relist::fakeapi {
namespace {

// Takes the text up to the next slash off `rest`.
std::string_view Next(std::string_view* rest) {
  while (!rest->empty() && rest->front() == '/') rest->remove_prefix(1);
  const size_t slash = rest->find('/');
  const std::string_view part = rest->substr(0, slash);
  rest->remove_prefix(slash == std::string_view::npos ? rest->size() : slash + 1);
  return part;
}

bool IsServed(std::string_view group, std::string_view version) {
  for (const ResourceType* type : AllResources()) {
    if (type->resource.group == group && type->resource.version == version) return true;
  }
  return false;
}

bool IsNamespacePart(std::string_view part) {
  return part == "status" || part == "finalize";
}

}  // namespace

ResourcePath ParseResourcePath(std::string_view path) {
  ResourcePath out;
  std::string_view rest = path;
  const std::string_view root = Next(&rest);
  if (root != "api" && root != "apis") return out;
  const std::string_view group = root == "api" ? std::string_view() : Next(&rest);
  if (root == "apis" && group.empty()) return out;
  const std::string_view version = Next(&rest);
  std::string_view plural = Next(&rest);
  if (plural.empty() || !IsServed(group, version)) return out;
  out.kind = PathKind::kNoSuchResource;
  if (plural == "watch") {
    out.legacy_watch = true;
    plural = Next(&rest);
  }
  bool in_namespace = false;
  if (plural == "namespaces") {
    std::string_view after = rest;
    const std::string_view ns = Next(&after);
    std::string_view tail = after;
    const std::string_view part = Next(&tail);
    if (!part.empty() && !IsNamespacePart(part)) {
      in_namespace = true;
      out.key.ns = ns;
      plural = part;
      rest = tail;
    }
  }
  out.resource = FindResource(group, version, plural);
  out.key.name = Next(&rest);
  out.subresource = rest;
  if (out.resource == nullptr) return out;
  if (in_namespace && !out.resource->namespaced()) return out;
  if (!in_namespace && out.resource->namespaced() && !out.key.name.empty()) return out;
  out.kind = PathKind::kResource;
  return out;
}

}  // namespace relist::fakeapi
