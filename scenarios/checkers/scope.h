// What a client asked for: resource, namespace, selectors; and whether an object falls under it.
//
//   Scope scope("configmaps", "default", "app=web", "");
//   if (scope.MayMatch(resource, key) && scope.Matches(commit)) ...
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "core/history.h"

namespace relist {

class Scope {
 public:
  // Selectors that the server would refuse match nothing.
  Scope(const std::string& resource, const std::string& ns, const std::string& labels,
        const std::string& fields);
  ~Scope();

  // By resource and namespace alone.
  bool MayMatch(std::string_view resource, std::string_view key) const;
  // By selectors; reads the object's JSON only where there are any.
  bool Matches(const HistoryEntry& commit) const;

 private:
  struct Selectors;
  std::string resource_, ns_prefix_;
  std::unique_ptr<Selectors> selectors_;  // null: everything
};

}  // namespace relist
