// The name of an object within one resource: namespace and name. Ordered as the API server orders
// lists, by "ns/name" as bytes: "a-b/x" comes before "a/x".
//
//   ObjectKey key{"default", "web"};
//   key.ToString();   // "default/web", client-go's cache key; a cluster-scoped one is just "web"
#pragma once

#include <algorithm>
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
  bool operator==(const ObjectKey&) const = default;
  std::strong_ordering operator<=>(const ObjectKey& other) const {
    if (ns == other.ns) return name <=> other.name;
    const size_t shared = std::min(ns.size(), other.ns.size());
    if (const int order = ns.compare(0, shared, other.ns, 0, shared); order != 0)
      return order <=> 0;
    // One namespace begins with the other: the shorter one goes on with the slash.
    const bool shorter = ns.size() < other.ns.size();
    const bool slash_first = shared == 0 || '/' <= (shorter ? other.ns : ns)[shared];
    return shorter == slash_first ? std::strong_ordering::less : std::strong_ordering::greater;
  }
};

}  // namespace relist
