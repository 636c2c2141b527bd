#include "fakeapi/controllers/dependency_graph.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "fakeapi/encoding/json_path.h"

namespace relist::fakeapi {

std::vector<OwnerReference> OwnersIn(const nlohmann::ordered_json& metadata) {
  std::vector<OwnerReference> owners;
  for (const nlohmann::ordered_json& one : ItemsAt(metadata, "ownerReferences")) {
    OwnerReference owner{TextAt(one, "apiVersion"), TextAt(one, "kind"), TextAt(one, "name"),
                         TextAt(one, "uid"), FlagAt(one, "blockOwnerDeletion")};
    if (!owner.uid.empty()) owners.push_back(std::move(owner));
  }
  return owners;
}

bool Dependent::Blocks(const std::string& owner_uid) const {
  return std::any_of(owners.begin(), owners.end(), [&owner_uid](const OwnerReference& owner) {
    return owner.uid == owner_uid && owner.blocks;
  });
}

const Dependent* DependencyGraph::Find(const std::string& uid) const {
  const auto found = nodes_.find(uid);
  return found == nodes_.end() ? nullptr : &found->second.dependent;
}

void DependencyGraph::Set(Dependent dependent) {
  const std::string uid = dependent.item.uid;
  const auto known = nodes_.find(uid);
  const uint64_t place = known == nodes_.end() ? ++last_place_ : known->second.place;
  Remove(uid);
  for (const OwnerReference& owner : dependent.owners) by_owner_[owner.uid].emplace(place, uid);
  nodes_.emplace(uid, Node{std::move(dependent), place});
}

void DependencyGraph::Remove(const std::string& uid) {
  const auto found = nodes_.find(uid);
  if (found == nodes_.end()) return;
  const Node& node = found->second;
  for (const OwnerReference& owner : node.dependent.owners) {
    const auto others = by_owner_.find(owner.uid);
    if (others == by_owner_.end()) continue;  // two references to one owner
    others->second.erase({node.place, uid});
    if (others->second.empty()) by_owner_.erase(others);
  }
  nodes_.erase(found);
}

std::vector<const Dependent*> DependencyGraph::DependentsOf(const std::string& owner_uid) const {
  std::vector<const Dependent*> dependents;
  const auto found = by_owner_.find(owner_uid);
  if (found == by_owner_.end()) return dependents;
  dependents.reserve(found->second.size());
  for (const auto& [place, uid] : found->second) {
    dependents.push_back(&nodes_.at(uid).dependent);
  }
  return dependents;
}

void DependencyGraph::Clear() {
  nodes_.clear();
  by_owner_.clear();
}

}  // namespace relist::fakeapi
