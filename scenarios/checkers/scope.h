// What a client asked for: resource, namespace, selectors; and whether an object falls under it.
//
//   Scope scope({.resource = "configmaps", .ns = "default", .labels = "app=web"});
//   if (scope.MayMatch(resource, key) && scope.Matches(object)) ...
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "scenarios/checkers/truth.h"

namespace relist {

class Scope {
 public:
  // Selectors that the server would refuse match nothing.
  explicit Scope(const ScopeSpec& spec);
  ~Scope();

  // By resource, namespace and name alone.
  bool MayMatch(std::string_view resource, std::string_view key) const;
  // By selectors; reads the object's JSON only where there are any.
  bool Matches(const Object* object) const;

 private:
  struct Selectors;
  std::string resource_, ns_prefix_, name_;
  std::unique_ptr<Selectors> selectors_;  // null: everything
};

}  // namespace relist
