// The name of an object within one resource: namespace and name. Ordered as the API server orders
// lists.
//
//   ObjectKey key{"default", "web"};
//   key.ToString();   // "default/web", client-go's cache key; a cluster-scoped object is just
//   "web"
#pragma once

#include <compare>
#include <string>

namespace relist {

struct ObjectKey {
  std::string ns;  // empty for cluster-scoped objects
  std::string name;

  std::string ToString() const { return ns.empty() ? name : ns + "/" + name; }
  // The inverse of ToString(); more than one slash leaves the rest in the name (callers that mind
  // check).
  static ObjectKey Parse(const std::string& text) {
    const size_t slash = text.find('/');
    if (slash == std::string::npos) return {"", text};
    return {text.substr(0, slash), text.substr(slash + 1)};
  }
  auto operator<=>(const ObjectKey&) const = default;
};

}  // namespace relist
