#include "fakeapi/api/resource_path.h"

#include "fakeapi/api/resources.h"

namespace relist::fakeapi {
namespace {

// The parts of a path between slashes, one after another.
class Parts {
 public:
  // Slashes at the end don't count.
  explicit Parts(std::string_view path) : rest_(path) {
    while (rest_.ends_with('/')) rest_.remove_suffix(1);
    at_end_ = !rest_.starts_with('/');
    if (!at_end_) rest_.remove_prefix(1);
  }

  bool at_end() const { return at_end_; }
  // "" at the end, or where two slashes have nothing between them.
  std::string_view Next() {
    const size_t slash = rest_.find('/');
    const std::string_view part = rest_.substr(0, slash);
    at_end_ = slash == std::string_view::npos;
    rest_.remove_prefix(at_end_ ? rest_.size() : slash + 1);
    return part;
  }
  std::string_view rest() const { return rest_; }

 private:
  std::string_view rest_;
  bool at_end_ = false;
};

// Of each group that is served.
constexpr std::string_view kOnlyVersion = "v1";

bool IsServed(std::string_view group) {
  for (const ResourceType* type : AllResources()) {
    if (type->resource.group == group) return true;
  }
  return false;
}

bool IsNamespacePart(std::string_view part) {
  return part == "status" || part == "finalize";
}

// True where what follows "namespaces" is a resource in one, and not a namespace's own.
bool EnterNamespace(Parts* parts, std::string_view* plural, ResourcePath* out) {
  Parts after = *parts;
  const std::string_view ns = after.Next();
  if (after.at_end()) return false;
  const std::string_view part = after.Next();
  if (IsNamespacePart(part)) return false;
  out->key.ns = ns;
  *plural = part;
  *parts = after;
  return true;
}

// Takes apart what stands behind group and version.
void ParseBehindVersion(std::string_view group, std::string_view version, Parts parts,
                        ResourcePath* out) {
  std::string_view plural = parts.Next();
  if (plural == "watch") {
    out->legacy_watch = true;
    plural = parts.Next();
  }
  const bool in_namespace = plural == "namespaces" && EnterNamespace(&parts, &plural, out);
  out->resource = FindResource(group, version, plural);
  const bool has_name = !parts.at_end();
  out->key.name = parts.Next();
  out->subresource = parts.rest();
  if (out->resource == nullptr) return;
  if (in_namespace && !out->resource->namespaced()) return;
  const bool lacks_namespace = out->resource->namespaced() && out->key.ns.empty() && has_name;
  if (lacks_namespace && !in_namespace) return;
  const bool lacks_name = has_name && out->key.name.empty();
  if (lacks_name && out->resource->FindSubresource(out->subresource) == nullptr) return;
  out->kind = lacks_name || lacks_namespace ? PathKind::kIncomplete : PathKind::kResource;
}

}  // namespace

ResourcePath ParseResourcePath(std::string_view path) {
  ResourcePath out;
  Parts parts(path);
  const std::string_view root = parts.Next();
  if ((root != "api" && root != "apis") || parts.at_end()) return out;
  const std::string_view group = root == "api" ? std::string_view() : parts.Next();
  if (root == "apis" && parts.at_end()) return out;  // "/apis/apps"
  const std::string_view version = parts.Next();
  Parts verb = parts;
  const std::string_view first = verb.Next();
  if (verb.at_end() && (first == "watch" || first == "proxy")) {
    out.kind = PathKind::kNoVerb;
    return out;
  }
  if (root == "apis" && (group.empty() || !IsServed(group))) return out;
  if (version == kOnlyVersion && parts.at_end()) return out;  // "/apis/apps/v1"
  out.kind = PathKind::kNoSuchResource;
  if (version == kOnlyVersion) ParseBehindVersion(group, version, parts, &out);
  return out;
}

}  // namespace relist::fakeapi
