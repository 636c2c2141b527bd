// Who is whose: every object with ownerReferences, and by uid those that depend on it.
//
//   DependencyGraph graph;
//   graph.Set(dependent);                        // or graph.Remove(uid)
//   for (const Dependent& one : graph.DependentsOf(owner_uid)) ...
//
// As up to date as the store: nothing is ever "virtual", as it is in the real collector's graph. In
// the order in which dependents came. Values; one thread.
#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/wire/object_key.h"

namespace relist::fakeapi {

struct ResourceType;  // fakeapi/api/resources.h

struct OwnerReference {
  std::string api_version, kind, name, uid;
  bool blocks = false;  // blockOwnerDeletion
  bool operator==(const OwnerReference&) const = default;
};
// Of an object's metadata; what is no reference is left out.
std::vector<OwnerReference> OwnersIn(const nlohmann::ordered_json& metadata);

// An object, as the collector names it. uids make the order, and whether two are the same.
struct GarbageItem {
  const ResourceType* resource = nullptr;
  ObjectKey key;
  std::string uid;
  bool operator==(const GarbageItem& other) const { return uid == other.uid; }
  auto operator<=>(const GarbageItem& other) const { return uid <=> other.uid; }
};

struct Dependent {
  GarbageItem item;
  std::vector<OwnerReference> owners;

  // Its owner of that uid can't go in the foreground before it.
  bool Blocks(const std::string& owner_uid) const;
};

class DependencyGraph {
 public:
  // Null where it has no owners.
  const Dependent* Find(const std::string& uid) const;
  void Set(Dependent dependent);
  void Remove(const std::string& uid);
  std::vector<const Dependent*> DependentsOf(const std::string& owner_uid) const;
  bool HasDependents(const std::string& owner_uid) const { return by_owner_.contains(owner_uid); }
  void Clear();

 private:
  struct Node {
    Dependent dependent;
    uint64_t place = 0;
  };

  std::map<std::string, Node> nodes_;
  std::map<std::string, std::set<std::pair<uint64_t, std::string>>> by_owner_;
  uint64_t last_place_ = 0;
};

}  // namespace relist::fakeapi
